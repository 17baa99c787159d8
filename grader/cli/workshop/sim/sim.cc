#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/cli/render/render.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/sim/sim_libraries.h"
#include "grader/cli/workshop/sim/sim_schedules.h"
#include "grader/cli/workshop/sim/sim_table.h"
#include "grader/device/gpu_profile.h"
#include "grader/process/child.h"
#include "grader/report/json/json.h"
#include "grader/report/text/format.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/runtime/counted_launches.h"
#include "grader/simulator/runtime/journal.h"
#include "grader/simulator/runtime/launch_progress.h"
#include "grader/simulator/runtime/program_file.h"
#include "grader/toolchain/cache/files.h"

// `grader sim -- ./program args`: the program runs in a process of its own, on the CUDA runtime of the
// simulator.
namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away with this object.
class JournalFolder {
 public:
  JournalFolder() {
    std::string name = (fs::temp_directory_path() / "fusebox-sim-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~JournalFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  JournalFolder(const JournalFolder&) = delete;
  JournalFolder& operator=(const JournalFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct ProgramEnd : ProcessEnd {
  bool timed_out = false;
};

volatile sig_atomic_t asked_to_stop = 0;

/// Kills what the program started and left behind: we are their parent once it is gone.
void kill_the_rest() {
  const std::string list = fmt::format("/proc/self/task/{}/children", getpid());
  for (int round = 0; round < 1000; ++round) {
    std::ifstream children(list);
    bool any = false;
    for (pid_t child; children >> child; any = true) kill(child, SIGKILL);
    if (!any) return;
    while (waitpid(-1, nullptr, 0) > 0) {
    }
  }
}

/// `output`: where its stdout goes; empty: where ours goes. Of a run that only repeats another, stderr says
/// nothing new.
Result<ProgramEnd> run_program(const sim::ProgramFile& program, const std::vector<std::string>& words,
                               const fs::path& output, bool repeats, double seconds) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::fflush(nullptr);
  const auto cannot_start = [&](int code) {
    return Error{ErrorKind::missing_part,
                 fmt::format("cannot start {}: {}", program.path.string(), std::strerror(code)),
                 "see that it may be executed, and that this machine may start processes"};
  };
  Command command;
  command.program = program.path;
  command.argv = words;
  command.input = Command::kOurs;
  Descriptor file;
  if (!output.empty()) {
    file = Descriptor(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file) return cannot_start(errno);
    command.output = file.get();
  }
  if (repeats) command.errors = Command::kNothing;
  command.other_descriptors = true;
  command.group = Command::Group::ours;
  command.at_our_end = SIGKILL;
  // Whoever watches a terminal is told when one launch takes long.
  const sim::LaunchProgress progress("");
  const bool watched = isatty(STDERR_FILENO) == 1 && !progress.path().empty();
  if (watched) setenv(sim::kProgressVariable, progress.path().c_str(), 1);
  bool shown = false;
  Child child;
  if (const int failed = child.start(command)) return cannot_start(failed);
  // The terminal sends Ctrl-C to both of us: the program ends by it, and its numbers are still shown.
  struct sigaction stop {};
  stop.sa_handler = [](int) { asked_to_stop = 1; };
  for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &stop, nullptr);

  ProgramEnd end;
  const auto deadline = Child::Clock::now() + std::chrono::duration<double>(seconds);
  while (!child.wait_until(Child::Clock::now() + std::chrono::milliseconds(200))) {
    if (seconds > 0 && Child::Clock::now() > deadline) end.timed_out = true;
    if (const std::string line = watched ? progress.line() : ""; shown || !line.empty()) {
      show_progress(cut_to(line, kWidth - 1));
      shown = !line.empty();
    }
    if (end.timed_out || asked_to_stop) child.signal(end.timed_out ? SIGKILL : SIGTERM);
  }
  if (shown) show_progress("");
  static_cast<ProcessEnd&>(end) = child.reap();
  kill_the_rest();
  return end;
}

std::optional<Error> set_environment(const WorkspacePaths& paths, const Options& options,
                                     const sim::ProgramFile& program, const fs::path& journal) {
  const bool old = std::find(program.libraries.begin(), program.libraries.end(), "libcudart.so.12") !=
                   program.libraries.end();
  const fs::path libraries = paths.build() / "lib";
  // Both, the one that this program names first: a script may start others.
  std::string path = fmt::format("{0}/cuda{1}:{0}/cuda{2}", libraries.string(), old ? 12 : 13, old ? 13 : 12);
  const auto stand_ins = make_stand_ins(paths, program, old ? 12 : 13);
  if (!stand_ins) return stand_ins.error();
  if (!stand_ins->empty()) path = stand_ins->string() + ":" + path;
  if (const char* before = std::getenv("LD_LIBRARY_PATH"); before && *before)
    path += std::string(":") + before;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv(sim::kJournalVariable, journal.c_str(), 1);
  setenv(sim::kAssetsVariable, paths.assets().c_str(), 1);
  setenv(sim::kGpuVariable, options.gpu.c_str(), 1);
  setenv(sim::kBudgetVariable, std::to_string(options.max_instructions).c_str(), 1);
  if (!options.launches.empty()) setenv(sim::kLaunchesVariable, options.launches.c_str(), 1);
  if (!options.kernels.empty())
    setenv(sim::kKernelsVariable, fmt::format("{}", fmt::join(options.kernels, "\n")).c_str(), 1);
  if (options.every_launch) setenv(sim::kEveryLaunchVariable, "1", 1);
  if (options.cold) setenv(sim::kColdVariable, "1", 1);
  if (options.schedule) setenv(sim::kScheduleVariable, std::to_string(*options.schedule).c_str(), 1);
  return std::nullopt;
}

std::string how_it_ended(const ProgramEnd& end, const Options& options) {
  if (end.timed_out)
    return fmt::format(
        "the program did not end within {:g} seconds and was stopped; --timeout SECONDS changes that, 0 lifts it",
        options.timeout);
  if (end.exited) return "";
  for (const int asked : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
    if (end.code == asked)
      return fmt::format(
          "the program was stopped from outside: {} (signal {}); the numbers are of what it had done by then",
          strsignal(end.code), end.code);
  std::string text =
      fmt::format("the program crashed on the host: {} (signal {})", strsignal(end.code), end.code);
  if (end.code == SIGSEGV || end.code == SIGBUS)
    text += "; look for host code that follows a null, freed or device pointer";
  if (end.code == SIGKILL) text += "; the machine may have run out of memory";
  return text;
}

using Json = nlohmann::ordered_json;

void add_launches(Json& report, const sim::Journal& journal) {
  report["launches"] = Json::array();
  for (const sim::CountedLaunch& launch : journal.launches) {
    Json one = Json::parse(launch_to_json(launch));
    one["number"] = launch.number;
    one["repeated"] = launch.repeated;
    report["launches"].push_back(std::move(one));
  }
  report["library_calls"] = journal.library_calls;
}

std::string json_of(const sim::Journal& journal, const Options& options, const ProgramEnd& end) {
  Json report;
  report["schema"] = kReportSchemaVersion;
  report["program"] = options.words;
  report["device"] = fmt::format("simulator (PTX), profile {}", options.gpu);
  report["exit_code"] = end.exited ? Json(end.code) : Json(nullptr);
  report["signal"] = end.exited ? Json(nullptr) : Json(end.code);
  report["problems"] = journal.problems;
  report["notes"] = journal.notes;
  add_launches(report, journal);
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Says which launches --kernel and --launches left out; that they left out all is a problem.
void note_choice(sim::Journal& journal, const Options& options) {
  std::uint64_t uncounted = 0;
  std::vector<std::string> kernels;
  for (const auto& [kernel, launches] : journal.uncounted) {
    uncounted += launches;
    kernels.push_back(fmt::format("{} ({})", kernel, format_count(launches)));
  }
  if (uncounted == 0) return;
  std::string asked = options.launches.empty() ? "" : " --launches " + options.launches;
  for (const std::string& kernel : options.kernels) asked += " --kernel " + kernel;
  const std::string were = fmt::format("{}", fmt::join(kernels, ", "));
  if (journal.launches.empty())
    journal.problems.push_back(
        fmt::format("no launch was counted: none is of those that{} names; launched were {}", asked, were));
  else
    journal.notes.push_back(fmt::format("carried out and not counted, because of{}: {}", asked, were));
}

/// Runs the program once more under a schedule; in order without one.
Result<ScheduledRun> run_scheduled(const sim::ProgramFile& program, const Options& options,
                                   std::optional<std::uint64_t> seed, bool repeats) {
  const JournalFolder folder;
  if (folder.path().empty())
    return Error{ErrorKind::missing_part, "no folder for temporary files",
                 "set TMPDIR to one that can be written"};
  const fs::path journals = folder.path() / "journals", output = folder.path() / "output";
  std::error_code error;
  fs::create_directory(journals, error);
  setenv(sim::kJournalVariable, journals.c_str(), 1);
  setenv(sim::kCompareVariable, "1", 1);
  if (seed)
    setenv(sim::kScheduleVariable, std::to_string(*seed).c_str(), 1);
  else
    unsetenv(sim::kScheduleVariable);
  const auto end = run_program(program, options.words, output, repeats, options.timeout);
  if (!end) return end.error();
  auto journal = sim::read_journal(journals);
  if (!journal) return journal.error();
  note_choice(*journal, options);
  ScheduledRun run;
  run.seed = seed.value_or(0);
  run.ending = end->timed_out ? "no end in time"
               : end->exited  ? fmt::format("exit code {}", end->code)
                              : fmt::format("signal {}", end->code);
  const std::string ending = how_it_ended(*end, options);
  if (!ending.empty()) journal->problems.push_back(ending);
  run.journal = std::move(*journal);
  std::ifstream file(output, std::ios::binary);
  run.output.assign(std::istreambuf_iterator<char>(file), {});
  return run;
}

bool any_faults(const sim::Journal& journal) {
  return std::any_of(journal.launches.begin(), journal.launches.end(), [](const LaunchRecord& launch) {
    return !std::all_of(launch.faults.begin(), launch.faults.end(), is_remark);
  });
}

/// `--schedules N`: in order, in order again, and in N shuffled orders.
int compare_schedules(const WorkspacePaths& paths, const Options& options, const sim::ProgramFile& program,
                      const GpuProfile& gpu) {
  if (const auto error = set_environment(paths, options, program, "")) return fail(*error);
  const auto first = run_scheduled(program, options, std::nullopt, false);
  if (!first) return fail(first.error());
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  std::fwrite(first->output.data(), 1, first->output.size(), stdout);
  fmt::print("{}", render_program(first->journal, gpu, style));
  std::fflush(stdout);
  const auto again = run_scheduled(program, options, std::nullopt, true);
  if (!again) return fail(again.error());
  std::vector<ScheduledRun> others;
  const std::uint64_t from = options.schedule.value_or(1);
  for (std::uint64_t i = 0; i < options.schedules && !asked_to_stop; ++i) {
    auto other = run_scheduled(program, options, from + i, true);
    if (!other) return fail(other.error());
    others.push_back(std::move(*other));
  }
  fmt::print("{}", render_schedules(*first, *again, others, paths.command + " sim",
                                    fmt::format("{}", fmt::join(options.words, " ")), style));
  std::fflush(stdout);
  if (!options.json.empty()) {
    Json report;
    report["schema"] = kReportSchemaVersion;
    report["program"] = options.words;
    report["device"] = fmt::format("simulator (PTX), profile {}", options.gpu);
    report["problems"] = first->journal.problems;
    add_launches(report, first->journal);
    report["schedules"] = Json::array();
    for (const ScheduledRun& other : others)
      report["schedules"].push_back(
          {{"seed", other.seed}, {"difference", difference(*first, *again, other)}});
    if (auto error =
            write_atomically(options.json, report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"))
      return fail(*error);
  }
  bool passed = first->journal.problems.empty() && first->ending == "exit code 0";
  passed = passed && !any_faults(first->journal);
  for (const ScheduledRun& other : others) passed = passed && difference(*first, *again, other).empty();
  return passed ? 0 : exit_code(ErrorKind::not_passed);
}

}  // namespace

int sim_verb(const WorkspacePaths& paths, const Options& options) {
  if (options.words.empty())
    return fail({ErrorKind::wrong_usage, "which program?", "grader sim -- ./program its arguments"});
  const auto gpu = load_gpu_profile(paths.assets(), options.gpu);
  if (!gpu) return fail(gpu.error());
  const auto program = sim::inspect_program(options.words.front());
  if (!program) return fail(program.error());
  if (!options.launches.empty())
    if (const auto range = sim::read_launch_range(options.launches); !range) return fail(range.error());
  if (options.schedules > 0) return compare_schedules(paths, options, *program, *gpu);
  const JournalFolder folder;
  if (folder.path().empty())
    return fail(
        {ErrorKind::missing_part, "no folder for temporary files", "set TMPDIR to one that can be written"});
  if (const auto error = set_environment(paths, options, *program, folder.path())) return fail(*error);

  const auto end = run_program(*program, options.words, "", false, options.timeout);
  if (!end) return fail(end.error());
  auto journal = sim::read_journal(folder.path());
  if (!journal) return fail(journal.error());
  const std::string ending = how_it_ended(*end, options);
  if (!ending.empty()) journal->problems.push_back(ending);
  if (!journal->started && program->device_code && end->exited)
    journal->problems.push_back(
        "the program did not load the simulator's CUDA runtime; does it carry an RPATH? rebuild it without");

  note_choice(*journal, options);

  const Style style = style_for(STDOUT_FILENO, options.no_color);
  fmt::print("{}", render_program(*journal, *gpu, style));
  std::fflush(stdout);
  if (!options.json.empty())
    if (auto error = write_atomically(options.json, json_of(*journal, options, *end))) return fail(*error);
  if (any_faults(*journal) || !journal->problems.empty()) return exit_code(ErrorKind::not_passed);
  return end->code;
}

}  // namespace fusebox
