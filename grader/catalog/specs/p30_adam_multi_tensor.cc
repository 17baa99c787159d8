#include <algorithm>
#include <cmath>
#include <iterator>

#include "grader/catalog/operators/adam.h"

namespace fusebox::specs::p30_adam_multi_tensor {
namespace {

/// Tensors begin at multiples of so many parameters.
constexpr std::int64_t kAlignment = 64;

/// Where tensors lie in one allocation of `total` elements.
struct Layout {
  std::vector<std::int64_t> offsets, sizes;
  std::int64_t total = 0;
};

Layout laid_out(std::vector<std::int64_t> sizes) {
  Layout layout;
  for (const std::int64_t size : sizes) {
    layout.offsets.push_back(layout.total);
    layout.total += (size + kAlignment - 1) / kAlignment * kAlignment;
  }
  // A gap behind the last tensor too: writing past its end must be seen.
  layout.total += kAlignment;
  layout.sizes = std::move(sizes);
  return layout;
}

/// The tensors of GPT-2: two tables of embeddings, twelve for each layer, two for the last LayerNorm.
std::vector<std::int64_t> model_sizes(std::int64_t width, std::int64_t layers, std::int64_t vocabulary,
                                      std::int64_t positions) {
  std::vector<std::int64_t> sizes{vocabulary * width, positions * width};
  for (std::int64_t layer = 0; layer < layers; ++layer)
    for (const std::int64_t rows :
         {std::int64_t{1}, std::int64_t{1}, 3 * width, std::int64_t{3}, width, std::int64_t{1},
          std::int64_t{1}, std::int64_t{1}, 4 * width, std::int64_t{4}, 4 * width, std::int64_t{1}})
      sizes.push_back(rows * width);
  sizes.insert(sizes.end(), {width, width});
  return sizes;
}

/// A size of which any may come out: often next to a border, sometimes 0.
std::int64_t any_size(Random& random) {
  constexpr std::int64_t kBorders[] = {0,   1,   2, 3, 31,   32,   33,   64,   100,  255,
                                       256, 257, 0, 1, 1023, 1024, 1025, 4095, 4096, 4097};
  const auto border = static_cast<std::size_t>(random.below(std::size(kBorders)));
  return random.below(2) == 0 ? kBorders[border] : random.below(1500);
}

/// Of a case: "model" has sizes of its own; "any" draws them, and "ones" has none but 1.
Layout layout_of(const Case& which, Random& random) {
  const std::string kind = which.values.substr(0, which.values.find('/'));
  if (kind == "model")
    return laid_out(model_sizes(size_of(which, "width"), size_of(which, "layers"),
                                size_of(which, "vocabulary"), size_of(which, "positions")));
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size_of(which, "tensors")), 1);
  if (kind == "any")
    for (std::int64_t& size : sizes) size = any_size(random);
  if (kind == "borders") sizes = {1, 2, 3, 31, 32, 33, 64, 100, 255, 256, 257, 1023, 1024, 1025};
  if (kind == "chunks") sizes = {4095, 4096, 4097, 8193};
  if (kind == "empty") sizes = {0, 0, 70, 0, 1, 0, 0, 130, 0};
  // One parameter at least: without any, nothing is to be launched.
  if (std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size == 0; })) sizes.back() = 7;
  return laid_out(std::move(sizes));
}

Sizes sized(std::int64_t tensors, std::int64_t step) { return {{"tensors", tensors}, {"step", step}}; }

std::vector<Case> cases() {
  return {
      {"one_parameter", "one tensor of one parameter", sized(1, 1), "ones/fresh"},
      {"ones", "tensors of one parameter each", sized(33, 2), "ones/running"},
      {"empty_tensors", "the first, the last and some in between have no parameters", sized(9, 7),
       "empty/running"},
      {"borders", "sizes next to powers of two", sized(14, 3), "borders/running"},
      {"large_tensors", "sizes next to 4096, and several times that", sized(4, 30), "chunks/running"},
      {"first_step", "m and v are 0, the corrections largest", sized(12, 1), "any/fresh"},
      {"step_1000", "1 - beta1^step is 1 by now, 1 - beta2^step is not", sized(10, 1000), "any/running"},
      {"small_gradients", "eps: gradients of 1e-8 make it as large as the root", sized(8, 1000), "any/small"},
      {"many_tensors", "more tensors than a small table has room for", sized(400, 5), "ones/running"},
      {"drawn",
       "as many tensors as each seed draws",
       sized(20, 12),
       "any/running",
       false,
       {{"tensors", {1, 40}}, {"step", {1, 60}}}},
      {"counted",
       "traffic: the 40 tensors of a very small GPT",
       {{"width", 32}, {"layers", 3}, {"vocabulary", 100}, {"positions", 64}, {"step", 5}},
       "model/running",
       true},
  };
}

