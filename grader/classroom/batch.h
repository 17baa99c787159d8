#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/classroom/answer.h"
#include "grader/classroom/formats/roster.h"
#include "grader/classroom/ingest.h"
#include "grader/classroom/results/results.h"
#include "grader/classroom/results/row_store.h"

namespace fusebox::classroom {

/// Which rows that exist are graded again besides those that are out of date.
enum class Rerun { infra, failed, all };

/// One answer of a class: places in BatchSettings::students and ::puzzles.
struct Pick {
  std::size_t student = 0, puzzle = 0;
};

struct BatchSettings {
  AnswerSettings how;
  std::filesystem::path submissions;  ///< a folder or an archive for each student, named by the id
  std::vector<Wanted> puzzles;
  bool course = false;  ///< their weights are a course's
  std::vector<Student> students;
  std::optional<std::vector<Pick>> only;  ///< of the class, these answers alone
  unsigned jobs = 1;
  Rerun rerun = Rerun::infra;
  std::string tier;                         ///< how submissions are confined here, in words
  std::string version;                      ///< of grader and puzzles: a hash
  const std::atomic<bool>* stop = nullptr;  ///< set: nothing new is begun
};

/// The class's students, puzzles and weights; nothing is graded yet.
Results without_rows(const BatchSettings& settings);
/// All answers of a class, student after student.
std::vector<Pick> all_answers(const BatchSettings& settings);
/// What the submissions hold of one answer now.
Handed handed_in(const BatchSettings& settings, Pick pick);
/// Of what was handed in: a hash of the text, or why there is none.
std::string digest_of(const Handed& handed);
/// The key of a row: of everything that its verdict depends on, its confinement among it.
std::string row_key(const BatchSettings& settings, const std::string& tier, const Wanted& puzzle,
                    const std::string& digest);

struct BatchOutcome {
  std::size_t graded = 0, kept = 0;  ///< answers
  std::vector<Pick> left;            ///< stopped before they were done: what the store has of them is old
};

/// Grades what has no row of today's key yet, `jobs` at a time; each row is kept as soon as it is there.
/// `graded` is told of each, one call at a time. An error: a row could not be kept.
Result<BatchOutcome> run_batch(
    const BatchSettings& settings, const RowStore& store,
    const std::function<void(const Row&, std::size_t done, std::size_t all)>& graded);

/// The rows that the store has of the class, but for the answers that are left.
Results stored_rows(const BatchSettings& settings, const RowStore& store, const std::vector<Pick>& left = {});

}  // namespace fusebox::classroom
