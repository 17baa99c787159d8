#pragma once

#include <span>
#include <string_view>

#include "grader/cli/verbs/options.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

using VerbFunction = int (*)(const WorkspacePaths&, const Options&);

/// A verb that a program carries out itself.
struct Verb {
  std::string_view name;  ///< as in Options::verb
  VerbFunction run;
};

/// What main() does in both programs: reads the command line, finds the checkout, runs the verb; the exit
/// code. Verbs that are not among `verbs` go to `other`, which may hand `argv` on.
int run_program(int argc, char** argv, std::span<const Verb> verbs,
                int (*other)(const WorkspacePaths&, const Options&, char** argv));

}  // namespace fusebox
