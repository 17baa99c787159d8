#include "grader/catalog/operators/trimat.h"

#include <algorithm>
#include <cmath>

#include "grader/catalog/operators/product.h"
#include "grader/report/hardware.h"

namespace fusebox {
namespace {

struct Shape {
  std::int64_t batch, positions, heads, channels;
  std::int64_t pitch() const { return 3 * heads * channels; }
  std::int64_t matrices() const { return batch * heads; }
};

Shape shape_of(const Case& which) {
  return {size_of(which, "B"), size_of(which, "T"), size_of(which, "NH"), size_of(which, "HS")};
}

/// What scores should be, how large the terms of the worst of them are, and which of them are not compared.
struct Scores {
  std::vector<double> values;
  std::vector<bool> overlooked;
  double largest = 0;
};

Scores scores_of(const std::vector<double>& qkv, const Shape& s) {
  const std::int64_t square = s.positions * s.positions;
  const double scale = 1 / std::sqrt(static_cast<double>(s.channels));
  Scores scores;
  scores.values.resize(static_cast<std::size_t>(s.matrices() * square));
  scores.overlooked.resize(scores.values.size(), true);
  for (std::int64_t matrix = 0; matrix < s.matrices(); ++matrix) {
    const double* q = &qkv[static_cast<std::size_t>(matrix / s.heads * s.positions * s.pitch() +
                                                    matrix % s.heads * s.channels)];
    const double* k = q + s.heads * s.channels;
    for (std::int64_t i = 0; i < s.positions; ++i)
      for (std::int64_t j = 0; j <= i; ++j) {
        double sum = 0, magnitude = 0;
        for (std::int64_t c = 0; c < s.channels; ++c) {
          const double term = q[i * s.pitch() + c] * k[j * s.pitch() + c];
          sum += term, magnitude += std::fabs(term);
        }
        const auto at = static_cast<std::size_t>(matrix * square + i * s.positions + j);
        scores.values[at] = sum * scale;
        scores.overlooked[at] = false;
        scores.largest = std::max(scores.largest, magnitude * scale);
      }
  }
  return scores;
}

std::vector<Argument> sizes_behind(std::vector<Argument> tensors, const Case& which) {
  for (const char* size : {"B", "T", "NH", "HS"}) tensors.push_back(int_of(which, size));
  return tensors;
}

Problem make(const Case& which, Random& random) {
  const Shape s = shape_of(which);
  const auto values = random.normals(s.batch * s.positions * s.pitch());
  Scores scores = scores_of(values, s);
  Tensor qkv = input("qkv", DType::f32, {s.batch, s.positions, 3, s.heads, s.channels}, values);
  qkv.used = qkv.count() / 3 * 2;  // v is not read
  Tensor out = output(
      "out", DType::f32, {s.batch, s.heads, s.positions, s.positions}, scores.values,
      {dot_error(scores.largest), 0,
       "8 float roundings of the largest sum of |terms|, divided by sqrt(HS): of thousands of sums the worst needs about 3"});
  out.overlooked = std::move(scores.overlooked);
  return {sizes_behind({qkv, out}, which)};
}

Formula formula() {
  Formula f;
  f.axes = {{"batch", {"B"}}, {"head", {"NH"}}, {"query", {"T"}}, {"key", {"T"}}, {"channel", {"HS"}}};
  const auto steps = [](const char* position) {
    return std::vector<Node::Step>{{"batch", 3, {"T", "NH", "HS"}},
                                   {position, 3, {"NH", "HS"}},
                                   {"head", 1, {"HS"}},
                                   {"channel", 1, {}}};
  };
  auto behind_queries = steps("key");
  behind_queries.push_back({"", 1, {"NH", "HS"}});
  const Term q = part(f, "q", "qkv", steps("query")), k = part(f, "k", "qkv", std::move(behind_queries));
  output(sum(q * k, "channel") / apply(kSquareRoot, number(f, "HS")), "out");
  return f;
}

/// Tensors alone, without values.
Problem arguments(const Case& which) {
  const Shape s = shape_of(which);
  return {sizes_behind({shaped("qkv", DType::f32, {s.batch, s.positions, 3, s.heads, s.channels}, Role::in),
                        shaped("out", DType::f32, {s.batch, s.heads, s.positions, s.positions}, Role::out)},
                       which)};
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t b, std::int64_t t, std::int64_t nh, std::int64_t hs) {
    return Sizes{{"B", b}, {"T", t}, {"NH", nh}, {"HS", hs}};
  };
  return {
      {"single", "one position, which looks at itself alone", sizes(1, 1, 1, 4)},
      {"pair", "three results, and one that nobody looks at", sizes(1, 2, 1, 8)},
      {"below_square", "not one whole square of 8 x 8", sizes(2, 7, 2, 4)},
      {"above_square", "a row and a column beyond the first square", sizes(1, 9, 2, 12)},
      {"wide_head", "many channels, no multiple of 32", sizes(1, 20, 1, 100)},
      {"below_warp", "rows that start at odd addresses", sizes(1, 31, 3, 16)},
      {"two_sequences", "each batch and each head has its own rows", sizes(3, 33, 2, 8)},
      {"hundred", "sizes that nothing divides but 4", sizes(1, 100, 3, 36)},
      {"one_tile", "exactly one tile of 128", sizes(1, 128, 1, 32)},
      {"above_tile", "a second tile with one row in it", sizes(1, 129, 1, 20)},
      {"odd", "two tiles, the second not full, in rows at odd addresses", sizes(1, 255, 2, 4)},
      {"large", "several tiles of positions, and of channels", sizes(1, 140, 1, 68)},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(2, 90, 2, 12),
       "normal",
       false,
       {{"B", {1, 2}}, {"T", {1, 150}}, {"NH", {1, 3}}}},
      {"counted", "whole tiles, several in each direction", sizes(1, 512, 2, 32), "normal", true},
  };
}

