#include "grader/catalog/operators/copy.h"
#include "grader/report/hardware.h"

namespace fusebox::specs::p02_copy_vectorized {
namespace {

constexpr std::int64_t kFloatsOfAPiece = 4;

/// x [first + N], of which the last N are copied.
Problem make(const Case& which, Random& random) {
  const std::int64_t first = size_of(which, "first"), n = size_of(which, "N");
  std::vector<double> x = draw_to_copy(which.values, first + n, random);
  std::vector<double> expected(x.begin() + first, x.end());
  Tensor in = input("x", DType::f32, {first + n}, std::move(x));
  in.used = n;
  return {{std::move(in), output("out", DType::f32, {n}, std::move(expected), exactly_the_same()), first, n}};
}

Formula formula() {
  Formula f;
  f.axes = {{"element", {"N"}}};
  output(part(f, "x", "x", {{"element", 1, {}}, {"", 1, {"first"}}}), "out");
  return f;
}

Problem arguments(const Case& which) {
  const std::int64_t first = size_of(which, "first"), n = size_of(which, "N");
  return {
      {shaped("x", DType::f32, {first + n}, Role::in), shaped("out", DType::f32, {n}, Role::out), first, n}};
}

std::vector<Case> cases() {
  const auto sized = [](std::int64_t first, std::int64_t n) { return Sizes{{"first", first}, {"N", n}}; };
  return {
      {"single", "one element: no whole piece", sized(0, 1)},
      {"pair", "two elements: no whole piece", sized(0, 2)},
      {"three", "three elements: no whole piece", sized(0, 3)},
      {"piece", "one whole piece", sized(0, 4)},
      {"five", "one whole piece and an element", sized(4, 5)},
      {"below_warp", "seven pieces and three elements", sized(0, 31)},
      {"warp", "32 elements are 8 pieces", sized(8, 32)},
      {"above_warp", "one element above a warp", sized(0, 33)},
      {"hundred", "25 pieces, 32 lanes", sized(100, 100)},
      {"below_block", "three elements behind the last piece", sized(0, 255)},
      {"above_block", "one element more than a block has threads", sized(0, 257)},
      {"from_1", "a slice that starts 4 bytes behind a multiple of 16", sized(1, 1000)},
      {"from_2", "a slice that starts 8 bytes behind a multiple of 16", sized(2, 1000)},
      {"from_3", "a slice that starts 12 bytes behind a multiple of 16", sized(3, 1001)},
      {"from_1_short", "a slice of less than 16 bytes that no piece fits", sized(1, 3)},
      {"above_tile", "one element above what a block does in four rounds", sized(4, 4097)},
      {"long_tail", "many blocks, unaligned, and a last one that is nearly empty", sized(6, 20483)},
      {"extremes", "zeros of both signs, subnormal and very large numbers", sized(4, 602), "extremes"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(5, 3000),
       "normal",
       false,
       {{"first", {0, 9}}, {"N", {1, 9000}}}},
      {"counted", "aligned, and large enough to count", sized(1024, 65536), "normal", true},
  };
}

std::vector<Budget> budgets(const Case& counted) {
  const std::int64_t n = size_of(counted, "N"), requests = n / (kFloatsOfAPiece * kWarpSize);
  const double tensor = sector_bytes(n);
  return {
      {"launches", 1},
      {"bytes.compulsory", with_room(2 * tensor)},
      {"bytes.requested", with_room(2 * tensor)},
      // A load and a store for each 512 bytes: 32 lanes of 16.
      {"requests", with_room(2 * static_cast<double>(requests))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p02";
  puzzle.slug = "copy_vectorized";
  puzzle.title = "A copy in pieces of 16 bytes";
  puzzle.chapter = "Part 1. Moving bytes";
  puzzle.cases = cases();
  Case large = copy_timed().front().which;
  large.sizes["first"] = size_of(puzzle.counted_case(), "first");
  puzzle.timed = {{large, copy_timed().front().min_bytes}};
  puzzle.full_size = {large, copy_timed().front().min_bytes, arguments};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, long, long)>("copy_slice");
  entry.blanks = {"alignment", "copy_pieces"};
  entry.budgets = budgets(puzzle.counted_case());
  entry.full_size_budgets = copy_full_size_budgets();
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p02_copy_vectorized
