#include "grader/classroom/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "grader/confine/cgroup.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox::classroom {
namespace {

using Clock = std::chrono::steady_clock;

bool stands(const Row& row, const std::string& key, Rerun rerun) {
  if (row.key != key || row.verdict == Verdict::infra_error) return false;
  return rerun == Rerun::infra || (rerun == Rerun::failed && row.verdict == Verdict::pass);
}

// A second try before a timeout counts against the student: the machine may have been busy.
Row grade_in_time(const AnswerSettings& how, const Wanted& puzzle, const std::string& text,
                  const std::string& desk) {
  GradedAnswer graded = grade_answer(how, puzzle, text, desk);
  if (graded.timed_out) graded = grade_answer(how, puzzle, text, desk);
  if (graded.timed_out) graded.row.verdict = Verdict::time_limit;
  return std::move(graded.row);
}

// With the hidden seeds, until one does not pass.
Row grade_with_all_seeds(const AnswerSettings& how, const Wanted& puzzle, const std::string& text,
                         const std::string& desk) {
  Row row = grade_in_time(how, puzzle, text, desk);
  AnswerSettings other = how;
  for (unsigned i = 1; i <= puzzle.hidden && row.verdict == Verdict::pass; ++i) {
    ++other.seed;
    const Row more = grade_in_time(other, puzzle, text, desk);
    for (RowCase each : more.cases) {
      each.name = fmt::format("hidden {}: {}", i, each.name);
      row.cases.push_back(std::move(each));
    }
    if (more.verdict == Verdict::pass) continue;
    row.verdict = more.verdict;
    row.text = more.text;
    row.cause = more.cause;
  }
  return row;
}

// A queue's signal may reach the grader that we started before it reaches us: both come within moments.
void await_stop(const std::atomic<bool>* stop) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps && stop != nullptr && !*stop; ++i) std::this_thread::sleep_for(kStep);
}

Row make_row(const BatchSettings& settings, Pick pick, const Handed& handed, std::size_t number) {
  const Wanted& puzzle = settings.puzzles[pick.puzzle];
  const auto begin = Clock::now();
  Row row;
  if (!handed.text) {
    row.verdict = handed.machine ? Verdict::infra_error : Verdict::invalid_submission;
    row.text = handed.why;
  } else {
    row = grade_with_all_seeds(settings.how, puzzle, *handed.text, std::to_string(number));
  }
  row.student = settings.students[pick.student].id;
  row.puzzle = puzzle.id;
  row.tier = settings.tier;
  row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return row;
}

}  // namespace

Results without_rows(const BatchSettings& settings) {
  Results results;
  results.students = settings.students;
  for (const Wanted& puzzle : settings.puzzles) {
    results.puzzles.push_back(puzzle.id);
    if (settings.course) results.weights[puzzle.id] = puzzle.weight;
  }
  return results;
}

std::vector<Pick> all_answers(const BatchSettings& settings) {
  std::vector<Pick> all;
  for (std::size_t student = 0; student < settings.students.size(); ++student)
    for (std::size_t puzzle = 0; puzzle < settings.puzzles.size(); ++puzzle) all.push_back({student, puzzle});
  return all;
}

Handed handed_in(const BatchSettings& settings, Pick pick) {
  return take_handed(
      settings.submissions, settings.students[pick.student].id, settings.puzzles[pick.puzzle].file_name,
      {settings.how.unpacker, settings.how.scratch / fmt::format("unpack-{}-{}", pick.student, pick.puzzle)});
}

std::string digest_of(const Handed& handed) { return handed.text ? sha256_hex(*handed.text) : handed.why; }

std::string row_key(const BatchSettings& settings, const std::string& tier, const Wanted& puzzle,
                    const std::string& digest) {
  const AnswerSettings& how = settings.how;
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", settings.version, how.seed, tier,
                                how.seconds, how.memory_mib, how.backend, puzzle.id, puzzle.hidden,
                                puzzle.cases, digest));
}

Result<BatchOutcome> run_batch(const BatchSettings& settings, const RowStore& store,
                               const std::function<void(const Row&, std::size_t, std::size_t)>& graded) {
  BatchOutcome outcome;
  const std::vector<Pick> jobs = settings.only ? *settings.only : all_answers(settings);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> error;
  std::vector<char> done(jobs.size(), 0);
  const auto work = [&] {
    for (std::size_t at; (at = next++) < jobs.size();) {
      if (settings.stop != nullptr && *settings.stop) return;
      const Pick job = jobs[at];
      const Wanted& puzzle = settings.puzzles[job.puzzle];
      const Handed handed = handed_in(settings, job);
      const std::string key = row_key(settings, settings.tier, puzzle, digest_of(handed));
      const auto before = store.find(settings.students[job.student].id, puzzle.id);
      const bool fresh = !before || !stands(*before, key, settings.rerun);
      std::optional<Row> row;
      if (fresh) row = make_row(settings, job, handed, at);
      if (fresh && row->verdict == Verdict::infra_error) await_stop(settings.stop);
      const std::lock_guard lock(mutex);
      if (error) return;
      // A queue that ends us ends what we have started as well: that is no verdict.
      if (fresh && row->verdict != Verdict::pass && settings.stop != nullptr && *settings.stop) return;
      if (!fresh) {
        done[at] = 1;
        ++outcome.kept;
        continue;
      }
      row->key = key;
      error = store.keep(*row);
      if (error) return;
      done[at] = 1;
      ++outcome.graded;
      if (graded) graded(*row, outcome.graded + outcome.kept, jobs.size());
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, settings.jobs); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  // What a killed run had in work may have been ending when this one began.
  if (!settings.how.groups.empty()) remove_left_cgroups(settings.how.groups);
  if (error) return *error;
  for (std::size_t at = 0; at < jobs.size(); ++at)
    if (done[at] == 0) outcome.left.push_back(jobs[at]);
  return outcome;
}

Results stored_rows(const BatchSettings& settings, const RowStore& store, const std::vector<Pick>& left) {
  Results results = without_rows(settings);
  for (const Pick pick : all_answers(settings)) {
    const bool is_left = std::any_of(left.begin(), left.end(), [&](const Pick each) {
      return each.student == pick.student && each.puzzle == pick.puzzle;
    });
    if (is_left) continue;
    if (auto row = store.find(settings.students[pick.student].id, settings.puzzles[pick.puzzle].id))
      results.add(std::move(*row));
  }
  return results;
}

}  // namespace fusebox::classroom
