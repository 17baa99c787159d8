// A class on Slurm: handing it over, one task of it, and collecting what has come of it.
#include "grader/cli/workshop/class/class_slurm.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "grader/classroom/canaries.h"
#include "grader/classroom/manifest.h"
#include "grader/classroom/slurm.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/class/class_run.h"
#include "grader/report/workspace_paths.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using classroom::Collected;
using classroom::Manifest;
using classroom::Row;
using classroom::RowStore;
using classroom::Verdict;

constexpr std::size_t kMaxNamed = 20;

fs::path slurm_folder(const fs::path& out) { return fs::absolute(out) / "slurm"; }
RowStore rows_in(const fs::path& out) { return RowStore(fs::absolute(out) / "rows"); }

/// The number of the job that was submitted last; empty: none was.
std::string last_job(const fs::path& folder) {
  std::ifstream file(folder / "job");
  std::string job;
  file >> job;
  return job;
}

/// Private from the beginning: the manifest holds the seed, and logs name students.
std::optional<Error> make_private(const fs::path& folder) {
  ::mkdir(folder.c_str(), 0700);
  std::error_code error;
  fs::permissions(folder, fs::perms::owner_all, error);
  if (!error) fs::create_directories(folder / "log", error);
  if (!error) return std::nullopt;
  return Cache::cannot_write(folder, error.message());
}

/// What needs no machine has its row at once: who handed in nothing, or nothing that can be taken.
std::optional<Error> settle_what_is_no_submission(const classroom::BatchSettings& settings,
                                                  const RowStore& store, bool trusted) {
  classroom::BatchSettings here = settings;
  here.only.emplace();
  for (const classroom::Pick pick : all_answers(settings))
    if (!handed_in(settings, pick).text) here.only->push_back(pick);
  if (here.tier.empty() && trusted) here.tier = classroom::kTrustedTier;
  const auto outcome = run_batch(here, store, {});
  if (outcome) return std::nullopt;
  return outcome.error();
}

/// The answers that are not done yet, by what became of them.
void print_left(const std::vector<Collected::Left>& left) {
  std::map<std::string, std::vector<std::string>> named;
  for (const Collected::Left& each : left)
    named[classroom::to_string(each.standing)].push_back(each.student + " " + each.puzzle);
  for (const auto& [standing, answers] : named) {
    std::string text = fmt::format("{}: ", answers.size());
    for (std::size_t i = 0; i < std::min(answers.size(), kMaxNamed); ++i)
      text += (i == 0 ? "" : ", ") + answers[i];
    if (answers.size() > kMaxNamed) text += fmt::format(" and {} more", answers.size() - kMaxNamed);
    fmt::print("{}", hanging("  " + standing + " ", text + "\n", 80));
  }
}

Result<int> finish(const fs::path& out, const Manifest& manifest) {
  const Collected collected = collect(manifest, rows_in(out));
  if (auto error = write_results(out, collected.results)) return *error;
  print_verdicts(collected.results);
  fmt::print("{} of {} are graded\n", manifest.answers.size() - collected.left.size(),
             manifest.answers.size());
  print_left(collected.left);
  print_places(out);
  if (collected.left.empty()) return 0;
  const std::string job = last_job(slurm_folder(out));
  if (!job.empty() && classroom::is_queued(job))
    fmt::print("job {0} waits or runs (squeue -j {0} says what for): collect again when it is done\n", job);
  else
    fmt::print("the same `grader class ... --slurm` hands in what is left; {} says what tasks said\n",
               shown(slurm_folder(out) / "log"));
  return exit_code(ErrorKind::missing_part);
}

void print_by_hand(const std::vector<std::string>& command) {
  fmt::print("to submit it, where there is Slurm and these folders are the same:\n{}\n",
             classroom::typed(command));
}

/// A second array would grade the same answers beside the first.
std::optional<Error> refuse_while_queued(const fs::path& folder) {
  const std::string job = last_job(folder);
  if (job.empty() || !classroom::has_sbatch() || !classroom::is_queued(job)) return std::nullopt;
  return Error{ErrorKind::missing_part, fmt::format("job {} of this class waits or runs", job),
               fmt::format("`grader collect` shows what there is; to begin anew: scancel {}", job)};
}

Result<int> submit_or_print(const fs::path& out, const Manifest& manifest, const Options& options) {
  const fs::path folder = slurm_folder(out);
  const auto command = classroom::sbatch_command(folder, options.class_.sbatch);
  const classroom::TaskNeeds needs = needs_of_task(manifest);
  fmt::print("{} of {} answers are to be graded, in tasks of at most {}: {} in all\n", manifest.queued(),
             manifest.answers.size(), manifest.chunk, manifest.tasks());
  fmt::print("each asks for {} core{}, {} MiB{} and {} minutes\n", needs.cores, needs.cores == 1 ? "" : "s",
             needs.memory_mib, needs.gpu ? ", a GPU" : "", needs.minutes);
  if (options.class_.slurm == "print") {
    print_by_hand(command);
    return 0;
  }
  if (!classroom::has_sbatch()) {
    fmt::print("there is no sbatch on this machine: nothing is submitted\n");
    print_by_hand(command);
    return exit_code(ErrorKind::missing_part);
  }
  std::error_code ignored;
  fs::remove(folder / "job", ignored);
  unlock_class();  // of the tasks from now on
  const auto job = classroom::submit(command);
  if (!job) {
    print_by_hand(command);
    return job.error();
  }
  if (auto error = write_for_good(folder / "job", *job + "\n")) return *error;
  fmt::print(
      "submitted as job {0}: squeue -j {0} shows it, grader collect {1} makes results of what there is\n",
      *job, shown(out));
  return 0;
}

