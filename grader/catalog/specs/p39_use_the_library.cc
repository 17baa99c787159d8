#include <algorithm>
#include <array>
#include <cmath>

#include "grader/catalog/operators/product.h"

namespace fusebox::specs::p39_use_the_library {
namespace {

/// What the plan is made for: rates in microseconds, and how fast an own product is beside the library's.
struct Gpu {
  float flops_per_us = 0, bytes_per_us = 0, share = 0, launch_us = 0;
};

/// One product and the steps behind it.
struct Job {
  std::int64_t m = 0, k = 0, n = 0, steps = 0;
};

struct Times {
  double library = 0, own = 0;
  bool use_own() const { return own < library; }
  /// Nearer to each other than a float can tell, or nearly so.
  bool close() const { return std::fabs(own - library) < 0.01 * library; }
};

Times times_of(const Job& job, const Gpu& gpu) {
  const auto m = static_cast<double>(job.m), k = static_cast<double>(job.k), n = static_cast<double>(job.n);
  const double operations = 2 * m * k * n / gpu.flops_per_us;
  const double bytes = 4 * (m * k + k * n + m * n) / gpu.bytes_per_us;
  const double step = 8 * m * n / gpu.bytes_per_us + gpu.launch_us;
  return {std::max(operations, bytes) + gpu.launch_us + static_cast<double>(job.steps) * step,
          std::max(operations / gpu.share, bytes) + gpu.launch_us};
}

Gpu draw_gpu(Random& random) {
  const auto rate = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
  return {rate(2e7, 2e8), rate(1e6, 5e6), rate(0.25, 0.9), rate(1, 4)};
}

/// A size of any magnitude from `min` to `max`, the small ones as likely as the large.
std::int64_t draw_size(double min, double max, Random& random) {
  return static_cast<std::int64_t>(std::exp(random.uniform(std::log(min), std::log(max))));
}

/// Jobs whose choice does not hang by a rounding. Kinds: "any"; "large", whose operations no int can count,
/// nor the results of most of them; "no_steps", behind which nothing is left to fuse; "small", which are
/// launches and little else.
Job draw_job(const std::string& kind, const Gpu& gpu, Random& random) {
  for (;;) {
    Job job{draw_size(1, 1e5, random), draw_size(1, 2e4, random), draw_size(1, 2e4, random), random.below(8)};
    if (kind == "large")
      job = {20000 + random.below(50000), 4096, 2048 + random.below(1 << 17), random.below(40)};
    if (kind == "small")
      job = {1 + random.below(64), 1 + random.below(64), 1 + random.below(64), random.below(3)};
    if (kind == "no_steps") job.steps = 0;
    if (!times_of(job, gpu).close()) return job;
  }
}

struct Plan {
  std::vector<double> jobs, library, own, use_own;
};

Plan draw_plan(const std::string& kind, std::int64_t count, const Gpu& gpu, Random& random) {
  Plan plan;
  const auto length = static_cast<std::size_t>(count);
  plan.jobs.resize(4 * length);
  for (std::size_t i = 0; i < length; ++i) {
    const Job job = draw_job(kind, gpu, random);
    const std::array<std::int64_t, 4> fields{job.m, job.k, job.n, job.steps};
    for (std::size_t field = 0; field < fields.size(); ++field)
      plan.jobs[field * length + i] = static_cast<double>(fields[field]);
    const Times times = times_of(job, gpu);
    plan.library.push_back(times.library);
    plan.own.push_back(times.own);
    plan.use_own.push_back(times.use_own() ? 1 : 0);
  }
  return plan;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  const std::int64_t count = size_of(which, "J");
  const auto x = random.normals(rows * inner);
  // Of such a size that products are near 1 whatever K is.
  const auto weight = random.normals(inner * columns, 0, 1 / std::sqrt(static_cast<double>(inner)));
  const auto bias = draw_parameters(columns, random);
  Product out = product_transposed(x, weight, inner);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const double b = bias[i % static_cast<std::size_t>(columns)];
    out.values[i] += b;
    out.magnitudes[i] += std::fabs(b);
  }
  const Gpu gpu = draw_gpu(random);
  Plan plan = draw_plan(which.values, count, gpu, random);
  const Tolerance times{0, 16 * kFloatRoundoff,
                        "16 float roundings: all terms are positive, and no time is made of more operations"};
  const Tolerance product = product_tolerance(out);
  return {{input("x", DType::f32, {rows, inner}, x), input("weight", DType::f32, {columns, inner}, weight),
           input("bias", DType::f32, {columns}, bias),
           output("out", DType::f32, {rows, columns}, std::move(out.values), product), int_of(which, "M"),
           int_of(which, "K"), int_of(which, "N"),
           input("jobs", DType::i32, {4, count}, std::move(plan.jobs)),
           output("library_us", DType::f32, {count}, std::move(plan.library), times),
           output("own_us", DType::f32, {count}, std::move(plan.own), times),
           output("use_own", DType::i32, {count}, std::move(plan.use_own), {0, 0, "0 or 1"}),
           int_of(which, "J"), gpu.flops_per_us, gpu.bytes_per_us, gpu.share, gpu.launch_us}};
}

/// Row `field` of the table of jobs.
Term field_of(Formula& formula, Term jobs, std::int64_t field, std::string name) {
  Node node;
  node.op = Node::Op::sum;
  node.a = jobs.node;
  node.axis = "field";
  node.name = std::move(name);
  node.weight = [field](std::int64_t index, std::int64_t) { return index == field ? 1.0 : 0.0; };
  return {&formula, formula.add(std::move(node))};
}

const Curve kNegative{"the comparison", "{} < 0", [](double v) { return v < 0 ? 1.0 : 0.0; }};

Formula formula() {
  Formula f;
  f.axes = {{"row", {"M"}}, {"k", {"K"}}, {"column", {"N"}}, {"field", {"F"}}, {"job", {"J"}}};
  f.floats = {"flops_per_us", "bytes_per_us", "share", "launch_us"};
  const Term x = tensor(f, "x", {"row", "k"}), weight = tensor(f, "weight", {"column", "k"});
  output(sum(x * weight, "k").named("product") + tensor(f, "bias", {"column"}), "out");

  const Term jobs = tensor(f, "jobs", {"field", "job"});
  const Term m = field_of(f, jobs, 0, "m"), k = field_of(f, jobs, 1, "k"), n = field_of(f, jobs, 2, "n");
  const Term steps = field_of(f, jobs, 3, "steps");
  const Term rate = number(f, "bytes_per_us"), launch = number(f, "launch_us");
  const Term results = m * n;  // the same everywhere: who lets it overflow does so once
  const Term operations = (2 * (results * k) / number(f, "flops_per_us")).named("the time of the operations");
  const Term bytes = (4 * (m * k + k * n + results) / rate).named("the time of the bytes");
  const Term step = (8 * results / rate + launch).named("the time of a step");
  const Term library = larger(operations, bytes) + launch + steps * step;
  const Term own = larger(operations / number(f, "share"), bytes) + launch;
  output(library.named("library_us"), "library_us");
  output(own.named("own_us"), "own_us");
  output(apply(kNegative, own - library), "use_own");
  return f;
}

std::vector<Case> cases() {
  const auto sizes = [](std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t jobs) {
    return Sizes{{"M", m}, {"K", k}, {"N", n}, {"J", jobs}, {"F", 4}};
  };
  return {
      {"single", "one product, one job: nearly all of every tile hangs over the edge", sizes(1, 1, 1, 1),
       "any"},
      {"two_by_three", "three different extents, smaller than any tile", sizes(2, 5, 3, 2), "any"},
      {"below_warp", "a warp with one idle lane", sizes(31, 31, 33, 31), "any"},
      {"large_jobs", "jobs whose operations, bytes and results no int can count", sizes(33, 32, 31, 100),
       "large"},
      {"small_jobs", "jobs that are launches and little else", sizes(3, 100, 5, 100), "small"},
      {"no_steps", "jobs behind which nothing is left to fuse", sizes(5, 3, 100, 40), "no_steps"},
      {"one_tile", "exactly one tile of 64", sizes(64, 64, 64, 32), "any"},
      {"above_tile", "a second tile with one row, one column and one k in it", sizes(65, 65, 65, 33), "any"},
      {"long_k", "many pairs of tiles for one tile of out, the last one not full", sizes(3, 255, 5, 3),
       "any"},
      {"tall", "many rows of tiles and few columns", sizes(200, 17, 3, 5), "any"},
      {"wide", "one row of out and many columns", sizes(1, 33, 255, 7), "any"},
      {"many_jobs", "one job more than two blocks of 256 threads", sizes(7, 9, 11, 513), "any"},
      {"drawn",
       "sizes that each seed draws anew",
       sizes(50, 40, 60, 70),
       "any",
       false,
       {{"M", {1, 140}}, {"K", {1, 100}}, {"N", {1, 140}}, {"J", {1, 400}}}},
      {"counted", "whole tiles, several in each direction", sizes(256, 128, 256, 512), "any", true},
  };
}

/// Tiles of out this wide are what the budget asks for.
constexpr std::int64_t kAskedTile = 64;

/// Bytes of the plan: four fields in, three answers out.
double plan_bytes(const Case& which) { return 7 * sector_bytes(size_of(which, "J")); }

/// x for each column of tiles, weight for each row of them; the bias by each of 8 warps of a block.
double requested(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  return tiles_along(columns, kAskedTile) * sector_bytes(rows * inner) +
         tiles_along(rows, kAskedTile) * sector_bytes(inner * columns) + sector_bytes(rows * columns) +
         8 * tiles_along(rows, kAskedTile) * sector_bytes(columns) + plan_bytes(which);
}

double compulsory(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  return sector_bytes(rows * inner) + sector_bytes(inner * columns) + sector_bytes(columns) +
         sector_bytes(rows * columns) + plan_bytes(which);
}

/// A wavefront more than needed for every 64 products: two lanes of a bank at every read of one tile pass.
double conflicts(const Case& which) {
  return static_cast<double>(size_of(which, "M") * size_of(which, "K") * size_of(which, "N")) / 64;
}

/// Jobs without end, all of them the same: nothing at full size depends on what they are.
Problem arguments(const Case& which) {
  const std::int64_t rows = size_of(which, "M"), inner = size_of(which, "K"), columns = size_of(which, "N");
  const std::int64_t count = size_of(which, "J");
  return {
      {shaped("x", DType::f32, {rows, inner}, Role::in),
       shaped("weight", DType::f32, {columns, inner}, Role::in),
       shaped("bias", DType::f32, {columns}, Role::in), shaped("out", DType::f32, {rows, columns}, Role::out),
       int_of(which, "M"), int_of(which, "K"), int_of(which, "N"),
       input("jobs", DType::i32, {4, count}, std::vector<double>(static_cast<std::size_t>(4 * count), 1024)),
       shaped("library_us", DType::f32, {count}, Role::out), shaped("own_us", DType::f32, {count}, Role::out),
       shaped("use_own", DType::i32, {count}, Role::out), int_of(which, "J"), 3.44e7F, 4.27e6F, 0.5F, 1.56F}};
}

TimedCase timed_case(const char* name, const char* purpose, std::int64_t m, std::int64_t k, std::int64_t n) {
  constexpr std::int64_t kJobs = 256;
  TimedCase timed{{name, purpose, {{"M", m}, {"K", k}, {"N", n}, {"J", kJobs}, {"F", 4}}, "any"},
                  static_cast<std::uint64_t>(4 * (m * k + k * n + n + m * n + 7 * kJobs))};
  timed.linear = LinearBaseline{"x", "weight", "bias", "out"};
  return timed;
}

}  // namespace

