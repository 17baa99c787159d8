#include <iterator>

#include "grader/catalog/operators/copy.h"

namespace fusebox::specs::p03_copy_in_flight {
namespace {

std::vector<Case> cases() {
  std::vector<Case> cases = copy_cases(65536);
  const auto sized = [](std::int64_t n) { return Sizes{{"N", n}}; };
  const Case more[] = {
      {"tile", "what a block does, and nothing more", sized(4096)},
      {"above_whole_tile", "a second block with one piece", sized(4100)},
      {"half_tile", "a second block whose last threads have no piece left", sized(5003)},
      {"most_of_a_tile", "a second block whose threads have two or three pieces", sized(6696)}};
  cases.insert(cases.begin(), std::begin(more), std::end(more));
  return cases;
}

/// How much is under way is no time that could be measured here, and the model's time is no ground for a
/// verdict. What can be counted is how often a warp has to wait: the reference waits once for 4 loads of 16
/// bytes a lane, and whoever waits for one such load at a time waits four times as often. Two at a time, or
/// eight floats, are enough: 32 bytes of each of 2048 threads are 64 KiB for an SM, where about 48 keep an
/// H200's memory busy.
constexpr double kBytesOfAWait = 32 * 32;

std::vector<Budget> budgets(const Case& counted) {
  std::vector<Budget> budgets = copy_budgets(counted);
  budgets.push_back({"waits", with_room(sector_bytes(size_of(counted, "N")) / kBytesOfAWait)});
  budgets.push_back({"local_requests", 0});  // what is under way is kept in registers
  return budgets;
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p03";
  puzzle.slug = "copy_in_flight";
  puzzle.title = "A copy with several loads under way";
  puzzle.chapter = "Part 1. Moving bytes";
  puzzle.cases = cases();
  puzzle.timed = copy_timed();
  puzzle.full_size = copy_full_size();
  puzzle.make = make_copy;
  puzzle.formula = copy_formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = copy_signature();
  entry.blanks = {"copy_tile", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  entry.full_size_budgets = copy_full_size_budgets();
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p03_copy_in_flight
