#include "grader/cli/verbs/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "grader/cli/verbs/arguments.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {

int run_program(int argc, char** argv, std::span<const Verb> verbs,
                int (*other)(const WorkspacePaths&, const Options&, char** argv)) try {
  Options options;
  if (const auto done = read_arguments({argv + 1, argv + argc}, options)) return *done;
  const auto paths = find_workspace(options.root, argv[0]);
  if (!paths) return fail(paths.error());
  const auto verb =
      std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == options.verb; });
  return verb != verbs.end() ? verb->run(*paths, options) : other(*paths, options, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "grader: internal error: {}\n        please report it, with the file that was graded\n",
             error.what());
  return 4;
}

}  // namespace fusebox
