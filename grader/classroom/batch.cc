#include "grader/classroom/batch.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "grader/classroom/ingest.h"
#include "grader/confine/landlock.h"
#include "grader/report/json.h"
#include "grader/toolchain/cache.h"
#include "grader/toolchain/process.h"
#include "grader/toolchain/sha256.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

// A folder that goes away with this object.
class Desk {
 public:
  Desk(const fs::path& scratch, std::size_t number) : path_(scratch / std::to_string(number)) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    fs::create_directories(path_ / "handed", ignored);
    fs::create_directories(path_ / "tmp", ignored);
  }
  ~Desk() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

// Where the copy lay is of no use to anybody.
void forget(const fs::path& folder, std::string& text) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != text.npos;) text.erase(at, prefix.size());
}

struct Graded {
  Row row;
  bool timed_out = false;
  std::string output;
};

// As by hand: the same program, on a copy that nobody else can reach.
Graded grade(const BatchSettings& settings, const Wanted& puzzle, const std::string& text, const Desk& desk) {
  const fs::path folder = desk.path() / "handed", json = desk.path() / "report.json";
  if (!write_file(folder / puzzle.file_name, text))
    return {infra("no room for a copy of the file"), false, ""};
  ProcessOptions options;
  options.time_limit_s = settings.row_seconds;
  options.directory = desk.path();
  options.environment = {"TMPDIR=" + (desk.path() / "tmp").string(), "HOME=" + (desk.path() / "tmp").string(),
                         "FUSEBOX_COMPILER_READS"};
  options.rights = FileRights{{"/"}, {desk.path(), settings.cache, "/dev/null"}};
  const auto run = run_process({settings.grader.string(), puzzle.id, "--once", "--no-full", "--no-color",
                                "--backend", "sim", "--root", settings.root.string(), "--from", "handed",
                                "--seed", std::to_string(settings.seed), "--json", json.string()},
                               options);
  if (!run) return {infra(run.error().what), false, ""};
  Graded graded{{}, run->timed_out, run->output};
  const auto written = read_file(json);
  const auto report = written ? report_from_json(*written) : Result<Report>(written.error());
  if (run->timed_out)
    graded.row = infra(fmt::format("no verdict within {:g} seconds", settings.row_seconds));
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

struct Job {
  const Student* student = nullptr;
  const Wanted* puzzle = nullptr;
};

std::string key_of(const BatchSettings& settings, const Job& job, const Handed& handed) {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", settings.version, settings.seed, settings.tier,
                                settings.row_seconds, job.puzzle->id,
                                handed.text ? sha256_hex(*handed.text) : handed.why));
}

bool stands(const Row& row, const std::string& key, Rerun rerun) {
  if (row.key != key || row.verdict == Verdict::infra_error) return false;
  return rerun == Rerun::infra || (rerun == Rerun::failed && row.verdict == Verdict::pass);
}

// Behind the reference: what they do comes before anything is called.
constexpr const char* kReads = R"({}
#include <fcntl.h>
#include <cstdio>
__attribute__((constructor)) static void canary() {{
  if (open("{}", O_RDONLY) >= 0) std::puts("{}"), __builtin_trap();
}}
)";
constexpr const char* kWrites = R"({}
#include <fcntl.h>
__attribute__((constructor)) static void canary() {{ open("{}", O_WRONLY | O_CREAT, 0600); }}
)";

Row make_row(const BatchSettings& settings, const Job& job, const Handed& handed, std::size_t number) {
  const auto begin = Clock::now();
  Row row;
  if (!handed.text) {
    row.verdict = Verdict::invalid_submission;
    row.text = handed.why;
  } else {
    Graded graded = grade(settings, *job.puzzle, *handed.text, Desk(settings.scratch, number));
    // Once more before it is the student's: the machine may have been busy.
    if (graded.timed_out) {
      graded = grade(settings, *job.puzzle, *handed.text, Desk(settings.scratch, number));
      if (graded.timed_out) graded.row.verdict = Verdict::time_limit;
    }
    row = std::move(graded.row);
  }
  row.student = job.student->id;
  row.puzzle = job.puzzle->id;
  row.tier = settings.tier;
  row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return row;
}

}  // namespace

