#include <algorithm>
#include <cmath>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

namespace fusebox::specs::p37_occupancy {
namespace {

constexpr std::int64_t kTaps = 4;

/// Runs this short still ask for little twice.
constexpr std::int64_t kShortRun = 16;

/// Loads that a thread should have under way together.
constexpr double kUnderWay = 4;

/// Threads that an SM of 65536 registers should have room for.
constexpr double kRegistersOfAnSm = 65536, kThreadsOfAnSm = 512;

struct Answer {
  std::vector<double> values;
  double largest = 0;  ///< sum of |terms| of any value
};

Answer convolved(const std::vector<double>& x, const std::vector<double>& weight, std::int64_t steps,
                 std::int64_t channels) {
  Answer answer;
  answer.values.resize(x.size());
  for (std::int64_t step = 0; step < steps; ++step)
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      double sum = 0, magnitude = 0;
      for (std::int64_t k = 0; k < std::min(kTaps, step + 1); ++k) {
        const double term = weight[static_cast<std::size_t>(k * channels + channel)] *
                            x[static_cast<std::size_t>((step - k) * channels + channel)];
        sum += term;
        magnitude += std::fabs(term);
      }
      answer.values[static_cast<std::size_t>(step * channels + channel)] = sum;
      answer.largest = std::max(answer.largest, magnitude);
    }
  return answer;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t steps = size_of(which, "T"), channels = size_of(which, "C");
  const auto x = random.normals(steps * channels, which.values == "offset" ? 1e4 : 0, 1);
  const auto weight = random.signed_uniforms(kTaps * channels, 0.25, 1);
  Answer answer = convolved(x, weight, steps, channels);
  const Tolerance tolerance{
      4 * kFloatRoundoff * answer.largest, 0,
      "4 float roundings of the largest sum of |terms|: one of each product and three of the sum, which is the most that any order can be wrong by"};
  return {{input("x", DType::f32, {steps, channels}, x),
           input("weight", DType::f32, {kTaps, channels}, weight),
           output("out", DType::f32, {steps, channels}, std::move(answer.values), tolerance),
           int_of(which, "T"), int_of(which, "C")}};
}

/// x, `back` steps earlier; 0 before the first step.
Term earlier(Formula& formula, Term x, std::int64_t back, std::string name) {
  if (back == 0) return x;
  Node node;
  node.op = Node::Op::reread;
  node.a = x.node;
  node.name = std::move(name);
  node.flat = [back](auto step, auto channel, auto, auto channels) {
    return step < back ? -1 : (step - back) * channels + channel;
  };
  return {&formula, formula.add(std::move(node))};
}

/// Row `tap` of the weights.
Term row_of(Formula& formula, Term weight, std::int64_t tap, std::string name) {
  Node node;
  node.op = Node::Op::sum;
  node.a = weight.node;
  node.axis = "tap";
  node.name = std::move(name);
  node.weight = [tap](std::int64_t index, std::int64_t) { return index == tap ? 1.0 : 0.0; };
  return {&formula, formula.add(std::move(node))};
}

Formula formula() {
  Formula f;
  f.axes = {{"step", {"T"}}, {"tap", {"K"}}, {"channel", {"C"}}};
  const Term x = tensor(f, "x", {"step", "channel"}), weight = tensor(f, "weight", {"tap", "channel"});
  const auto term = [&](std::int64_t k, std::string earlier_x, std::string row) {
    return row_of(f, weight, k, std::move(row)) * earlier(f, x, k, std::move(earlier_x));
  };
  const Term now = term(0, "", "weight[0]"), one = term(1, "x one step before", "weight[1]");
  const Term two = term(2, "x two steps before", "weight[2]"),
             three = term(3, "x three steps before", "weight[3]");
  output(now + one + two + three, "out");
  return f;
}

std::vector<Case> cases() {
  const auto sized = [](std::int64_t steps, std::int64_t channels) {
    return Sizes{{"T", steps}, {"C", channels}, {"K", kTaps}};
  };
  return {
      {"single", "one step of one channel: nothing before it", sized(1, 1)},
      {"two_steps", "fewer steps than weights", sized(2, 3)},
      {"three_steps", "the last weight is never used", sized(3, 33)},
      {"four_steps", "the first sum of four terms", sized(4, 2)},
      {"below_warp", "a warp with one idle lane, and a tail of steps", sized(31, 31)},
      {"warp", "whole warps", sized(32, 32)},
      {"above_warp", "one channel and one step above 32", sized(33, 33)},
      {"hundred", "no multiple of anything", sized(100, 100)},
      {"above_block", "one channel above 256", sized(9, 257)},
      {"above_run", "a second run of one step", sized(129, 5)},
      {"two_runs", "a run less one step behind a whole one", sized(255, 3)},
      {"many_runs", "many runs of few channels", sized(1000, 7)},
      {"offset", "values around 10000", sized(40, 40), "offset"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(150, 60),
       "normal",
       false,
       {{"T", {1, 300}}, {"C", {1, 300}}}},
      {"counted", "whole sectors, 256 steps of 256 channels", sized(256, 256), "normal", true},
  };
}

/// x, out and the weights once.
double compulsory(const Case& which) {
  const std::int64_t steps = size_of(which, "T"), channels = size_of(which, "C");
  return 2 * sector_bytes(steps * channels) + sector_bytes(kTaps * channels);
}

/// Every run asks for the weights and for the three steps before it.
double requested(const Case& which) {
  const std::int64_t steps = size_of(which, "T"), channels = size_of(which, "C");
  const std::int64_t runs = (steps + kShortRun - 1) / kShortRun;
  return 2 * sector_bytes(steps * channels) +
         static_cast<double>(runs) * sector_bytes((kTaps + kTaps - 1) * channels);
}

/// Once for each kUnderWay loads of 4 bytes a lane, and once more where a run begins.
double waits(const Case& which) {
  const auto requests = static_cast<double>(size_of(which, "T") * size_of(which, "C")) / 32;
  return requests * (1 / kUnderWay + 1.0 / kShortRun);
}

std::vector<Budget> budgets(const Case& counted) {
  return {
      {"launches", 1},
      {"local_requests", 0},
      {"spill_bytes", 0},
      {"registers", kRegistersOfAnSm / kThreadsOfAnSm},
      {"bytes.requested", with_room(requested(counted))},
      {"bytes.compulsory", with_room(compulsory(counted))},
      {"waits", with_room(waits(counted))},
      {"sectors_over_ideal", kCoalesced},
      {"intermediate_bytes", 0},
  };
}

Problem arguments(const Case& which) {
  const std::int64_t steps = size_of(which, "T"), channels = size_of(which, "C");
  return {{shaped("x", DType::f32, {steps, channels}, Role::in),
           shaped("weight", DType::f32, {kTaps, channels}, Role::in),
           shaped("out", DType::f32, {steps, channels}, Role::out), int_of(which, "T"), int_of(which, "C")}};
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p37";
  puzzle.slug = "occupancy";
  puzzle.title = "Registers for what is under way";
  puzzle.chapter = "Part 11. Judgement";
  puzzle.cases = cases();
  puzzle.make = make;
  puzzle.formula = formula;

  constexpr std::int64_t kSteps = 4096, kChannels = 4096;
  puzzle.timed = {
      {{"large", "x and out far larger than any cache", {{"T", kSteps}, {"C", kChannels}, {"K", kTaps}}},
       4 * (2 * kSteps * kChannels + kTaps * kChannels)}};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};
  // The first run of each channel has no steps before it, so that not all blocks count the same.
  puzzle.full_size->whole = true;

  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, const float*, float*, int, int)>("causal_conv");
  entry.blanks = {"keep", "walk", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  const Case& full = puzzle.full_size->which;
  entry.full_size_budgets = full_size_budgets(compulsory(full), requested(full));
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p37_occupancy
