#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/classroom/roster.h"
#include "grader/classroom/row.h"
#include "grader/classroom/row_store.h"

namespace fusebox::classroom {

/// Which rows that exist are graded again besides those that are out of date.
enum class Rerun { infra, failed, all };

/// A puzzle as a batch sees it.
struct Wanted {
  std::string id;         ///< "p20"
  std::string file_name;  ///< that a student hands in
};

struct BatchSettings {
  std::filesystem::path grader, root;  ///< the program that grades one file, and its checkout
  std::filesystem::path cache;         ///< of compiled files: written by the program
  std::filesystem::path submissions;   ///< a folder for each student, named by the id
  std::filesystem::path scratch;       ///< private to this run, and gone after it
  std::vector<Wanted> puzzles;
  std::vector<Student> students;
  std::uint64_t seed = 0;
  double row_seconds = 900;  ///< by the clock, after which a row has no verdict
  unsigned jobs = 1;
  Rerun rerun = Rerun::infra;
  std::string tier;                         ///< how submissions are confined here, in words
  std::string version;                      ///< of grader and puzzles: a hash
  const std::atomic<bool>* stop = nullptr;  ///< set: nothing new is begun
};

/// How submissions are confined on this machine, in words; empty: by limits alone.
std::string confinement_tier();

/// Attacks that the confinement must withstand, tried for real with the first puzzle's reference as their
/// carrier: the compiler reading another file, the host function reading and writing one. An error says which
/// got through.
std::optional<Error> try_canaries(const BatchSettings& settings);

struct BatchOutcome {
  std::vector<Row> rows;  ///< of every student and puzzle that has one, by student, then puzzle
  std::size_t graded = 0, kept = 0, left = 0;
};

/// Grades what has no row of today's key yet, `jobs` at a time; each row is kept as soon as it is there.
/// `graded` is told of each, one call at a time. An error: a row could not be kept.
Result<BatchOutcome> run_batch(
    const BatchSettings& settings, const RowStore& store,
    const std::function<void(const Row&, std::size_t done, std::size_t all)>& graded);

}  // namespace fusebox::classroom
