#include "grader/catalog/build.h"
#include "grader/catalog/specs/all.h"

namespace fusebox::specs {
namespace {

// What a wrong kernel gets wrong decides which sizes belong here.  WRITE: cases that tell right from wrong
std::vector<Case> cases() {
  const auto sized = [](std::int64_t n) { return Sizes{{"N", n}}; };
  return {
      {"single", "one element, one thread with work", sized(1)},
      {"below_warp", "the last lane of a warp has nothing to do", sized(31)},
      {"above_block", "one element above a block of 256", sized(257)},
      {"counted", "large enough to count", sized(65536), "normal", true},
  };
}

// Inputs, and the answers in double.  WRITE: the operation's own tensors, oracle and error model
Problem make(const Case& which, Random& random) {
  const std::int64_t n = size_of(which, "N");
  const std::vector<double> x = random.normals(n);
  const Tolerance exact{0, 0, "a copy rounds nothing"};
  return {{input("x", DType::f32, {n}, x), output("out", DType::f32, {n}, x, exact), int_of(which, "N")}};
}

// Out of the counted case's sizes, never typed by hand.  WRITE: what the operation must not cost more than
std::vector<Budget> budgets(const Case& counted) {
  const double tensor = sector_bytes(size_of(counted, "N"));
  return {
      {"launches", 1, "One kernel is enough."},
      {"bytes.compulsory", with_room(2 * tensor), "Read x once, write out once."},
      {"bytes.requested", with_room(2 * tensor), "Let neighbouring lanes touch neighbouring elements."},
  };
}

}  // namespace

Puzzle @ID @_ @SLUG @() {
  Puzzle puzzle;
  puzzle.id = "@ID@";
  puzzle.slug = "@SLUG@";
  puzzle.title = "@TITLE@";
  puzzle.chapter = "Part 12. Puzzles of our own";  // WRITE: the part of the book that it belongs to
  puzzle.cases = cases();
  puzzle.make = make;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int)>("@SLUG@");
  entry.blanks = {"body"};
  entry.budgets = budgets(puzzle.counted_case());
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs
