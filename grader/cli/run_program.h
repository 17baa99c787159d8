#pragma once

#include <span>
#include <string_view>

#include "grader/cli/house.h"
#include "grader/cli/options.h"

namespace fusebox {

using VerbFunction = int (*)(const House&, const Options&);

/// A verb that a program carries out itself.
struct Verb {
  std::string_view name;  ///< as in Options::verb
  VerbFunction run;
};

/// What main() does in both programs: reads the command line, finds the checkout, runs the verb; the exit
/// code. Verbs that are not among `verbs` go to `other`, which may hand `argv` on.
int run_program(int argc, char** argv, std::span<const Verb> verbs,
                int (*other)(const House&, const Options&, char** argv));

}  // namespace fusebox