/// The tensors of one Adam step over all that is allocated, with the table of tensors in place of the count.
Problem with_table(Problem flat, const Layout& layout) {
  const auto tensors = static_cast<std::int64_t>(layout.sizes.size());
  const auto listed = [&](const char* name, const std::vector<std::int64_t>& values) {
    return host_input(name, DType::i64, {tensors}, std::vector<double>(values.begin(), values.end()));
  };
  constexpr std::size_t kCount = 4;  // behind parameters, gradients, m, v
  std::vector<Argument>& all = flat.arguments;
  all[kCount] = listed("offsets", layout.offsets);
  all.insert(all.begin() + kCount + 1, {listed("sizes", layout.sizes), static_cast<std::int32_t>(tensors)});
  return flat;
}

Problem make(const Case& which, Random& random) {
  const Layout layout = layout_of(which, random);
  const Case flat{which.name,
                  which.purpose,
                  {{"count", layout.total}, {"step", size_of(which, "step")}},
                  which.values.substr(which.values.find('/') + 1)};
  Problem problem = make_adam(flat, random);
  std::vector<bool> of_tensor(static_cast<std::size_t>(layout.total), false);
  std::int64_t used = 0;
  for (std::size_t t = 0; t < layout.sizes.size(); ++t) {
    std::fill_n(of_tensor.begin() + layout.offsets[t], layout.sizes[t], true);
    used += layout.sizes[t];
  }
  for (Argument& argument : problem.arguments)
    if (auto* tensor = std::get_if<Tensor>(&argument)) {
      tensor->used = used;
      if (tensor->role == Role::inout)
        for (std::size_t i = 0; i < of_tensor.size(); ++i)
          if (!of_tensor[i]) tensor->expected[i] = tensor->values[i];
    }
  return with_table(std::move(problem), layout);
}

/// Of a case whose sizes are fixed: 4 bytes for each parameter, in whole sectors, and the smallest number
/// of chunks that are `chunk` parameters long at most.
struct Counts {
  double tensor = 0, chunks = 0;
};
Counts counts_of(const Case& which, std::int64_t chunk) {
  Random unused(0);
  Counts counts;
  for (const std::int64_t size : layout_of(which, unused).sizes) {
    counts.tensor += sector_bytes(size);
    const std::int64_t chunks = (size + chunk - 1) / chunk;
    counts.chunks += static_cast<double>(chunks);
  }
  return counts;
}

/// A chunk may be as short as this, and an entry of a table as long; each of 8 warps asks for two sectors.
constexpr std::int64_t kShortChunk = 256;
constexpr double kEntryBytes = 32, kTableRequests = 8 * 2 * 32;

std::vector<Budget> budgets(const Case& counted) {
  const Counts counts = counts_of(counted, kShortChunk);
  const double table = kEntryBytes * counts.chunks;
  return {
      {"launches", 1},
      {"bytes.requested", 8.5 * counts.tensor + kTableRequests * counts.chunks},
      {"bytes.compulsory", with_room(7 * counts.tensor + 2 * table)},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", with_room(table)},
  };
}

/// Tensors without values, but for the table: which blocks there are follows from it.
Problem arguments(const Case& which) {
  Random unused(0);
  const Layout layout = layout_of(which, unused);
  const Case flat{which.name, which.purpose, {{"count", layout.total}, {"step", size_of(which, "step")}}};
  return with_table(adam_full_size().arguments(flat), layout);
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p30";
  puzzle.slug = "adam_multi_tensor";
  puzzle.title = "Adam over a whole model in one launch";
  puzzle.chapter = "Part 8. Optimisers";
  puzzle.cases = cases();
  const auto model = [](const char* name, const char* purpose, std::int64_t width) -> TimedCase {
    const Case which{
        name,
        purpose,
        {{"width", width}, {"layers", 12}, {"vocabulary", 50257}, {"positions", 1024}, {"step", 5}},
        "model/running"};
    return {which, static_cast<std::uint64_t>(7 * counts_of(which, 1).tensor)};
  };
  puzzle.timed = {model("gpt2_narrow", "GPT-2's 148 tensors, a third as wide", 256)};
  const TimedCase& large = puzzle.timed.front();
  puzzle.full_size = {large.which, large.min_bytes, arguments, true};
  puzzle.make = make;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(float*, const float*, float*, float*, const long*, const long*, int, float,
                                   float, float, float, int)>("adam_step");
  entry.blanks = {"step", "table", "launch"};
  entry.intermediates = {"table"};
  entry.budgets = budgets(puzzle.counted_case());
  const Counts full = counts_of(large.which, kShortChunk);
  entry.full_size_budgets = full_size_budgets(7 * full.tensor + 2 * kEntryBytes * full.chunks,
                                              7 * full.tensor + kTableRequests * full.chunks);
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p30_adam_multi_tensor