Puzzle spec() {
  Puzzle puzzle;
  puzzle.id = "p39";
  puzzle.slug = "use_the_library";
  puzzle.title = "When the library is the better kernel";
  puzzle.chapter = "Part 11. Judgement";
  puzzle.cases = cases();
  puzzle.make = make;
  puzzle.formula = formula;
  puzzle.timed = {timed_case("large", "a narrow layer of many rows", 4096, 192, 512),
                  timed_case("layer", "a layer of a small transformer", 2048, 768, 768)};
  puzzle.full_size = {puzzle.timed.front().which, puzzle.timed.front().min_bytes, arguments};

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(const float*, const float*, const float*, float*, int, int, int, const int*, float*,
                     float*, int*, int, float, float, float, float)>("linear_and_plan");
  entry.blanks = {"multiply", "store", "plan", "launch"};
  const Case& counted = puzzle.counted_case();
  entry.budgets = {
      {"launches", 2},
      {"bytes.requested", with_room(requested(counted))},
      {"bytes.compulsory", with_room(compulsory(counted))},
      {"sectors_over_ideal", kCoalesced},
      {"bank_conflicts", conflicts(counted)},
      {"intermediate_bytes", 0},
  };
  // All of it fits an L2; what the cache has lost of x and weight as it takes in out is fetched again.
  const Case& full = puzzle.full_size->which;
  entry.full_size_budgets = full_size_budgets(
      2 * compulsory(full) - sector_bytes(size_of(full, "M") * size_of(full, "N")), requested(full));
  puzzle.entries = {entry};
  return puzzle;
}

}  // namespace fusebox::specs::p39_use_the_library
