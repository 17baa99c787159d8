#include "grader/classroom/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "grader/classroom/desk.h"
#include "grader/confine/cgroup.h"
#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/report/json/json.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/sandbox/sandbox.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

Row infra(std::string text) {
  Row row;
  row.text = std::move(text);
  return row;
}

// The program's own words where it could not grade: one line of what is wrapped there.
std::string one_line(const std::string& output) {
  const std::size_t from = output.find("grader: ");
  std::istringstream lines(output.substr(from == output.npos ? 0 : from));
  std::string all, line;
  std::getline(lines, all);
  while (std::getline(lines, line) && line.starts_with(' '))
    all += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return all;
}

// The driver's own, of whatever GPUs this machine shows us.
std::vector<fs::path> driver_nodes() {
  std::vector<fs::path> nodes;
  std::error_code error;
  for (const auto& each : fs::directory_iterator("/dev", error))
    if (each.path().filename().string().starts_with("nvidia")) nodes.push_back(each.path());
  return nodes;
}

// The grader and what it reads to grade this puzzle.
Sandbox sandbox_for(const AnswerSettings& settings, const Wanted& puzzle, const fs::path& desk) {
  const fs::path programs = settings.grader.parent_path();
  Sandbox sandbox{settings.bubblewrap, settings.compiler, {settings.cache, desk}};
  sandbox.read.insert(sandbox.read.end(),
                      {settings.grader, programs / "recorder", settings.root / "assets",
                       settings.root / "puzzles", settings.root / "solutions" / puzzle.file_name});
  if (settings.backend == "gpu") {
    sandbox.read.push_back(programs / "gpu_executor");
    sandbox.devices = settings.gpu.nodes;
  }
  return sandbox;
}

// The path of the copy means nothing to a reader.
void forget(const fs::path& folder, std::string& text) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != text.npos;) text.erase(at, prefix.size());
}

// Far more than an answer's compiler, grader and host functions start; far less than a machine bears.
constexpr std::uint64_t kMaxProcesses = 4096;
constexpr std::uint64_t kCompile = 4096, kItself = 512;  // MiB: of the compiler, and of the grader's own

}  // namespace

std::uint64_t memory_of_answer(std::uint64_t memory_mib) {
  return std::max(3 * memory_mib, kCompile) + kItself;
}

Result<ConfinedRun> run_confined(const AnswerSettings& settings, const Wanted& puzzle, const fs::path& desk,
                                 const std::vector<std::string>& command, std::vector<std::string> more) {
  std::optional<Cgroup> group;
  if (!settings.groups.empty()) {
    group.emplace(settings.groups / cgroup_name(desk.filename()),
                  CgroupLimits{memory_of_answer(settings.memory_mib) << 20, kMaxProcesses});
    if (!group->problem().empty())
      return Error{ErrorKind::missing_part, group->problem(),
                   "see what `grader doctor` says of the memory of an answer"};
  }
  ProcessOptions options;
  options.time_limit_s = settings.seconds;
  options.directory = desk;
  options.environment = std::move(more);
  const std::string temporary = (desk / "tmp").string();
  options.environment.insert(options.environment.end(),
                             {"TMPDIR=" + temporary, "HOME=" + temporary, kLargePages});
  // Landlock would keep bubblewrap from its mounts; the grader confines what it starts by it in there too.
  const bool sandbox = !settings.bubblewrap.empty();
  // The only one that is seen there has another number.
  if (sandbox && settings.backend == "gpu")
    options.environment.push_back("CUDA_VISIBLE_DEVICES=" + settings.gpu.visible);
  if (!sandbox) {
    options.rights = FileRights{{"/"}, {desk, settings.cache, "/dev/null"}};
    if (settings.backend == "gpu") options.rights->devices = driver_nodes();
    if (group) options.rights->write.push_back(group->door());
  }
  std::vector<std::string> words =
      sandbox ? in_sandbox(sandbox_for(settings, puzzle, desk), command) : command;
  if (group) words = group->entering(words);
  auto run = run_process(words, options);
  if (!run) return run.error();
  return ConfinedRun{std::move(*run), group && group->ran_out_of_memory()};
}

GradedAnswer grade_answer(const AnswerSettings& settings, const Wanted& puzzle, const std::string& text,
                          const std::string& desk_name) {
  const Desk desk(settings.scratch / desk_name);
  std::error_code ignored;
  for (const char* part : {"handed", "tmp"}) fs::create_directory(desk.path() / part, ignored);
  const fs::path folder = desk.path() / "handed", json = desk.path() / "report.json";
  if (!write_file(folder / puzzle.file_name, text))
    return {infra("no room for a copy of the file"), false, ""};
  // Seed and cases are hidden: other users of a machine may read the words of a command.
  const auto confined = run_confined(
      settings, puzzle, desk.path(),
      {settings.grader.string(), puzzle.id, "--once", "--no-full", "--no-reference", "--no-color",
       "--backend", settings.backend, "--memory", std::to_string(settings.memory_mib), "--root",
       settings.root.string(), "--from", "handed", "--json", json.string()},
      {fmt::format("FUSEBOX_SEED={}", settings.seed), "FUSEBOX_CASES=" + puzzle.cases});
  if (!confined) return {infra(confined.error().what), false, ""};
  const ProcessResult* run = &confined->process;
  GradedAnswer graded{{}, run->timed_out, run->output};
  const auto written = read_file(json);
  const auto report = written ? report_from_json(*written) : Result<Report>(written.error());
  if (confined->out_of_memory) {
    graded.row = infra(fmt::format("compiling and running it needed more than {} MiB of memory together",
                                   memory_of_answer(settings.memory_mib)));
    graded.row.verdict = Verdict::memory_limit;
    graded.timed_out = false;
  } else if (run->timed_out)
    graded.row = infra(fmt::format("no verdict within {:g} seconds", settings.seconds));
  else if (run->exit_code > 1 || !report || report->puzzle != puzzle.id ||
           (report->verdict == Outcome::passed) != (run->exit_code == 0))
    graded.row =
        infra(fmt::format("the grader ended with exit code {}: {}", run->exit_code, one_line(run->output)));
  else
    graded.row = row_of(*report);
  forget(folder, graded.row.text);
  forget(folder, graded.row.cause);
  for (RowCase& each : graded.row.cases) forget(folder, each.summary);
  return graded;
}

}  // namespace fusebox::classroom
