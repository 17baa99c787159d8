#include "grader/classroom/answer.h"

#include <fmt/format.h>

#include <utility>

#include "grader/classroom/desk.h"
#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/report/json.h"
#include "grader/toolchain/cache.h"
#include "grader/toolchain/sandbox.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

Row infra(std::string text) {
  Row row;
  row.text = std::move(text);
  return row;
}

// The program's own words where it could not grade: their first line.
std::string first_line(const std::string& output) {
  const std::size_t from = output.find("grader: ");
  const std::string text = output.substr(from == output.npos ? 0 : from);
  return text.substr(0, text.find('\n'));
}

// The driver's own, of whatever GPUs this machine shows us.
void add_devices(std::vector<fs::path>& rights) {
  std::error_code error;
  for (const auto& each : fs::directory_iterator("/dev", error))
    if (each.path().filename().string().starts_with("nvidia")) rights.push_back(each.path());
}

// The grader and what it reads to grade this puzzle.
Sandbox sandbox_for(const AnswerSettings& settings, const Wanted& puzzle, const fs::path& desk) {
  const fs::path programs = settings.grader.parent_path();
  Sandbox sandbox{settings.bubblewrap, settings.compiler, {settings.cache, desk}};
  sandbox.read.insert(sandbox.read.end(),
                      {settings.grader, programs / "recorder", settings.root / "assets",
                       settings.root / "puzzles", settings.root / "solutions" / puzzle.file_name});
  return sandbox;
}

// Where the copy lay is of no use to anybody.
void forget(const fs::path& folder, std::string& text) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != text.npos;) text.erase(at, prefix.size());
}

}  // namespace

Result<ProcessResult> run_confined(const AnswerSettings& settings, const Wanted& puzzle, const fs::path& desk,
                                   const std::vector<std::string>& command, std::vector<std::string> more) {
  ProcessOptions options;
  options.time_limit_s = settings.seconds;
  options.directory = desk;
  options.environment = std::move(more);
  const std::string temporary = (desk / "tmp").string();
  options.environment.insert(options.environment.end(), {"TMPDIR=" + temporary, "HOME=" + temporary});
  // Landlock would keep bubblewrap from its mounts; the grader confines what it starts by it in there too.
  if (!settings.bubblewrap.empty())
    return run_process(in_sandbox(sandbox_for(settings, puzzle, desk), command), options);
  options.rights = FileRights{{"/"}, {desk, settings.cache, "/dev/null"}};
  if (settings.backend == "gpu") add_devices(options.rights->write);
  return run_process(command, options);
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
  const auto run =
      run_confined(settings, puzzle, desk.path(),
                   {settings.grader.string(), puzzle.id, "--once", "--no-full", "--no-color", "--backend",
                    settings.backend, "--memory", std::to_string(settings.memory_mib), "--root",
                    settings.root.string(), "--from", "handed", "--json", json.string()},
                   {fmt::format("FUSEBOX_SEED={}", settings.seed), "FUSEBOX_CASES=" + puzzle.cases});
  if (!run) return {infra(run.error().what), false, ""};
  GradedAnswer graded{{}, run->timed_out, run->output};
  const auto written = read_file(json);
  const auto report = written ? report_from_json(*written) : Result<Report>(written.error());
  if (run->timed_out)
    graded.row = infra(fmt::format("no verdict within {:g} seconds", settings.seconds));
  else if (run->exit_code > 1 || !report || report->puzzle != puzzle.id ||
           (report->verdict == Outcome::passed) != (run->exit_code == 0))
    graded.row =
        infra(fmt::format("the grader ended with exit code {}: {}", run->exit_code, first_line(run->output)));
  else
    graded.row = row_of(*report);
  forget(folder, graded.row.text);
  forget(folder, graded.row.cause);
  for (RowCase& each : graded.row.cases) forget(folder, each.summary);
  return graded;
}

}  // namespace fusebox::classroom