std::string confinement_tier() {
  const int version = landlock_version();
  return version == 0 ? "" : fmt::format("Landlock {}, seccomp", version);
}

std::optional<Error> try_canaries(const BatchSettings& settings) {
  if (settings.puzzles.empty()) return std::nullopt;
  const Wanted& puzzle = settings.puzzles.front();
  const auto carrier = read_file(settings.root / "solutions" / puzzle.file_name);
  if (!carrier) return carrier.error();
  const Desk planted(settings.scratch, 1'000'000'000);
  const fs::path secret = planted.path() / "secret", trace = planted.path() / "trace";
  const std::string word = "canary_word_that_nobody_may_see";
  if (!write_file(secret, word + "\n")) return Cache::cannot_write(planted.path(), "no room for a file");
  const struct {
    const char* what;
    std::string text;
    bool compiles;
  } canaries[] = {
      {"a file that includes another one by its path was given it",
       fmt::format("{}\n#include \"{}\"\n", *carrier, secret.string()), false},
      {"a host function opened a file that is not its own",
       fmt::format(kReads, *carrier, secret.string(), word), true},
      {"a host function wrote a file", fmt::format(kWrites, *carrier, trace.string()), true},
  };
  std::size_t number = 1'000'000'001;
  for (const auto& canary : canaries) {
    const Graded graded = grade(settings, puzzle, canary.text, Desk(settings.scratch, number++));
    if (graded.row.verdict == Verdict::infra_error)
      return Error{ErrorKind::missing_part, "nothing can be graded here: " + graded.row.text,
                   fmt::format("see `grader doctor`; then `grader {} --from solutions`", puzzle.id)};
    const bool as_expected = canary.compiles || graded.row.verdict == Verdict::compile_error;
    if (!as_expected || fs::exists(trace) || graded.output.find(word) != graded.output.npos)
      return Error{
          ErrorKind::missing_part,
          fmt::format("submissions are not confined on this machine: {}", canary.what),
          "grade on a machine whose kernel has Landlock and seccomp (`grader doctor`), or, where every submission is to be trusted, add --trust-submissions"};
  }
  return std::nullopt;
}

Result<BatchOutcome> run_batch(const BatchSettings& settings, const RowStore& store,
                               const std::function<void(const Row&, std::size_t, std::size_t)>& graded) {
  BatchOutcome outcome;
  std::vector<Job> jobs;
  for (const Student& student : settings.students)
    for (const Wanted& puzzle : settings.puzzles) jobs.push_back({&student, &puzzle});
  std::vector<std::optional<Row>> rows(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> error;
  std::size_t done = 0;
  const auto work = [&] {
    for (std::size_t at; (at = next++) < jobs.size();) {
      if (settings.stop != nullptr && *settings.stop) return;
      const Job& job = jobs[at];
      const Handed handed = take_file(settings.submissions / job.student->id, job.puzzle->file_name);
      const std::string key = key_of(settings, job, handed);
      auto before = store.find(job.student->id, job.puzzle->id);
      const bool fresh = !before || !stands(*before, key, settings.rerun);
      Row row = fresh ? make_row(settings, job, handed, at) : std::move(*before);
      row.key = key;
      const std::lock_guard lock(mutex);
      if (error) return;
      if (fresh) error = store.keep(row);
      if (error) return;
      ++(fresh ? outcome.graded : outcome.kept);
      ++done;
      if (fresh && graded) graded(row, done, jobs.size());
      rows[at] = std::move(row);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, settings.jobs); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (error) return *error;
  for (auto& row : rows) {
    outcome.left += !row;
    if (row) outcome.rows.push_back(std::move(*row));
  }
  return outcome;
}

}  // namespace fusebox::classroom
