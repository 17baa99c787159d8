#include "grader/classroom/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "grader/classroom/ingest.h"
#include "grader/toolchain/sha256.h"

namespace fusebox::classroom {
namespace {

using Clock = std::chrono::steady_clock;

struct Job {
  const Student* student = nullptr;
  const Wanted* puzzle = nullptr;
};

std::string key_of(const BatchSettings& settings, const Job& job, const Handed& handed) {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", settings.version, settings.how.seed, settings.tier,
                                settings.how.seconds, job.puzzle->id,
                                handed.text ? sha256_hex(*handed.text) : handed.why));
}

bool stands(const Row& row, const std::string& key, Rerun rerun) {
  if (row.key != key || row.verdict == Verdict::infra_error) return false;
  return rerun == Rerun::infra || (rerun == Rerun::failed && row.verdict == Verdict::pass);
}

Row make_row(const BatchSettings& settings, const Job& job, const Handed& handed, std::size_t number) {
  const auto begin = Clock::now();
  Row row;
  if (!handed.text) {
    row.verdict = handed.machine ? Verdict::infra_error : Verdict::invalid_submission;
    row.text = handed.why;
  } else {
    const std::string desk = std::to_string(number);
    GradedAnswer graded = grade_answer(settings.how, *job.puzzle, *handed.text, desk);
    // Once more before it is the student's: the machine may have been busy.
    if (graded.timed_out) {
      graded = grade_answer(settings.how, *job.puzzle, *handed.text, desk);
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

Result<BatchOutcome> run_batch(const BatchSettings& settings, const RowStore& store,
                               const std::function<void(const Row&, std::size_t, std::size_t)>& graded) {
  BatchOutcome outcome;
  std::vector<Job> jobs;
  for (const Student& student : settings.students)
    for (const Wanted& puzzle : settings.puzzles) jobs.push_back({&student, &puzzle});
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> error;
  const auto work = [&] {
    for (std::size_t at; (at = next++) < jobs.size();) {
      if (settings.stop != nullptr && *settings.stop) return;
      const Job& job = jobs[at];
      const Handed handed =
          take_handed(settings.submissions, job.student->id, job.puzzle->file_name,
                      {settings.how.unpacker, settings.how.scratch / fmt::format("unpack-{}", at)});
      const std::string key = key_of(settings, job, handed);
      auto before = store.find(job.student->id, job.puzzle->id);
      const bool fresh = !before || !stands(*before, key, settings.rerun);
      std::optional<Row> row;
      if (fresh) row = make_row(settings, job, handed, at);
      const std::lock_guard lock(mutex);
      if (error) return;
      if (!fresh) {
        ++outcome.kept;
        continue;
      }
      row->key = key;
      error = store.keep(*row);
      if (error) return;
      ++outcome.graded;
      if (graded) graded(*row, outcome.graded + outcome.kept, jobs.size());
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, settings.jobs); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (error) return *error;
  outcome.left = jobs.size() - outcome.graded - outcome.kept;
  return outcome;
}

}  // namespace fusebox::classroom
