// The verbs of those who write puzzles, time kernels or run other programs on the simulator. `grader` starts
// this program for them.
#include <fmt/format.h>

#include "grader/cli/verbs/run_program.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {
namespace {

constexpr Verb kVerbs[] = {
    {"sim", sim_verb},
    {"bench", bench_verb},
    {"compare", compare_verb},
    {"class", class_verb},
    {"class-task", class_task_verb},
    {"collect", collect_verb},
    {"dev answers", dev_answers_verb},
    {"dev check", dev_check_verb},
    {"dev new", dev_new_verb},
    {"dev skeletons", dev_skeletons_verb},
    {"dev slips", dev_slips_verb},
    {"dev parity", dev_parity_verb},
    {"dev warm", dev_warm_verb},
};

int refuse(const WorkspacePaths& paths, const Options& options, char**) {
  return fail({ErrorKind::wrong_usage, fmt::format("`{}` is not carried out by this program", options.verb),
               fmt::format("type {} in its place", paths.command)});
}

}  // namespace
}  // namespace fusebox

int main(int argc, char** argv) { return fusebox::run_program(argc, argv, fusebox::kVerbs, fusebox::refuse); }
