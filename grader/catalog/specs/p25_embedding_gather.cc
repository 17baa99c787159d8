#include <algorithm>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"
#include "grader/catalog/operators/embedding.h"

namespace fusebox::specs::p25_embedding_gather {
namespace {

std::vector<Case> cases() {
  const auto sized = [](std::int64_t tokens, std::int64_t vocabulary, std::int64_t width) {
    return Sizes{{"tokens", tokens}, {"vocabulary", vocabulary}, {"width", width}};
  };
  return {
      {"one_element", "a launch of no block, or a row of no piece", sized(1, 1, 1), "random"},
      {"width_2", "rows shorter than a float4", sized(2, 3, 2), "random"},
      {"width_3", "a width that is no multiple of 4", sized(3, 5, 3), "random"},
      {"width_4", "rows of one float4", sized(31, 33, 4), "random"},
      {"width_31", "a warp with one idle lane", sized(32, 7, 31), "random"},
      {"width_32", "fewer pieces of 16 bytes than lanes", sized(33, 9, 32), "random"},
      {"width_33", "the second trip of the loop", sized(9, 100, 33), "random"},
      {"width_100", "25 pieces, 32 lanes", sized(100, 31, 100), "random"},
      {"width_255", "an odd width, so that most rows start unaligned", sized(7, 11, 255), "random"},
      {"width_1028", "one piece more than 8 trips of a warp", sized(5, 6, 1028), "random"},
      {"tokens_257", "one token more than a block has threads", sized(257, 13, 5), "random"},
      {"edge_ids", "the first and the last row of the table", sized(33, 17, 8), "edges"},
      {"repeated_ids", "one row for many tokens", sized(64, 300, 12), "repeats"},
      {"unknown_ids", "ids outside the table, some of which come back into it in 32 bits",
       sized(100, 50, 256), "unknown"},
      {"unknown_ids_odd_width", "the same where the pieces are floats", sized(40, 6, 33), "unknown"},
      {"only_unknown_ids", "a table of one row and no id that names it", sized(12, 1, 64), "only_unknown"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(50, 40, 70),
       "random",
       false,
       {{"tokens", {1, 150}}, {"vocabulary", {1, 90}}, {"width", {1, 300}}}},
      {"counted", "traffic: rows of 1 KiB, every id another one", sized(256, 512, 256), "distinct", true},
  };
}

std::vector<std::int64_t> ids_of(const Case& which, Random& random) {
  return draw_ids(which.values, size_of(which, "tokens"), size_of(which, "vocabulary"),
                  size_of(which, "width"), random);
}

Problem make(const Case& which, Random& random) {
  const std::int64_t tokens = size_of(which, "tokens"), vocabulary = size_of(which, "vocabulary");
  const std::int64_t width = size_of(which, "width");
  const std::vector<std::int64_t> ids = ids_of(which, random);
  std::vector<double> table = random.normals(vocabulary * width);

  std::vector<double> expected(static_cast<std::size_t>(tokens * width), 0.0);
  for (std::size_t token = 0; token < ids.size(); ++token)
    if (ids[token] >= 0 && ids[token] < vocabulary)
      std::copy_n(table.begin() + ids[token] * width, width,
                  expected.begin() + static_cast<std::ptrdiff_t>(token) * width);

  const Tolerance exact{0, 0, "a copy rounds nothing"};
  Tensor rows = input("table", DType::f32, {vocabulary, width}, std::move(table));
  if (which.values == "distinct") rows.used = tokens * width;
  return {{input("ids", DType::i32, {tokens}, std::vector<double>(ids.begin(), ids.end())), std::move(rows),
           output("out", DType::f32, {tokens, width}, std::move(expected), exact),
           static_cast<std::int32_t>(tokens), static_cast<std::int32_t>(vocabulary),
           static_cast<std::int32_t>(width)}};
}

Formula formula() {
  Formula f;
  f.axes = {{"token", {"tokens"}}, {"table row", {"vocabulary"}}, {"column", {"width"}}};
  output(gather(tensor(f, "table", {"table row", "column"}), tensor(f, "ids", {"token"}), "table row"),
         "out");
  return f;
}

std::vector<Budget> budgets(const Case& counted) {
  const std::int64_t tokens = size_of(counted, "tokens"), width = size_of(counted, "width");
  const double row = sector_bytes(width), sector = sector_bytes(1);
  const auto warps = static_cast<double>(tokens);
  // A warp for each token: it asks for the token's id, reads a row of the table once and writes it once.
  return {
      {"launches", 1},
      {"bytes.requested", with_room(warps * (2 * row + sector))},
      {"bytes.compulsory", with_room(2 * warps * row + sector_bytes(tokens))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

/// Tensors without values, but for the ids: where a row lies decides what memory moves.
Problem arguments(const Case& which) {
  const std::int64_t tokens = size_of(which, "tokens"), vocabulary = size_of(which, "vocabulary"),
                     width = size_of(which, "width");
  Random random(1);
  const std::vector<std::int64_t> ids = ids_of(which, random);
  return {{input("ids", DType::i32, {tokens}, std::vector<double>(ids.begin(), ids.end())),
           shaped("table", DType::f32, {vocabulary, width}, Role::in),
           shaped("out", DType::f32, {tokens, width}, Role::out), int_of(which, "tokens"),
           int_of(which, "vocabulary"), int_of(which, "width")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p25";
  puzzle.slug = "embedding_gather";
  puzzle.title = "Embedding lookup, a warp per token";
  puzzle.chapter = "Part 7. Embeddings";
  puzzle.cases = cases();
  for (const std::int64_t width : {768, 128, 32}) {
    // Rows of 3072, 512 and 128 bytes; tables of the same size, and no row asked for twice.
    const std::int64_t vocabulary = std::int64_t{50'304} * 768 / width, tokens = vocabulary / 2;
    puzzle.timed.push_back({{"row_" + std::to_string(4 * width) + "_bytes",
                             "a table far larger than any cache",
                             {{"tokens", tokens}, {"vocabulary", vocabulary}, {"width", width}},
                             "distinct"},
                            4 * static_cast<std::uint64_t>(tokens * (2 * width + 1))});
  }
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments, true};
  puzzle.make = make;
  puzzle.formula = formula;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const int*, const float*, float*, int, int, int)>("embedding_gather");
  entry.blanks = {"gather_row", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const Case& full = puzzle.full_size->which;
  const auto tokens = static_cast<double>(size_of(full, "tokens"));
  const double row = sector_bytes(size_of(full, "width"));
  entry.full_size_budgets = full_size_budgets(2 * tokens * row + sector_bytes(size_of(full, "tokens")),
                                              tokens * (2 * row + sector_bytes(1)));
  puzzle.entries = {entry};

  return puzzle;
}

}  // namespace fusebox::specs::p25_embedding_gather
