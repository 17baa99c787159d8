#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/recompute/recompute.h"

/// Slips of kernels that work in tiles, written as such kernels are: the finder is not asked to recognise its
/// own changes.
namespace fusebox::patterns {
namespace {

using testing::HasSubstr;

/// y = (x - mean) / sqrt(variance + 0.1) * gamma + beta, and out = y times weight + bias.
struct Layer {
  std::int64_t rows, hidden, outputs;
  std::vector<double> x, gamma, beta, weight, bias;
  Layer(std::int64_t m, std::int64_t h, std::int64_t o, Random& random)
      : rows(m),
        hidden(h),
        outputs(o),
        x(random.normals(m * h, 0.5, 1)),
        gamma(random.normals(h, 1, 0.3)),
        beta(random.normals(h)),
        weight(random.normals(o * h)),
        bias(random.normals(o)) {}
};

Formula layer_of_test() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"output", {"O"}}, {"h", {"H"}}};
  f.floats = {"eps"};
  const Term x = tensor(f, "x", {"row", "h"}), n = number(f, "H");
  const Term mean = (sum(x, "h") / n).named("mean");
  const Term variance = (sum(apply(kSquare, x - mean), "h") / n).named("variance");
  const Term y = ((x - mean) / apply(kSquareRoot, variance + number(f, "eps")) * tensor(f, "gamma", {"h"}) +
                  tensor(f, "beta", {"h"}))
                     .named("y");
  const Term product = sum(y * tensor(f, "weight", {"output", "h"}), "h").named("product");
  output(product + tensor(f, "bias", {"output"}), "out");
  return f;
}

enum class Slip {
  none,
  lanes_apart,       ///< the parts of the mean are not added up
  padding_counted,   ///< the variance counts the padding's zeros
  four_a_thread,     ///< and those that each of 32 threads takes for its missing ones of four
  divided_by_width,  ///< the mean and the variance are
  lane_indexes,      ///< gamma and beta are taken from the lane
  pitch,             ///< rows of y are read H apart
  extents,           ///< the weight's are exchanged
  bias_each_tile,
  not_begun  ///< sums go on over tiles of outputs
};

constexpr std::int64_t kTile = 32;

std::vector<double> normalized(const Layer& layer, Slip slip, std::int64_t width) {
  std::vector<double> y(static_cast<std::size_t>(((layer.rows + kTile - 1) / kTile * kTile + 1) * width), 0);
  const auto h_count = static_cast<std::size_t>(layer.hidden);
  const auto divisor = static_cast<double>(slip == Slip::divided_by_width ? width : layer.hidden);
  for (std::size_t r = 0; r < static_cast<std::size_t>(layer.rows); ++r) {
    const double* x = &layer.x[r * h_count];
    double parts[kTile] = {}, all = 0;
    for (std::size_t h = 0; h < h_count; ++h) parts[h % kTile] += x[h], all += x[h];
    const auto mean = [&](std::size_t h) {
      return (slip == Slip::lanes_apart ? parts[h % kTile] : all) / divisor;
    };
    double squares = 0;
    const std::size_t rest = h_count % (4 * kTile),
                      taken = h_count - rest + 4 * std::min<std::size_t>(rest, kTile);
    const auto counted = slip == Slip::padding_counted ? static_cast<std::size_t>(width)
                         : slip == Slip::four_a_thread ? taken
                                                       : h_count;
    for (std::size_t h = 0; h < counted; ++h) squares += std::pow((h < h_count ? x[h] : 0) - mean(h), 2);
    for (std::size_t h = 0; h < h_count; ++h) {
      const std::size_t k = slip == Slip::lane_indexes ? h % kTile : h;
      y[r * static_cast<std::size_t>(width) + h] =
          (x[h] - mean(h)) / std::sqrt(squares / divisor + 0.1) * layer.gamma[k] + layer.beta[k];
    }
  }
  return y;
}

