#include <algorithm>
#include <cmath>

#include "grader/catalog/build.h"
#include "grader/catalog/specs/all.h"

namespace fusebox::specs {
namespace {

constexpr double kEps = 1e-8;

std::vector<Case> cases() {
  const auto sized = [](std::int64_t count, std::int64_t step) {
    return Sizes{{"count", count}, {"step", step}};
  };
  return {
      {"count_1", "a tensor that is all tail", sized(1, 1), "fresh"},
      {"count_2", "a tail of two", sized(2, 2), "running"},
      {"count_3", "a tail of three", sized(3, 3), "running"},
      {"count_31", "one element less than a warp", sized(31, 7), "running"},
      {"count_32", "whole float4 and no tail", sized(32, 10), "running"},
      {"count_33", "one element behind whole float4", sized(33, 11), "running"},
      {"count_100", "the first step: m and v are 0, the corrections largest", sized(100, 1), "fresh"},
      {"count_255", "three elements behind whole float4", sized(255, 30), "running"},
      {"count_257", "one element more than a block has threads", sized(257, 100), "running"},
      {"count_1025", "one element more than a block has parameters", sized(1025, 2), "running"},
      {"step_1000", "1 - beta1^step is 1 by now, 1 - beta2^step is not", sized(1003, 1000), "running"},
      {"small_gradients", "eps: gradients of 1e-8 make it as large as the root", sized(101, 1000), "small"},
      {"small_first_step", "eps against a root that is corrected thirtyfold", sized(100, 1), "small_fresh"},
      {"counted", "traffic: four reads and three writes of whole sectors", sized(16384, 5), "running", true},
  };
}

/// What one parameter's step gives in double, and how far off a float kernel may be.
struct Updated {
  double p = 0, m = 0, v = 0;
  double p_error = 0, m_error = 0;
};

struct Hyper {
  double lr = 0, beta1 = 0, beta2 = 0, eps = 0;
  std::int64_t step = 1;
};

Updated update(double p, double g, double m, double v, const Hyper& adam) {
  const auto step = static_cast<double>(adam.step);
  Updated now;
  const double old_part = adam.beta1 * m, new_part = (1 - adam.beta1) * g;
  now.m = old_part + new_part;
  now.v = adam.beta2 * v + (1 - adam.beta2) * g * g;
  const double scale = adam.lr / (1 - std::pow(adam.beta1, step));
  const double denominator = std::sqrt(now.v / (1 - std::pow(adam.beta2, step))) + adam.eps;
  now.p = p - scale * now.m / denominator;
  // The two parts of m may cancel: its error is that of the parts. p inherits it, and the roundings of v, the
  // root, the division and the two corrections, which are relative to the change.
  now.m_error = 4 * kFloatRoundoff * (std::fabs(old_part) + std::fabs(new_part));
  now.p_error = scale * (now.m_error + 16 * kFloatRoundoff * std::fabs(now.m)) / denominator;
  return now;
}

Problem make(const Case& which, Random& random) {
  const std::int64_t count = size_of(which, "count");
  const bool fresh = which.values.ends_with("fresh"), small = which.values.starts_with("small");
  // Drawn, so that constants typed into a kernel show; within what is used in training.
  const Hyper adam{as_float(random.uniform(0.005, 0.02)), as_float(random.uniform(0.85, 0.95)),
                   as_float(random.uniform(0.998, 0.9995)), as_float(kEps), size_of(which, "step")};

  const double scale = small ? 1e-8 : 1;
  std::vector<double> parameters = random.normals(count, 0, 0.05);
  std::vector<double> gradients = random.normals(count, 0, scale);
  std::vector<double> m(gradients.size(), 0.0), v(gradients.size(), 0.0);
  if (fresh) {
    // A parameter that had no gradient yet: m, v and g are all 0, and eps alone keeps 0 / 0 away.
    for (std::size_t i = 3; i < gradients.size(); i += 7) gradients[i] = 0;
  } else {
    m = random.normals(count, 0, 0.5 * scale);
    for (double& value : v) value = as_float(random.uniform(0.05, 1) * scale * scale);
  }

  std::vector<double> new_parameters, new_m, new_v;
  Tolerance of_p{
      0, 2 * kFloatRoundoff,
      "2 roundings of the sum, and those of the change: 4 of the parts of m, 16 of v, root and corrections"};
  Tolerance of_m{0, 2 * kFloatRoundoff, "4 roundings at the size of the two parts, which may cancel"};
  const Tolerance of_v{0, 8 * kFloatRoundoff,
                       "8 roundings: two of g^2, one of each product and the sum, twice over"};
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Updated now = update(parameters[i], gradients[i], m[i], v[i], adam);
    new_parameters.push_back(now.p);
    new_m.push_back(now.m);
    new_v.push_back(now.v);
    of_p.absolute = std::max(of_p.absolute, now.p_error);
    of_m.absolute = std::max(of_m.absolute, now.m_error);
  }

