#include "grader/judge/workshop/bench_baselines.h"

#include <gtest/gtest.h>

#include <limits>

#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

Tensor tensor(const char* name, std::vector<std::int64_t> shape, Role role, std::vector<double> values) {
  Tensor made;
  made.name = name;
  made.shape = std::move(shape);
  made.role = role;
  (role == Role::in ? made.values : made.expected) = std::move(values);
  made.tolerance = {1e-6, 0, ""};
  return made;
}

struct Norm {
  std::vector<Tensor> tensors{tensor("x", {2, 2}, Role::in, {1, 2, 3, 4}), tensor("w", {2}, Role::in, {1, 1}),
                              tensor("out", {2, 2}, Role::out, {5, 6, 7, 8}),
                              tensor("rstd", {2}, Role::out, {9, 10}),
                              tensor("mean", {2}, Role::out, {11, 12})};
  TimedCase timed;
  Call call;
  gpu::VariantTimes answer;

  Norm() {
    timed.norm = NormBaseline{"x", "w", "w", "out", "mean", "rstd", 1e-5f};
    for (const Tensor& each : tensors) {
      call.tensors.push_back(&each);
      call.buffers.push_back({each.name, 0, each.bytes(), {}});
      answer.outputs.push_back(encode(each.expected, each.dtype));
    }
  }
};

TEST(Baselines, TensorsAreFoundByName) {
  const Norm norm;
  const gpu::NormRequest request = norm_request(*norm.timed.norm, norm.call);
  EXPECT_FALSE(request.rms);
  EXPECT_TRUE(request.statistics);
  EXPECT_EQ(request.out, 2u);
  EXPECT_EQ(request.rstd, 3u);
  EXPECT_EQ(request.mean, 4u);
  EXPECT_EQ(request.rows, 2u);
  EXPECT_EQ(request.columns, 2u);
  NormBaseline rms = *norm.timed.norm;
  rms.bias = rms.mean = rms.rstd = "";
  EXPECT_TRUE(norm_request(rms, norm.call).rms);
  EXPECT_FALSE(norm_request(rms, norm.call).statistics);
}

TEST(Baselines, ALibraryThatIsWrongIsFoundOut) {
  Norm norm;
  EXPECT_TRUE(is_right(norm.timed, norm.call, norm.answer));
  for (const std::size_t output : {2, 3, 4})
    for (const double wrong : {5.1, std::numeric_limits<double>::quiet_NaN()}) {
      Norm bad;
      auto values = bad.tensors[output].expected;
      values.back() = wrong;
      bad.answer.outputs[output] = encode(values, DType::f32);
      EXPECT_FALSE(is_right(bad.timed, bad.call, bad.answer)) << output;
      bad.answer.outputs[output].clear();
      EXPECT_FALSE(is_right(bad.timed, bad.call, bad.answer)) << output;
    }
  norm.answer.outputs.pop_back();
  EXPECT_FALSE(is_right(norm.timed, norm.call, norm.answer));
}

}  // namespace
}  // namespace fusebox
