#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/classroom/answer.h"
#include "grader/classroom/roster.h"
#include "grader/classroom/row_store.h"

namespace fusebox::classroom {

/// Which rows that exist are graded again besides those that are out of date.
enum class Rerun { infra, failed, all };

struct BatchSettings {
  AnswerSettings how;
  std::filesystem::path submissions;  ///< a folder or an archive for each student, named by the id
  std::vector<Wanted> puzzles;
  bool course = false;  ///< their weights are a course's
  std::vector<Student> students;
  unsigned jobs = 1;
  Rerun rerun = Rerun::infra;
  std::string tier;                         ///< how submissions are confined here, in words
  std::string version;                      ///< of grader and puzzles: a hash
  const std::atomic<bool>* stop = nullptr;  ///< set: nothing new is begun
};

struct BatchOutcome {
  std::size_t graded = 0, kept = 0, left = 0;  ///< answers; `left`: stopped before they were begun
};

/// Grades what has no row of today's key yet, `jobs` at a time; each row is kept as soon as it is there.
/// `graded` is told of each, one call at a time. An error: a row could not be kept.
Result<BatchOutcome> run_batch(
    const BatchSettings& settings, const RowStore& store,
    const std::function<void(const Row&, std::size_t done, std::size_t all)>& graded);

}  // namespace fusebox::classroom