  const auto number = [](double value) { return static_cast<float>(value); };
  return {{inout("parameters", DType::f32, {count}, std::move(parameters), std::move(new_parameters), of_p),
           input("gradients", DType::f32, {count}, std::move(gradients)),
           inout("m", DType::f32, {count}, std::move(m), std::move(new_m), of_m),
           inout("v", DType::f32, {count}, std::move(v), std::move(new_v), of_v), count, number(adam.lr),
           number(adam.beta1), number(adam.beta2), number(adam.eps), static_cast<std::int32_t>(adam.step)}};
}

std::vector<Budget> budgets(const Case& counted) {
  const double tensor = sector_bytes(size_of(counted, "count"));
  return {
      {"launches", 1, "The moments, the corrections and the parameter belong to one kernel."},
      {"bytes.requested", with_room(7 * tensor),
       "Read p, g, m and v once, write p, m and v once: 28 bytes a parameter. Keep what you have loaded in "
       "registers until it "
       "is stored, and let neighbouring threads touch neighbouring bytes."},
      {"bytes.compulsory", with_room(7 * tensor),
       "Seven tensor accesses are all there is to move: more means a buffer for something that fits in a "
       "register."},
      {"sectors_per_request", with_room(16),
       "32 neighbouring float4 are 16 sectors, 32 neighbouring floats are 4. More means that a warp's lanes "
       "are apart."},
      {"intermediate_bytes", 0, "m_hat and v_hat live in registers, not in memory."},
  };
}

Mutant mutant(std::string blank, std::string name, std::string says, std::string body,
              Reason reason = Reason::wrong_answer, std::string detail = "") {
  return {std::move(name), std::move(says), std::move(blank), std::move(body),
          "kernel",        reason,          std::move(detail)};
}

/// The three lines of the update, any of which a mutant may replace.
std::string arithmetic(
    const std::string& m = "m = adam.beta1 * m + (1.0f - adam.beta1) * g;",
    const std::string& v = "v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;",
    const std::string& p = "p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);") {
  return "\n  " + m + "\n  " + v + "\n  " + p + "\n";
}
const char* const kM = "m = adam.beta1 * m + (1.0f - adam.beta1) * g;";
const char* const kV = "v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;";

/// The launch with the two corrections as given: expressions of `step`, beta1 and beta2.
std::string launch(const std::string& first, const std::string& second) {
  return R"(
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / ()" +
         first + R"());
  adam.root_correction = static_cast<float>(1.0 / std::sqrt()" +
         second + R"());
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
)";
}
const char* const kFirst = "1.0 - std::pow(static_cast<double>(beta1), step)";
const char* const kSecond = "1.0 - std::pow(static_cast<double>(beta2), step)";

/// Every parameter by itself, neighbouring threads neighbouring parameters; `body` handles parameter i.
std::string each(const std::string& body) {
  return R"(
  const long block_first = static_cast<long>(blockIdx.x) * 4 * kThreads;
  for (int trip = 0; trip < 4; ++trip) {
    const long i = block_first + trip * kThreads + threadIdx.x;
    if (i >= count) break;
)" + body +
         "  }\n";
}

/// The likeliest mistakes first: an explanation of a wrong answer tries them in this order.
std::vector<Mutant> mutants() {
  return {
      mutant("launch", "no_bias_correction", "Adam without bias correction", launch("1.0", "1.0")),
      mutant("launch", "second_moment_uncorrected", "Adam without bias correction of the second moment",
             launch(kFirst, "1.0")),
      mutant("launch", "step_from_0", "Adam that counts its steps from 0",
             launch("1.0 - std::pow(static_cast<double>(beta1), step - 1)",
                    "1.0 - std::pow(static_cast<double>(beta2), step - 1)")),
      mutant("launch", "step_off_by_one", "Adam that is one step ahead in its bias correction",
             launch("1.0 - std::pow(static_cast<double>(beta1), step + 1)",
                    "1.0 - std::pow(static_cast<double>(beta2), step + 1)")),
      mutant("launch", "corrections_swapped", "Adam with the two bias corrections swapped",
             launch(kSecond, kFirst)),
      mutant("update", "m_instead_of_g_squared", "Adam whose second moment squares m instead of the gradient",
             arithmetic(kM, "v = adam.beta2 * v + (1.0f - adam.beta2) * m * m;")),
      mutant("update", "gradient_not_squared", "Adam whose second moment adds |g| instead of its square",
             arithmetic(kM, "v = adam.beta2 * v + (1.0f - adam.beta2) * fabsf(g);")),
      mutant("update", "v_with_beta1", "Adam whose second moment decays with beta1",
             arithmetic(kM, "v = adam.beta1 * v + (1.0f - adam.beta1) * g * g;")),
      mutant("update", "m_not_averaged", "Adam whose first moment adds the whole gradient, as momentum does",
             arithmetic("m = adam.beta1 * m + g;")),
      mutant("update", "old_m", "Adam that moves the parameter by the first moment of the step before", R"(
  const float old_m = m;
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * old_m / (sqrtf(v) * adam.root_correction + adam.eps);
)"),
      mutant("update", "no_root", "Adam without the square root of the second moment",
             arithmetic(
                 kM, kV,
                 "p -= adam.step_size * m / (v * adam.root_correction * adam.root_correction + adam.eps);")),
      mutant("update", "no_eps", "Adam without eps",
             arithmetic(kM, kV, "p -= adam.step_size * m / (sqrtf(v) * adam.root_correction);")),
      mutant("update", "eps_inside_root", "Adam with eps inside the root",
             arithmetic(kM, kV,
                        "p -= adam.step_size * m / "
                        "sqrtf(v * adam.root_correction * adam.root_correction + adam.eps);")),
      mutant("update", "eps_before_correction", "Adam with eps added before the bias correction",
             arithmetic(kM, kV, "p -= adam.step_size * m / ((sqrtf(v) + adam.eps) * adam.root_correction);")),
      mutant("update", "weight_decay", "Adam with decoupled weight decay mixed in, which is AdamW",
             arithmetic(kM, kV,
                        "p -= 0.0001f * p + "
                        "adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);")),
      mutant("update", "decay_in_the_gradient", "Adam with weight decay added to the gradient",
             "\n  g += 0.01f * p;" + arithmetic()),
      mutant("update", "ascent", "Adam that climbs: the change has the wrong sign",
             arithmetic(kM, kV, "p += adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);")),
      mutant("step", "m_not_stored", "Adam that forgets the first moment", each(R"(
    float mi = m[i];
    update_parameter(parameters[i], gradients[i], mi, v[i], adam);
)")),
      mutant("step", "v_not_stored", "Adam that forgets the second moment", each(R"(
    float vi = v[i];
    update_parameter(parameters[i], gradients[i], m[i], vi, adam);
)")),
      mutant("step", "tail_dropped", "Adam that leaves the last one to three parameters as they were",
             each(R"(
    if (i < count / 4 * 4) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
)")),
      mutant("step", "tail_as_float4", "Adam that reads its tail as a whole float4", R"(
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  if (first >= count) return;
  for (long i = first; i < first + 4; ++i) update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
)",
             Reason::fault, "out-of-bounds"),
      mutant("step", "four_in_a_row", "Adam in which a thread walks over four neighbours, float by float", R"(
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
#pragma unroll 1
  for (long i = first; i < min(first + 4, count); ++i)
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
)",
             Reason::over_budget, "bytes.requested"),
      mutant("step", "state_read_twice", "Adam that stores the moments and reads them back for the parameter",
             R"(
  const long block_first = static_cast<long>(blockIdx.x) * 4 * kThreads;
  const long end = min(block_first + 4 * kThreads, count);
#pragma unroll 1
  for (long i = block_first + threadIdx.x; i < end; i += kThreads) {
    m[i] = adam.beta1 * m[i] + (1.0f - adam.beta1) * gradients[i];
    v[i] = adam.beta2 * v[i] + (1.0f - adam.beta2) * gradients[i] * gradients[i];
  }
#pragma unroll 1
  for (long i = block_first + threadIdx.x; i < end; i += kThreads)
    parameters[i] -= adam.step_size * m[i] / (sqrtf(v[i]) * adam.root_correction + adam.eps);
)",
             Reason::over_budget, "bytes.requested"),
      mutant("launch", "last_block_missing", "Adam whose number of blocks is rounded down", R"(
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = count < 4 * kThreads ? 1 : count / (4 * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
)"),
      mutant("launch", "two_launches", "Adam in two launches, a half of the tensor each", R"(
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long half = count / 8 * 4;
  const long rest = count - half;
  if (half > 0)
    adam_kernel<<<static_cast<unsigned>((half - 1) / (4 * kThreads) + 1), kThreads>>>(parameters, gradients, m, v,
                                                                                      half, adam);
  adam_kernel<<<static_cast<unsigned>((rest - 1) / (4 * kThreads) + 1), kThreads>>>(
      parameters + half, gradients + half, m + half, v + half, rest, adam);
)",
             Reason::over_budget, "launches"),
  };
}

}  // namespace