constexpr double kFloat = 4;
constexpr std::int64_t kAcross = 16;            // threads of a square in each direction
constexpr double kRowsOfWarp = 32.0 / kAcross;  // a warp has two rows of them

/// Warps of threads with side x side results each.
double warps(const Case& which, std::int64_t side) {
  return trimat_results(which, side) / (kWarpSize * static_cast<double>(side * side));
}

}  // namespace

double trimat_results(const Case& which, std::int64_t side) {
  const Shape s = shape_of(which);
  return static_cast<double>(s.matrices() * s.positions * (s.positions + side)) / 2;
}

double trimat_flops(const Case& which, std::int64_t side) {
  return (2 * static_cast<double>(size_of(which, "HS")) + 1) * trimat_results(which, side);
}

double trimat_compulsory(const Case& which, std::int64_t side) {
  const Shape s = shape_of(which);
  return sector_bytes(s.batch * s.positions * s.pitch() / 3 * 2) + kFloat * trimat_results(which, side);
}

double trimat_requests(const Case& which, TrimatThreads threads) {
  const auto side = static_cast<double>(threads.side), step = static_cast<double>(threads.step);
  const double loads = 2 * side * static_cast<double>(size_of(which, "HS")) / step;
  return warps(which, threads.side) * (loads + side * side / step);
}

double trimat_requested(const Case& which, TrimatThreads threads) {
  const auto side = static_cast<double>(threads.side), step = static_cast<double>(threads.step);
  // Each load of a row is a sector of its own; a store leaves `side` results between two lanes.
  const double loads = side * (kRowsOfWarp + kAcross) * static_cast<double>(size_of(which, "HS")) / step;
  const double apart = std::min<double>(kSectorBytes, kFloat * side) / kSectorBytes;
  const double stores = side * side / step * kWarpSize * apart;
  return warps(which, threads.side) * kSectorBytes * (loads + stores);
}

double trimat_requested_alone(const Case& which) {
  const double loads = (1 + kWarpSize) * static_cast<double>(size_of(which, "HS"));
  return trimat_results(which, kAcross * 2) / kWarpSize * kSectorBytes *
         (loads + kWarpSize * kFloat / kSectorBytes);
}

double trimat_requested_tiled(const Case& which, std::int64_t tile) {
  const auto side = static_cast<double>(tile);
  const double a_result = 2 * static_cast<double>(size_of(which, "HS")) / side + 1;
  return kFloat * trimat_results(which, tile) * a_result;
}

Puzzle trimat_step(std::vector<std::string> blanks) {
  constexpr std::int64_t kTile = 128;  // whole tiles on the diagonal are right, too
  Puzzle puzzle;
  puzzle.cases = cases();
  const Case& counted = puzzle.counted_case();
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int, int, int, int)>("trimat");
  entry.blanks = std::move(blanks);
  entry.budgets = {
      {"launches", 1},
      {"intermediate_bytes", 0},
      {"flops", with_room(trimat_flops(counted, kTile))},
      // Tensor cores make a product of floats of three: of the parts in which they take them.
      {"matrix_flops", with_room(3 * trimat_flops(counted, kTile))},
      {"bytes.compulsory", with_room(trimat_compulsory(counted, kTile))},
  };
  const auto sized = [](std::int64_t heads) {
    return Sizes{{"B", 1}, {"T", 1024}, {"NH", heads}, {"HS", 64}};
  };
  // What all steps can be simulated at within seconds; on a GPU, all heads of a layer.
  const Case full{"large", "some heads of a layer", sized(4)},
      layer{"layer", "a layer of a small model", sized(12)};
  const auto least = [](const Case& which) {
    return static_cast<std::uint64_t>(trimat_compulsory(which, 1));
  };
  puzzle.timed = {{layer, least(layer)}};
  puzzle.full_size = {full, least(full), arguments, true};
  puzzle.entries = {entry};
  puzzle.make = make;
  puzzle.formula = formula;
  return puzzle;
}

}  // namespace fusebox