std::vector<double> out_of(const Layer& layer, Slip slip) {
  const std::int64_t width = (layer.hidden + kTile - 1) / kTile * kTile,
                     pitch = slip == Slip::pitch ? layer.hidden : width;
  const auto y = normalized(layer, slip, width);
  const auto weight = [&](std::int64_t o, std::int64_t h) {
    const bool turned = slip == Slip::extents;
    const std::int64_t rows = turned ? layer.hidden : layer.outputs,
                       columns = turned ? layer.outputs : layer.hidden;
    return o < rows && h < columns ? layer.weight[static_cast<std::size_t>(o * columns + h)] : 0.0;
  };
  std::vector<double> out(static_cast<std::size_t>(layer.rows * layer.outputs));
  for (std::int64_t r = 0; r < layer.rows; ++r) {
    const double* tile = &y[static_cast<std::size_t>(r / kTile * kTile * width)];
    std::vector<double> sums(kTile, 0);  // of one thread each
    for (std::int64_t o = 0; o < layer.outputs; ++o) {
      double& sum = sums[static_cast<std::size_t>(o % kTile)];
      if (slip != Slip::not_begun) sum = 0;
      for (std::int64_t h = 0; h < width; ++h) {
        if (h < layer.hidden) sum += tile[r % kTile * pitch + h] * weight(o, h);
        if (slip == Slip::bias_each_tile && h % kTile == 0 && h > 0)
          sum += layer.bias[static_cast<std::size_t>(o)];
      }
      out[static_cast<std::size_t>(r * layer.outputs + o)] = sum + layer.bias[static_cast<std::size_t>(o)];
    }
  }
  return out;
}

