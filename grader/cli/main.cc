// The program that learners run. What only authors of puzzles and engineers ask for is in a program of its
// own, so that the first grade on a fresh machine does not wait for it to be built.
#include <fmt/format.h>
#include <unistd.h>

#include "grader/cli/verbs/run_program.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {
namespace {

constexpr Verb kVerbs[] = {
    {"grade", grade_verb},       {"next", next_verb}, {"list", list_verb},
    {"lesson", lesson_verb},     {"hint", hint_verb}, {"reset", reset_verb},
    {"solution", solution_verb}, {"all", all_verb},   {"doctor", doctor_verb},
};

int run_workshop(const WorkspacePaths& paths, const Options& options, char** argv) {
  ::execv(paths.workshop().c_str(), argv);
  const std::string verb = options.verb.substr(0, options.verb.find(' '));
  return fail(
      {ErrorKind::missing_part,
       fmt::format("`{}` is carried out by {}, which is not built", options.verb, shown(paths.workshop())),
       fmt::format("type ./fusebox {} ... in its place: that builds it first", verb)});
}

}  // namespace
}  // namespace fusebox

int main(int argc, char** argv) {
  return fusebox::run_program(argc, argv, fusebox::kVerbs, fusebox::run_workshop);
}
