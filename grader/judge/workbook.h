#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/judge/services.h"
#include "grader/report/report.h"

namespace fusebox {

/// Where the workbook's own rules look, and with what.
struct Workbook {
  std::filesystem::path puzzles, solutions, lessons;
  std::filesystem::path beyond() const { return solutions / "beyond"; }
  Services services;
  std::uint64_t seed = 0;
};

/// A budget leaves a tenth to whoever writes it a little differently; a number of launches, and nothing at
/// all, cannot.
inline constexpr double kBudgetRoom = 0.1;

/// Three hints, a lesson, blanks that are well formed and those of the spec, puzzles/ equal to the stripped
/// solutions/, exactly one counted case, mutants that name blanks and entries that exist. Compiles nothing.
std::vector<Check> check_puzzle_files(const Puzzle& puzzle, const Workbook& workbook);

/// The stripped puzzle compiles and every entry of it is unsolved.
std::vector<Check> check_unsolved(const Puzzle& puzzle, const Workbook& workbook);

/// The second solution of a puzzle that has one, in solutions/beyond/: passes too. Not read as a lesson is,
/// it may spend a budget to its end.
std::vector<Check> check_beyond(const Puzzle& puzzle, const Workbook& workbook);

/// The solution passes, has room in every budget, and gives the same report twice; the unfused entry is
/// outside the fused budget.
std::vector<Check> check_solution(const Puzzle& puzzle, const Workbook& workbook);

/// Every mutant fails for its declared reason.
std::vector<Check> check_mutants(const Puzzle& puzzle, const Workbook& workbook);

/// Ids and slugs that occur twice, files in puzzles/, solutions/ and
/// solutions/beyond/ that belong to no puzzle.
std::vector<Check> check_shelves(const Workbook& workbook);

}  // namespace fusebox
