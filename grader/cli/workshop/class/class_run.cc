#include "grader/cli/workshop/class/class_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "grader/classroom/formats/markup.h"
#include "grader/device/gpu_profile.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/files.h"
#include "grader/toolchain/cache/sha256.h"
#include "grader/toolchain/sandbox/compile_rights.h"
#include "grader/toolchain/sandbox/environment.h"
#include "grader/toolchain/sandbox/sandbox.h"
#include "grader/toolchain/toolchain.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using classroom::Results;
using classroom::Student;
using classroom::Verdict;

constexpr const char* kFiles[] = {"results.csv", "cases.csv", "rows.jsonl", "junit.xml", "index.html"};

std::atomic<bool> asked_to_stop = false;
int locked = -1;  // the lock of a class, while it is held

}  // namespace

Result<std::string> version_of(const WorkspacePaths& paths, const fs::path& grader,
                               const std::vector<classroom::Wanted>& wanted) {
  std::string all;
  std::vector<fs::path> files = {grader, paths.recorder()};
  for (const classroom::Wanted& puzzle : wanted) files.push_back(paths.solutions() / puzzle.file_name);
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    if (!text) return text.error();
    all += sha256_hex(*text);
  }
  // Modelled times are a verdict where a puzzle says so, and known mistakes are causes. Where a file is not
  // there, the grader says so, or does without.
  files = {};
  for (const std::string& name : gpu_profile_names(paths.assets()))
    files.push_back(paths.assets() / "gpus" / (name + ".json"));
  for (const classroom::Wanted& puzzle : wanted)
    files.push_back(paths.texts() / fs::path(puzzle.file_name).stem() / "mutants.md");
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    all += text ? sha256_hex(*text) : "none";
  }
  return sha256_hex(all);
}

std::optional<Error> refuse_what_is_not_ours(const fs::path& out) {
  std::error_code ignored;
  if (fs::exists(out / "lock", ignored)) return std::nullopt;
  for (const char* name : kFiles)
    if (fs::exists(out / name, ignored))
      return Error{ErrorKind::wrong_usage,
                   fmt::format("{} has a {} that is no class's: it would be replaced", out.string(), name),
                   "choose another --out, a new folder at best"};
  return std::nullopt;
}

fs::path scratch_in(const fs::path& out) { return fs::absolute(out) / "fusebox-scratch"; }

void unlock_class() {
  if (locked >= 0) ::close(locked);
  locked = -1;
}

std::optional<Error> lock_class(const fs::path& out, LockKind kind) {
  unlock_class();
  locked = ::open((out / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (locked < 0)
    return Error{ErrorKind::missing_part,
                 fmt::format("cannot write {}: {}", out.string(), std::strerror(errno)),
                 "choose another --out"};
  const int how = kind == LockKind::alone ? LOCK_EX : LOCK_SH;
  // Some file systems of clusters lock nothing: rows are whole all the same.
  if (::flock(locked, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return std::nullopt;
  return Error{ErrorKind::missing_part, fmt::format("another run is at work in {}", out.string()),
               "wait for it, or choose another --out"};
}

void choose_confinement(const WorkspacePaths& paths, classroom::BatchSettings& settings) {
  const Confinement here = confinement_here();
  bool bubblewrap = !here.bubblewrap.empty();
  if (bubblewrap && settings.how.backend == "gpu") {
    settings.how.gpu = find_gpu_nodes(environment("CUDA_VISIBLE_DEVICES"));
    const std::string why =
        why_no_gpu_in_sandbox(here.bubblewrap, fs::absolute(paths.executor()), settings.how.gpu);
    bubblewrap = why.empty();
    if (!bubblewrap) fmt::print(stderr, "grading without bubblewrap: {}\n", why);
  }
  settings.tier = bubblewrap ? here.tier : here.without_bubblewrap;
  settings.how.bubblewrap = bubblewrap ? here.bubblewrap : fs::path();
  settings.how.groups = memory_hold_here().groups;
  if (!settings.how.groups.empty()) {
    remove_left_cgroups(settings.how.groups);
    if (!settings.tier.empty()) settings.tier += ", cgroup";
  }
  if (settings.how.bubblewrap.empty()) return;
  const auto compiler = find_compiler(toolkit_folder(paths.root, paths.build()));
  if (!compiler) return;  // the grader says so, where there is something to grade
  for (const fs::path& folder : compiler_folders(compiler->nvcc))
    settings.how.compiler.push_back(fs::absolute(folder));
}

Result<fs::path> own_folder(const fs::path& scratch) {
  std::error_code error;
  fs::create_directories(scratch, error);
  std::string name = (scratch / "XXXXXX").string();
  if (::mkdtemp(name.data())) return fs::path(name);
  return Error{ErrorKind::missing_part,
               fmt::format("cannot make a folder in {}: {}", scratch.string(), std::strerror(errno)),
               "choose another --out"};
}

std::optional<Error> write_results(const fs::path& out, const Results& results) {
  struct File {
    fs::path path;
    std::string text;
  };
  std::vector<File> files = {{out / "results.csv", results_csv(results)},
                             {out / "cases.csv", cases_csv(results)},
                             {out / "rows.jsonl", rows_jsonl(results)},
                             {out / "junit.xml", junit_xml(results)},
                             {out / "index.html", summary_page(results)}};
  for (const Student& student : results.students) {
    files.push_back({out / "students" / (student.id + ".html"), student_page(results, student)});
    files.push_back({out / "gradescope" / (student.id + ".json"), gradescope_json(results, student)});
  }
  for (const auto& [key, row] : results.rows)
    files.push_back({out / "exercism" / row.student / (row.puzzle + ".json"), exercism_json(row)});
  // All of it can be made again from the rows.
  std::error_code failed;
  for (const File& file : files) {
    fs::create_directories(file.path.parent_path(), failed);
    if (failed)
      return Error{ErrorKind::missing_part,
                   fmt::format("cannot make {}: {}", file.path.parent_path().string(), failed.message()),
                   "make room there, or choose another --out"};
    if (auto error = write_atomically(file.path, file.text)) return error;
  }
  return std::nullopt;
}

void handle_stop_signals() {
  struct sigaction stop {};
  stop.sa_handler = [](int) { asked_to_stop = true; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &stop, nullptr);
}

const std::atomic<bool>* stop_sign() { return &asked_to_stop; }

void print_row(const classroom::Row& row, std::size_t done, std::size_t all) {
  fmt::print("{:>5} of {}  {:<20} {} {}\n", done, all, to_string(row.verdict), row.student, row.puzzle);
  if (row.verdict == Verdict::infra_error) fmt::print("{:>5} {}\n", "", classroom::plain(row.text));
  std::fflush(stdout);
}

void print_verdicts(const Results& results) {
  std::map<Verdict, std::size_t> counted;
  for (const auto& [key, row] : results.rows) ++counted[row.verdict];
  for (const auto& [verdict, count] : counted) fmt::print("  {:<20} {:>6}\n", to_string(verdict), count);
}

void print_places(const fs::path& out) {
  fmt::print("{}: results.csv, cases.csv, rows.jsonl, junit.xml, index.html, and a page for each student\n",
             out.string());
}

}  // namespace fusebox
