#include "grader/catalog/operators/adam.h"

#include <algorithm>
#include <cmath>

namespace fusebox {
namespace {

constexpr double kAdamEps = 1e-8;

/// What one parameter's step gives in double, and how far off a float kernel may be.
struct AdamUpdate {
  double p = 0, m = 0, v = 0;
  double p_error = 0, m_error = 0;
};

struct AdamSettings {
  double lr = 0, beta1 = 0, beta2 = 0, eps = 0;
  std::int64_t step = 1;
};

AdamUpdate adam_update(double p, double g, double m, double v, const AdamSettings& adam) {
  const auto step = static_cast<double>(adam.step);
  AdamUpdate now;
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

/// Tensors alone, without values.
Problem adam_arguments(const Case& which) {
  const std::int64_t count = size_of(which, "count");
  return {{shaped("parameters", DType::f32, {count}, Role::inout),
           shaped("gradients", DType::f32, {count}, Role::in), shaped("m", DType::f32, {count}, Role::inout),
           shaped("v", DType::f32, {count}, Role::inout), count, 0.01f, 0.9f, 0.999f,
           static_cast<float>(kAdamEps), int_of(which, "step")}};
}

}  // namespace

Signature adam_signature() {
  return signature<void(float*, const float*, float*, float*, long, float, float, float, float, int)>(
      "adam_step");
}

std::vector<Case> adam_cases() {
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
      {"count_5003", "several blocks, and three elements behind whole float4", sized(5003, 20), "running"},
      {"step_1000", "1 - beta1^step is 1 by now, 1 - beta2^step is not", sized(1003, 1000), "running"},
      {"small_gradients", "eps: gradients of 1e-8 make it as large as the root", sized(101, 1000), "small"},
      {"small_first_step", "eps against a root that is corrected thirtyfold", sized(100, 1), "small_fresh"},
      {"drawn",
       "sizes that each seed draws anew",
       sized(700, 12),
       "running",
       false,
       {{"count", {1, 3000}}, {"step", {1, 60}}}},
      {"counted", "traffic: four reads and three writes of whole sectors", sized(16384, 5), "running", true},
  };
}

Problem make_adam(const Case& which, Random& random) {
  const std::int64_t count = size_of(which, "count");
  const bool fresh = which.values.ends_with("fresh"), small = which.values.starts_with("small");
  // Drawn, so that constants typed into a kernel show; within what is used in training.
  const AdamSettings adam{as_float(random.uniform(0.005, 0.02)), as_float(random.uniform(0.85, 0.95)),
                          as_float(random.uniform(0.998, 0.9995)), as_float(kAdamEps),
                          size_of(which, "step")};

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
    const AdamUpdate now = adam_update(parameters[i], gradients[i], m[i], v[i], adam);
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

Formula adam_formula() {
  Formula f;
  f.axes = {{"element", {"count"}}};
  f.floats = {"lr", "beta1", "beta2", "eps"};
  const auto each = [&](const char* name) { return tensor(f, name, {"element"}); };
  const Term parameters = each("parameters"), g = each("gradients"), m = each("m"), v = each("v");
  const Term lr = number(f, "lr"), beta1 = number(f, "beta1"), beta2 = number(f, "beta2"),
             eps = number(f, "eps"), step = number(f, "step");
  const Term new_m = (beta1 * m + (1 - beta1) * g).named("the new m");
  const Term new_v = (beta2 * v + (1 - beta2) * apply(kSquare, g)).named("the new v");
  const Term m_hat = (new_m / (1 - power(beta1, step)).named("the correction of m")).named("m_hat");
  const Term v_hat = (new_v / (1 - power(beta2, step)).named("the correction of v")).named("v_hat");
  const Term root = apply(kSquareRoot, v_hat).named("the root of v_hat");
  output(parameters - lr * m_hat / (root + eps), "parameters");
  output(new_m, "m");
  output(new_v, "v");
  return f;
}

std::vector<TimedCase> adam_timed() {
  constexpr std::uint64_t kCount = 16 << 20;
  return {{{"large", "four tensors far larger than any cache", {{"count", kCount}, {"step", 5}}, "running"},
           28 * kCount}};
}

FullSizeCase adam_full_size() {
  const TimedCase large = adam_timed().front();
  return {large.which, large.min_bytes, adam_arguments};
}

}  // namespace fusebox
