#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"
#include "grader/catalog/operators/embedding.h"

namespace fusebox::specs::p27_embedding_bag {
namespace {

constexpr std::int64_t kSum = 0, kMean = 1;

Sizes sized(std::int64_t bags, std::int64_t count, std::int64_t vocabulary, std::int64_t width,
            std::int64_t mean) {
  return {{"bags", bags}, {"count", count}, {"vocabulary", vocabulary}, {"width", width}, {"mean", mean}};
}

std::vector<Case> cases() {
  return {
      {"one_element", "one bag of one id and one column", sized(1, 1, 1, 1, kSum), "random"},
      {"one_mean", "the mean of two", sized(1, 2, 3, 1, kMean), "random"},
      {"width_2", "rows shorter than a float4", sized(2, 5, 3, 2, kMean), "random"},
      {"width_3", "a width that is no multiple of 4", sized(3, 9, 5, 3, kSum), "random"},
      {"width_31", "a warp with one idle lane", sized(7, 32, 9, 31, kMean), "random"},
      {"width_32", "fewer pieces of 16 bytes than lanes", sized(8, 33, 9, 32, kMean), "random"},
      {"width_33", "the second trip of the loop over pieces", sized(9, 40, 100, 33, kSum), "random"},
      {"width_100", "25 pieces, 32 lanes", sized(10, 100, 31, 100, kMean), "random"},
      {"width_255", "an odd width, so that most rows start unaligned", sized(3, 31, 11, 255, kSum), "random"},
      {"width_1028", "one piece more than 8 trips of a warp", sized(3, 10, 6, 1028, kMean), "random"},
      {"bags_257", "one bag more than a block has threads", sized(257, 700, 13, 5, kSum), "random"},
      {"one_bag", "everything in one bag", sized(1, 255, 60, 8, kMean), "random"},
      {"bags_of_one", "every bag has one id", sized(33, 33, 50, 12, kMean), "even"},
      {"empty_bags", "more bags than ids", sized(100, 31, 40, 20, kMean), "random"},
      {"empty_at_the_ends", "the first and the last bag are empty", sized(9, 40, 40, 16, kSum), "gaps"},
      {"repeated_ids", "the same row several times in a bag", sized(5, 64, 300, 12, kSum), "repeats"},
      {"edge_ids", "the first and the last row of the table", sized(6, 33, 17, 8, kMean), "edges"},
      {"unknown_ids", "ids outside the table, some of which come back into it in 32 bits",
       sized(12, 100, 50, 256, kMean), "unknown"},
      {"unknown_ids_odd_width", "the same where the pieces are floats", sized(8, 40, 6, 33, kSum), "unknown"},
      {"only_unknown_ids", "a table of one row, of infinities, and no id that names it",
       sized(3, 12, 1, 64, kMean), "only_unknown"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(20, 100, 40, 70, kMean),
       "random",
       false,
       {{"bags", {1, 40}},
        {"count", {1, 300}},
        {"vocabulary", {1, 90}},
        {"width", {1, 300}},
        {"mean", {0, 1}}}},
      {"counted", "traffic: 64 bags of 32 different rows of 1 KiB", sized(64, 2048, 4096, 256, kSum),
       "distinct", true},
  };
}

/// Where each bag starts: of the same size for "even" and "distinct", at random places for others, which
/// leaves some empty; for "gaps" the first and the last are.
std::vector<std::int64_t> draw_offsets(const Case& which, Random& random) {
  const std::int64_t bags = size_of(which, "bags"), count = size_of(which, "count");
  std::vector<std::int64_t> offsets;
  if (which.values == "even" || which.values == "distinct") {
    for (std::int64_t bag = 0; bag < bags; ++bag) offsets.push_back(bag * count / bags);
    return offsets;
  }
  for (std::int64_t bag = 1; bag < bags; ++bag) offsets.push_back(random.below(count + 1));
  std::sort(offsets.begin(), offsets.end());
  offsets.insert(offsets.begin(), 0);
  if (which.values == "gaps") offsets[1] = 0, offsets.back() = count;
  return offsets;
}

/// The ids of a case.
std::vector<std::int64_t> ids_of(const Case& which, Random& random) {
  return draw_ids(which.values, size_of(which, "count"), size_of(which, "vocabulary"),
                  size_of(which, "width"), random);
}

/// What a pooled row is, and the magnitudes that were added up for it.
struct Pooled {
  std::vector<double> values, magnitudes;
};

Pooled pool(const std::vector<double>& table, std::int64_t vocabulary, std::int64_t width,
            const std::int64_t* first, const std::int64_t* last, bool mean) {
  const auto columns = static_cast<std::size_t>(width);
  Pooled result{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
  const double divisor = mean && last > first ? static_cast<double>(last - first) : 1;
  for (const std::int64_t* id = first; id < last; ++id) {
    if (*id < 0 || *id >= vocabulary) continue;
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = table[static_cast<std::size_t>(*id * width) + c] / divisor;
      result.values[c] += value;
      result.magnitudes[c] += std::fabs(value);
    }
  }
  return result;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t bags = size_of(which, "bags"), count = size_of(which, "count"),
                     vocabulary = size_of(which, "vocabulary"), width = size_of(which, "width");
  const std::vector<std::int64_t> ids = ids_of(which, random), offsets = draw_offsets(which, random);
  std::vector<double> table = random.normals(vocabulary * width);
  // A row that no id names may hold anything: what is read all the same and taken 0 times is no number.
  if (which.values == "only_unknown")
    std::fill(table.begin(), table.end(), std::numeric_limits<double>::infinity());

  std::vector<double> expected;
  Tolerance tolerance{
      0, 0,
      "8 + 4 sqrt(L) float roundings of what was added up: about sqrt(L) of a sum of L terms in any order, and 2 of the mean, four times over"};
  for (std::size_t bag = 0; bag < offsets.size(); ++bag) {
    const std::int64_t end = bag + 1 < offsets.size() ? offsets[bag + 1] : count;
    const Pooled row = pool(table, vocabulary, width, ids.data() + offsets[bag], ids.data() + end,
                            size_of(which, "mean") == kMean);
    const double roundings = 8 + 4 * std::sqrt(static_cast<double>(end - offsets[bag]));
    for (const double magnitude : row.magnitudes)
      tolerance.absolute = std::max(tolerance.absolute, kFloatRoundoff * roundings * magnitude);
    expected.insert(expected.end(), row.values.begin(), row.values.end());
  }

  Tensor rows = input("table", DType::f32, {vocabulary, width}, std::move(table));
  if (which.values == "distinct") rows.used = count * width;
  return {{input("ids", DType::i32, {count}, std::vector<double>(ids.begin(), ids.end())),
           input("offsets", DType::i32, {bags}, std::vector<double>(offsets.begin(), offsets.end())),
           std::move(rows), output("out", DType::f32, {bags, width}, std::move(expected), tolerance),
           int_of(which, "bags"), int_of(which, "count"), int_of(which, "vocabulary"), int_of(which, "width"),
           int_of(which, "mean")}};
}

const Curve kOne{"one", "1", [](double) { return 1.0; }};
const Curve kAtLeastOne{"one at least", "max({}, 1)", [](double v) { return std::max(v, 1.0); }};

Formula formula() {
  Formula f;
  f.axes = {{"bag", {"bags"}}, {"id", {"count"}}, {"table row", {"vocabulary"}}, {"column", {"width"}}};
  const Term ids = tensor(f, "ids", {"id"}), starts = tensor(f, "offsets", {"bag"});
  const Term rows = gather(tensor(f, "table", {"table row", "column"}), ids, "table row");
  const Term length = pool(apply(kOne, ids), starts, "id").named("the number of ids in the bag");
  // A sum is divided by max(length, 1)^0.
  const Term divisor = power(apply(kAtLeastOne, length), number(f, "mean")).named("the divisor");
  output(pool(rows, starts, "id") / divisor, "out");
  return f;
}

/// What must move, and what warps may ask for: a warp that takes 32 floats of a row at a time reads the id,
/// and both ends of its bag, for each of them.
struct Bytes {
  double compulsory, requested;
};

Bytes bytes_of(const Case& which) {
  const std::int64_t bags = size_of(which, "bags"), count = size_of(which, "count"),
                     width = size_of(which, "width");
  const double row = sector_bytes(width), sector = sector_bytes(1);
  const double looked_up = static_cast<double>(count), made = static_cast<double>(bags),
               warps_per_row = std::ceil(static_cast<double>(width) / 32);
  return {looked_up * row + made * row + sector_bytes(count) + sector_bytes(bags),
          looked_up * (row + warps_per_row * sector) + made * (row + 2 * warps_per_row * sector)};
}

std::vector<Budget> budgets(const Case& counted) {
  const Bytes bytes = bytes_of(counted);
  return {
      {"launches", 1},
      {"bytes.requested", with_room(bytes.requested)},
      {"bytes.compulsory", with_room(bytes.compulsory)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

/// Tensors without values, but for ids and offsets: which rows are read decides what memory moves.
Problem arguments(const Case& which) {
  const std::int64_t bags = size_of(which, "bags"), count = size_of(which, "count"),
                     vocabulary = size_of(which, "vocabulary"), width = size_of(which, "width");
  Random random(1);
  const std::vector<std::int64_t> ids = ids_of(which, random), offsets = draw_offsets(which, random);
  return {{input("ids", DType::i32, {count}, std::vector<double>(ids.begin(), ids.end())),
           input("offsets", DType::i32, {bags}, std::vector<double>(offsets.begin(), offsets.end())),
           shaped("table", DType::f32, {vocabulary, width}, Role::in),
           shaped("out", DType::f32, {bags, width}, Role::out), int_of(which, "bags"), int_of(which, "count"),
           int_of(which, "vocabulary"), int_of(which, "width"), int_of(which, "mean")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p27";
  puzzle.slug = "embedding_bag";
  puzzle.title = "Embedding bags, gathered and pooled at once";
  puzzle.chapter = "Part 7. Embeddings";
  puzzle.cases = cases();
  constexpr std::uint64_t kBags = 8192, kPerBag = 32, kWidth = 256, kVocabulary = 524'288;
  puzzle.timed = {{{"large", "a table far larger than any cache",
                    sized(kBags, kBags * kPerBag, kVocabulary, kWidth, kSum), "distinct"},
                   4 * (kBags * kPerBag * (kWidth + 1) + kBags * (kWidth + 1))}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments, true};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const int*, const int*, const float*, float*, int, int, int, int, int)>("embedding_bag");
  entry.blanks = {"pool_bag", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p27_embedding_bag