Puzzle p29_adam_fused() {
  Puzzle puzzle;
  puzzle.id = "p29";
  puzzle.slug = "adam_fused";
  puzzle.title = "Adam in one kernel";
  puzzle.chapter = "Part 8. Optimisers";
  puzzle.cases = cases();
  constexpr std::uint64_t kCount = 16 << 20;
  puzzle.timed = {
      {{"large", "four tensors far larger than any cache", {{"count", kCount}, {"step", 5}}, "running"},
       28 * kCount}};
  puzzle.make = make;

  Entry entry;
  entry.name = "kernel";
  entry.signature =
      signature<void(float*, const float*, float*, float*, long, float, float, float, float, int)>(
          "adam_step");
  entry.blanks = {"update", "step", "launch"};
  entry.budgets = budgets(puzzle.counted_case());
  puzzle.entries = {entry};

  puzzle.hints = {
      "Write down which tensors one parameter needs and which it changes: that is the traffic, and "
      "everything else is "
      "arithmetic in registers. Which of the numbers in the formulas are the same for every parameter of "
      "this step? Those are "
      "worked out once, on the host.",
      "update: the three formulas in their order, since v needs the gradient and p needs the new m and v; "
      "sqrt(v_hat) is "
      "sqrtf(v) * root_correction, and eps is added behind it. step: four parameters a thread as float4 if "
      "all four are "
      "inside the tensor, and one by one if not. launch: the two corrections in double with std::pow, and "
      "ceil(count / (4 * kThreads)) blocks.",
      "update:\n"
      "  m = adam.beta1 * m + (1.0f - adam.beta1) * g;\n"
      "  v = ...;                                        // the same with beta2 and g * g\n"
      "  p -= adam.step_size * m / (... + adam.eps);     // the corrected root of v\n"
      "step:\n"
      "  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);\n"
      "  if (first + 4 <= count) { load p4, m4, v4, g4; update_parameter(p4.x, g4.x, m4.x, v4.x, adam); ...; "
      "store three }\n"
      "  else for (long i = first; i < count; ++i) update_parameter(parameters[i], gradients[i], m[i], v[i], "
      "adam);\n"
      "launch:\n"
      "  AdamStep adam{beta1, beta2, eps};\n"
      "  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));\n"
      "  adam.root_correction = ...;                     // 1 / sqrt(1 - beta2^step)\n"
      "  adam_kernel<<<..., kThreads>>>(parameters, gradients, m, v, count, adam);",
  };
  puzzle.mutants = mutants();
  return puzzle;
}

}  // namespace fusebox::specs
