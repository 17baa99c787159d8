#include <algorithm>
#include <numeric>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"
#include "grader/catalog/operators/embedding.h"

namespace fusebox::specs::p26_embedding_sorted {
namespace {

constexpr std::int64_t kRepeats = 8;  // of every row in the counted case

Sizes sized(std::int64_t tokens, std::int64_t vocabulary, std::int64_t width) {
  return {{"tokens", tokens}, {"vocabulary", vocabulary}, {"width", width}};
}

std::vector<Case> cases() {
  return {
      {"one_element", "one token, one row, one column", sized(1, 1, 1), "random"},
      {"width_2", "rows shorter than a float4", sized(2, 3, 2), "random"},
      {"width_3", "a width that is no multiple of 4", sized(3, 2, 3), "random"},
      {"width_31", "a warp with one idle lane", sized(31, 7, 31), "random"},
      {"width_32", "fewer pieces of 16 bytes than lanes", sized(32, 9, 32), "random"},
      {"width_33", "one piece in the second slice", sized(33, 10, 33), "random"},
      {"width_100", "25 pieces, 32 lanes", sized(100, 31, 100), "random"},
      {"width_255", "an odd width, so that most rows start unaligned", sized(40, 11, 255), "random"},
      {"width_1028", "one piece more than 8 slices", sized(40, 6, 1028), "random"},
      {"tokens_257", "one token more than a block visits", sized(257, 13, 5), "random"},
      {"one_id", "a single id, for more tokens than a block visits", sized(300, 1, 12), "random"},
      {"all_different", "no id twice", sized(100, 300, 16), "distinct"},
      {"edge_ids", "the first and the last row of the table", sized(65, 17, 8), "edges"},
      {"repeated_ids", "one row for most tokens", sized(100, 300, 12), "repeats"},
      {"unknown_ids", "ids outside the table, some of which come back into it in 32 bits",
       sized(100, 50, 256), "unknown"},
      {"unknown_ids_odd_width", "the same where the pieces are floats", sized(40, 6, 33), "unknown"},
      {"only_unknown_ids", "a table of one row and no id that names it", sized(12, 1, 64), "only_unknown"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(50, 40, 70),
       "random",
       false,
       {{"tokens", {1, 300}}, {"vocabulary", {1, 90}}, {"width", {1, 300}}}},
      {"counted", "traffic: rows of 1 KiB, each for eight tokens", sized(2048, 512, 256), "shared", true},
  };
}

/// The ids of a case, sorted, and the token of each.
struct Visits {
  std::vector<std::int64_t> ids, order;
};

Visits draw_visits(const Case& which, Random& random) {
  const std::int64_t tokens = size_of(which, "tokens"), vocabulary = size_of(which, "vocabulary"),
                     width = size_of(which, "width");
  std::vector<std::int64_t> of_token;
  if (which.values == "shared") {
    // Different rows, each for kRepeats tokens: which ones, chance decides.
    const auto rows = draw_ids("distinct", tokens / kRepeats, vocabulary, width, random);
    const auto deal = draw_ids("distinct", tokens, tokens, width, random);
    for (const std::int64_t card : deal) of_token.push_back(rows[static_cast<std::size_t>(card / kRepeats)]);
  } else {
    of_token = draw_ids(which.values, tokens, vocabulary, width, random);
  }
  Visits visits;
  visits.order.resize(of_token.size());
  std::iota(visits.order.begin(), visits.order.end(), std::int64_t{0});
  const auto id_of = [&](std::int64_t token) { return of_token[static_cast<std::size_t>(token)]; };
  std::stable_sort(visits.order.begin(), visits.order.end(),
                   [&](std::int64_t a, std::int64_t b) { return id_of(a) < id_of(b); });
  for (const std::int64_t token : visits.order) visits.ids.push_back(id_of(token));
  return visits;
}

Tensor numbers(std::string name, const std::vector<std::int64_t>& values) {
  return input(std::move(name), DType::i32, {static_cast<std::int64_t>(values.size())},
               std::vector<double>(values.begin(), values.end()));
}

Problem make(const Case& which, Random& random) {
  const std::int64_t tokens = size_of(which, "tokens"), vocabulary = size_of(which, "vocabulary"),
                     width = size_of(which, "width");
  const Visits visits = draw_visits(which, random);
  std::vector<double> table = random.normals(vocabulary * width);

  std::vector<double> expected(static_cast<std::size_t>(tokens * width), 0.0);
  for (std::size_t i = 0; i < visits.ids.size(); ++i)
    if (visits.ids[i] >= 0 && visits.ids[i] < vocabulary)
      std::copy_n(table.begin() + visits.ids[i] * width, width, expected.begin() + visits.order[i] * width);

  const Tolerance exact{0, 0, "a copy rounds nothing"};
  Tensor rows = input("table", DType::f32, {vocabulary, width}, std::move(table));
  if (which.values == "shared") rows.used = tokens / kRepeats * width;
  if (which.values == "distinct") rows.used = tokens * width;
  return {{numbers("ids", visits.ids), numbers("order", visits.order), std::move(rows),
           output("out", DType::f32, {tokens, width}, std::move(expected), exact), int_of(which, "tokens"),
           int_of(which, "vocabulary"), int_of(which, "width")}};
}

Formula formula() {
  Formula f;
  f.axes = {
      {"token", {"tokens"}}, {"visit", {"tokens"}}, {"table row", {"vocabulary"}}, {"column", {"width"}}};
  const Term ids = tensor(f, "ids", {"visit"}), order = tensor(f, "order", {"visit"});
  const Term rows = gather(tensor(f, "table", {"table row", "column"}), ids, "table row");
  output(scatter(rows, order, "visit", "token"), "out");
  return f;
}

/// What must move, and what kernels may ask for: what a careless walk does. That reads some rows twice, since
/// runs of equal ids do not end where a warp's share does, and for each 128 bytes of a row it asks again for
/// the token's id and its place in order.
struct Bytes {
  double compulsory, requested;
};

Bytes bytes_of(const Case& which) {
  const std::int64_t tokens = size_of(which, "tokens");
  const double written = static_cast<double>(tokens) * sector_bytes(size_of(which, "width")),
               different = written / static_cast<double>(kRepeats);
  const double careless = 2 * different + written + written / 128 * 2 * sector_bytes(1);
  return {different + written + 2 * sector_bytes(tokens), careless};
}

std::vector<Budget> budgets(const Case& counted) {
  const Bytes bytes = bytes_of(counted);
  return {
      {"launches", 1},
      {"bytes.requested", bytes.requested},
      {"bytes.compulsory", with_room(bytes.compulsory)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

/// Tensors without values, but for ids and order: where rows lie decides what memory moves.
Problem arguments(const Case& which) {
  const std::int64_t tokens = size_of(which, "tokens"), vocabulary = size_of(which, "vocabulary"),
                     width = size_of(which, "width");
  Random random(1);
  const Visits visits = draw_visits(which, random);
  return {{numbers("ids", visits.ids), numbers("order", visits.order),
           shaped("table", DType::f32, {vocabulary, width}, Role::in),
           shaped("out", DType::f32, {tokens, width}, Role::out), int_of(which, "tokens"),
           int_of(which, "vocabulary"), int_of(which, "width")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p26";
  puzzle.slug = "embedding_sorted";
  puzzle.title = "Embedding lookup in sorted order";
  puzzle.chapter = "Part 7. Embeddings";
  puzzle.cases = cases();
  constexpr std::uint64_t kTokens = 65'536, kVocabulary = 65'536, kWidth = 768;
  puzzle.timed = {{{"large", "rows that are asked for again, and an out far larger than any cache",
                    sized(kTokens, kVocabulary, kWidth), "shared"},
                   4 * (kTokens / kRepeats * kWidth + kTokens * (kWidth + 2))}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments, true};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const int*, const int*, const float*, float*, int, int, int)>("embedding_sorted");
  entry.blanks = {"walk", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const Bytes full = bytes_of(puzzle.full_size->which);
  entry.full_size_budgets = full_size_budgets(full.compulsory, full.requested);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p26_embedding_sorted
