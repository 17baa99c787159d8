#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/catalog/puzzle_text.h"
#include "grader/judge/cases/services.h"
#include "grader/report/report.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// Where the workbook's own rules look, and with what.
struct Workbook {
  WorkspacePaths paths;
  Services services;
  std::uint64_t seed = 0;
};

/// A budget leaves a tenth to whoever writes it a little differently; a number of launches, and nothing at
/// all, cannot.
inline constexpr double kBudgetRoom = 0.1;

/// Texts that can be read, blanks that are well formed and those of the spec, puzzles/ equal to the stripped
/// solutions/, exactly one counted case, mutants that name blanks, entries and text that exist. Compiles
/// nothing.
std::vector<Check> check_puzzle_files(const Puzzle& puzzle, const Workbook& workbook);

/// A place that `dev new` has left to the author: what stands behind the mark "WRITE:".
struct ToWrite {
  std::filesystem::path file;
  int line = 0;
  std::string what;
};
/// All of them in the puzzle's files.
std::vector<ToWrite> still_to_write(const Puzzle& puzzle, const Workbook& workbook,
                                    const std::filesystem::path& spec);

/// The stripped puzzle compiles and every entry of it is unsolved.
std::vector<Check> check_unsolved(const Puzzle& puzzle, const Workbook& workbook);

/// The solution passes, has room in every budget, and gives the same report twice; the unfused entry is
/// outside the fused budget. So does the second solution of a puzzle that has one, in solutions/optimized/:
/// not read as a lesson is, it may spend a budget to its end.
std::vector<Check> check_solutions(const Puzzle& puzzle, const Workbook& workbook);

/// What the cases, tolerances and budgets of a puzzle tell apart: how an author sees whether they are good.
struct Proof {
  /// One for each case.
  struct OfCase {
    std::string name;
    std::size_t kills = 0;           ///< mutants that fail it
    std::vector<std::string> alone;  ///< mutants that fail no other case
  };
  /// Shares of the tolerance of the element that uses most of it: 1 is the limit.
  struct OfTolerance {
    double worst_right = 0;
    std::string worst_right_case;
    double mildest_wrong = 0;  ///< of each mutant its worst case; of those the mildest
    std::string mildest_wrong_mutant;
  };
  struct OfBudget {
    std::string entry;
    Metric metric;  ///< the reference's
    double limit = 0;
    std::optional<double> nearest;  ///< the least value above the limit, of any mutant or the unfused entry
    std::string nearest_name;
  };
  std::vector<OfCase> cases;
  std::optional<OfTolerance> tolerance;
  std::vector<OfBudget> budgets;
};

/// Every mutant fails for its declared reason. `proof` becomes what that showed.
std::vector<Check> check_mutants(const Puzzle& puzzle, const Workbook& workbook, Proof& proof);

/// Lines for people.
std::string describe(const Proof& proof);

/// Ids and slugs that occur twice, files in puzzles/, solutions/, solutions/optimized/ and folders of text
/// that belong to no puzzle.
std::vector<Check> check_shelves(const Workbook& workbook);

}  // namespace fusebox