Error out_of_date(const std::string& what) {
  return {ErrorKind::missing_part, what, "the same `grader class ... --slurm` hands in what is left"};
}

/// The manifest that this task was submitted with; an error where another one has replaced it.
Result<Manifest> manifest_of_task(const WorkspacePaths& paths, const ClassOptions& asked) {
  auto manifest = classroom::read_manifest(slurm_folder(asked.out) / "manifest.json");
  if (!manifest) return manifest.error();
  if (manifest->id != asked.manifest)
    return out_of_date("this task is of a class that was handed in anew since");
  const auto version = version_of(paths, manifest->settings.how.grader, manifest->settings.puzzles);
  if (!version) return version.error();
  if (*version != manifest->settings.version)
    return out_of_date("the grader or a reference is another one than when this class was handed in");
  return manifest;
}

/// Another manifest may be in the making just now.
std::optional<Error> lock_patiently(const fs::path& out) {
  std::optional<Error> error;
  for (int second = 0; second < 60; ++second) {
    error = lock_class(out, LockKind::beside_others);
    if (!error) break;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  return error;
}

Result<int> grade_task(const WorkspacePaths& paths, const Options& options) {
  const ClassOptions& asked = options.class_;
  if (auto error = lock_patiently(asked.out)) return *error;
  auto manifest = manifest_of_task(paths, asked);
  if (!manifest) return manifest.error();
  const RowStore store = rows_in(asked.out);
  classroom::BatchSettings& settings = manifest->settings;
  settings.only = left_of_task(*manifest, asked.task, store);
  settings.rerun = classroom::Rerun::all;  // of those that are left
  settings.stop = stop_sign();
  choose_confinement(paths, settings);
  if (settings.only->empty()) {
    fmt::print("task {}: nothing is left to grade\n", asked.task);
    return 0;
  }
  if (settings.tier.empty()) {
    if (!manifest->trusted)
      return Error{
          ErrorKind::missing_part,
          "this node confines submissions by limits alone: its kernel has no Landlock",
          "choose nodes that have it (--sbatch=--constraint=...), or add --trust-submissions where every submission is to be trusted"};
    settings.tier = classroom::kTrustedTier;
  }
  // The node's own disk: it is the faster, and private to this task.
  auto own = own_folder(fs::temp_directory_path());
  if (!own) return own.error();
  settings.how.scratch = *own;
  auto error = manifest->trusted ? std::nullopt : try_canaries(settings.how, settings.puzzles.front());
  if (!error) error = try_cases(settings.how, settings.puzzles);
  bool infra = false;
  const auto outcome =
      error ? Result<classroom::BatchOutcome>(*error)
            : run_batch(settings, store, [&](const Row& row, std::size_t done, std::size_t all) {
                infra |= row.verdict == Verdict::infra_error;
                print_row(row, done, all);
              });
  std::error_code ignored;
  fs::remove_all(*own, ignored);
  if (!outcome) return outcome.error();
  return infra || !outcome->left.empty() ? exit_code(ErrorKind::missing_part) : 0;
}

}  // namespace

Result<int> hand_to_slurm(classroom::BatchSettings settings, const Options& options) {
  const ClassOptions& asked = options.class_;
  const fs::path out = asked.out, folder = slurm_folder(out);
  if (asked.slurm != "submit" && asked.slurm != "print")
    return Error{ErrorKind::wrong_usage, fmt::format("--slurm={}: there is no such way", asked.slurm),
                 "--slurm submits the class, --slurm=print shows the command"};
  if (auto error = refuse_while_queued(folder)) return *error;
  if (auto error = make_private(folder)) return *error;
  if (asked.jobs == 0) settings.jobs = 1;
  const RowStore store = rows_in(out);
  auto own = own_folder(scratch_in(out));  // to read archives in
  if (!own) return own.error();
  settings.how.scratch = *own;
  const auto unsettled = settle_what_is_no_submission(settings, store, asked.trust);
  Manifest manifest = make_manifest(settings, store);
  std::error_code ignored;
  fs::remove_all(*own, ignored);
  if (unsettled) return *unsettled;
  manifest.trusted = asked.trust;
  if (asked.chunk != 0) manifest.chunk = asked.chunk;
  const fs::path program = settings.how.grader;
  if (auto error = write_manifest(folder / "manifest.json", manifest)) return *error;
  if (manifest.queued() == 0) return finish(out, manifest);
  if (auto error = write_for_good(folder / "array.sh", array_script(manifest, program, fs::absolute(out))))
    return *error;
  // A whole set of files from the first second on.
  if (auto error = write_results(out, collect(manifest, store).results)) return *error;
  return submit_or_print(out, manifest, options);
}

int class_task_verb(const WorkspacePaths& paths, const Options& options) {
  handle_stop_signals();
  const auto code = grade_task(paths, options);
  return code ? *code : fail(code.error());
}

int collect_verb(const WorkspacePaths&, const Options& options) {
  const fs::path out = options.class_.out;
  const auto manifest = classroom::read_manifest(slurm_folder(out) / "manifest.json");
  if (!manifest) return fail(manifest.error());
  const auto code = finish(out, *manifest);
  return code ? *code : fail(code.error());
}

}  // namespace fusebox