CaseOutputs case_of(const Layer& layer, Slip slip) {
  CaseOutputs made;
  made.bindings.tensors = {{"x", layer.x},
                           {"gamma", layer.gamma},
                           {"beta", layer.beta},
                           {"weight", layer.weight},
                           {"bias", layer.bias}};
  made.bindings.lengths = {{"row", layer.rows}, {"output", layer.outputs}, {"h", layer.hidden}};
  made.bindings.numbers = {{"M", static_cast<double>(layer.rows)},
                           {"O", static_cast<double>(layer.outputs)},
                           {"H", static_cast<double>(layer.hidden)},
                           {"eps", 0.1}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out;
  out.tensor.shape = {layer.rows, layer.outputs};
  out.tensor.tolerance = {2e-5, 2e-6, ""};
  out.tensor.expected = out_of(layer, Slip::none);
  for (const double v : out_of(layer, slip)) out.got.push_back(static_cast<float>(v));
  for (std::size_t i = 0; i < out.got.size(); ++i)
    made.wrong |= std::abs(out.got[i] - out.tensor.expected[i]) > 1e-4;
  made.outputs = {out};
  return made;
}

std::vector<CaseOutputs> cases_of(Slip slip) {
  Random random(3);
  std::vector<CaseOutputs> cases;
  // The last has whole tiles and one of outputs: some of the slips are none there.
  for (const auto& [m, h, o] : std::vector<std::array<std::int64_t, 3>>{
           {3, 33, 40}, {5, 70, 33}, {40, 100, 70}, {2, 129, 31}, {4, 32, 32}})
    cases.push_back(case_of(Layer(m, h, o, random), slip));
  return cases;
}

const struct {
  Slip slip;
  const char* when;
} kTiles[] = {
    {Slip::lanes_apart,
     "the sum of `x` in `mean` is not added up over 32 lanes or threads: each takes its own part, that of one h % 32."},
    {Slip::padding_counted,
     "the sum of (`x` - `mean`)^2 in `variance` counts zeros beyond the last h too, up to a multiple of 32."},
    {Slip::four_a_thread,
     "counts zeros beyond the last h too, since each of 32 threads takes 4 values, or zeros for them."},
    {Slip::divided_by_width,
     "`mean` and `variance` are divided by `H` rounded up to a multiple of 32 instead of by `H`."},
    {Slip::lane_indexes, "are taken from h % 32 for every h"},
    {Slip::pitch,
     "rows of `y` are read as if they lay `H` values apart, where they lie that rounded up to a multiple of 32 "
     "apart."},
    {Slip::extents, "the extents of `weight` are exchanged: it is read as `H` rows of `O` values"},
    {Slip::bias_each_tile, "`bias` is added again for each tile of 32 hs and not once"},
    {Slip::not_begun,
     "`product` is not set to 0 anew for each tile of 32 outputs: what was added up for the one before is still "
     "in it."},
};

TEST(ChangeTiles, NamesTheSlipAndNothingElse) {
  for (const auto& row : kTiles) {
    const auto found = recompute(layer_of_test(), cases_of(row.slip));
    ASSERT_TRUE(found) << row.when;
    EXPECT_THAT(found->sentence(), HasSubstr(row.when));
    EXPECT_EQ(found->whens.size(), 1u) << found->sentence();
  }
}

TEST(ChangeTiles, WhatReadsElsewhereMayLeaveATensor) {
  for (const auto& row : kTiles) {
    const auto found = recompute(layer_of_test(), cases_of(row.slip));
    ASSERT_TRUE(found) << row.when;
    const bool reads = row.slip == Slip::lane_indexes || row.slip == Slip::pitch || row.slip == Slip::extents;
    EXPECT_EQ(found->reads_elsewhere, reads) << row.when;
  }
}

TEST(ChangeTiles, OneElementThatIsOtherwiseRefutes) {
  for (const auto& row : kTiles) {
    auto cases = cases_of(row.slip);
    cases[1].outputs[0].got[20] += 0.05;
    EXPECT_FALSE(recompute(layer_of_test(), cases)) << row.when;
  }
}

TEST(ChangeTiles, ARightCaseThatTheSlipWouldMakeWrongRefutes) {
  for (const auto& row : kTiles) {
    auto cases = cases_of(row.slip);
    cases[1].outputs[0].got = cases[1].outputs[0].tensor.expected;
    cases[1].wrong = false;
    EXPECT_FALSE(recompute(layer_of_test(), cases)) << row.when;
  }
}

/// out = x + 2 * x one step before, by threads that take `run` steps each and begin with 0.
CaseOutputs steps_of(std::int64_t steps, std::int64_t run, Random& random) {
  constexpr std::int64_t kChannels = 5;
  CaseOutputs made;
  const auto x = random.normals(steps * kChannels);
  made.bindings.tensors = {{"x", x}};
  made.bindings.lengths = {{"step", steps}, {"channel", kChannels}};
  WrongOutput out;
  out.tensor.name = "out", out.tensor.role = Role::out, out.tensor.shape = {steps, kChannels};
  out.tensor.tolerance = {1e-6, 1e-6, ""};
  for (std::int64_t i = 0; i < steps * kChannels; ++i) {
    const std::int64_t step = i / kChannels;
    const double before = step == 0 ? 0 : x[static_cast<std::size_t>(i - kChannels)];
    out.tensor.expected.push_back(x[static_cast<std::size_t>(i)] + 2 * before);
    out.got.push_back(x[static_cast<std::size_t>(i)] + 2 * (step % run == 0 ? 0 : before));
  }
  made.wrong = out.got != out.tensor.expected;
  made.outputs = {out};
  return made;
}

TEST(ChangeTiles, ARunOfStepsThatLooksBackAtNothing) {
  Formula f;
  f.axes = {{"step", {"T"}}, {"channel", {"C"}}};
  const Term x = tensor(f, "x", {"step", "channel"});
  Node back;
  back.op = Node::Op::reread, back.a = x.node;
  back.flat = [](auto step, auto channel, auto, auto channels) {
    return step < 1 ? -1 : (step - 1) * channels + channel;
  };
  const Term before{&f, f.add(std::move(back))};
  output(x + 2 * before, "out");
  Random random(4);
  std::vector<CaseOutputs> cases;
  for (const std::int64_t steps : {7, 64, 100, 300}) cases.push_back(steps_of(steps, 64, random));
  const auto found = recompute(f, cases);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->sentence(), HasSubstr("each run of 64 steps looks back at zeros"));
  cases[2].outputs[0].got[320] += 0.5;
  EXPECT_FALSE(recompute(f, cases));
}

}  // namespace
}  // namespace fusebox::patterns
