#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/cli/verbs/options.h"

namespace fusebox {

/// Reads the words of a command line; options.verb is then the verb that was meant. Where nothing is to be
/// run, because help was asked for or a word is wrong, that has been printed and the exit code comes back.
/// Both programs, `grader` and `workshop`, read every verb: so the help is whole in both.
std::optional<int> read_arguments(std::vector<std::string> words, Options& options);

}  // namespace fusebox
