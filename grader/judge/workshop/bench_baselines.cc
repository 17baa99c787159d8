#include "grader/judge/workshop/bench_baselines.h"

#include <cmath>

#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

constexpr std::uint64_t kSamples = 64;  // of the elements of a product

std::uint32_t tensor_index(const Call& call, const std::string& name) {
  for (std::size_t i = 0; i < call.tensors.size(); ++i)
    if (call.tensors[i]->name == name) return static_cast<std::uint32_t>(i);
  return 0;
}

/// Some of its dot products, against double.
bool linear_is_right(const LinearBaseline& names, const Call& call, const gpu::VariantTimes& times,
                     double allowed) {
  const gpu::LinearRequest at = linear_request(names, call);
  if (at.out >= times.outputs.size() || times.outputs[at.out].size() != call.buffers[at.out].bytes)
    return false;
  const auto &x = call.tensors[at.x]->values, &weight = call.tensors[at.weight]->values;
  const auto& bias = call.tensors[at.bias]->values;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    const std::uint64_t row = (sample * 7919) % at.rows, column = (sample * 104729) % at.columns;
    double want = bias[column];
    for (std::uint64_t i = 0; i < at.inner; ++i)
      want += x[row * at.inner + i] * weight[column * at.inner + i];
    const auto element = static_cast<std::int64_t>(row * at.columns + column);
    const double got = decode(times.outputs[at.out], element, call.tensors[at.out]->dtype);
    if (!(std::fabs(got - want) <= allowed)) return false;
  }
  return true;
}

}  // namespace

gpu::LinearRequest linear_request(const LinearBaseline& names, const Call& call) {
  gpu::LinearRequest request{tensor_index(call, names.x), tensor_index(call, names.weight),
                             tensor_index(call, names.bias), tensor_index(call, names.out)};
  const auto& weight = call.tensors[request.weight]->shape;
  request.columns = static_cast<std::uint64_t>(weight[0]);
  request.inner = static_cast<std::uint64_t>(weight[1]);
  request.rows = static_cast<std::uint64_t>(call.tensors[request.x]->count()) / request.inner;
  return request;
}

gpu::NormRequest norm_request(const NormBaseline& names, const Call& call) {
  gpu::NormRequest request;
  request.rms = names.bias.empty();
  request.statistics = !names.mean.empty();
  request.x = tensor_index(call, names.x);
  request.scale = tensor_index(call, names.scale);
  request.out = tensor_index(call, names.out);
  if (!request.rms) request.bias = tensor_index(call, names.bias);
  if (request.statistics) {
    request.mean = tensor_index(call, names.mean);
    request.rstd = tensor_index(call, names.rstd);
  }
  const auto& x = call.tensors[request.x]->shape;
  request.rows = static_cast<std::uint64_t>(x[0]);
  request.columns = static_cast<std::uint64_t>(x[1]);
  request.eps = names.eps;
  return request;
}

bool is_right(const TimedCase& timed, const Call& call, const gpu::VariantTimes& baseline) {
  // Of size 1, as all of the workbook's products are: TF32 has 10 bits and a sum of many terms.
  if (timed.linear)
    return linear_is_right(*timed.linear, call, baseline, baseline.name.ends_with("tf32") ? 2e-2 : 1e-4);
  for (std::size_t b = 0; b < call.tensors.size(); ++b) {
    const Tensor& tensor = *call.tensors[b];
    if (tensor.role == Role::in) continue;
    if (b >= baseline.outputs.size() || baseline.outputs[b].size() != tensor.bytes()) return false;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const double want = tensor.expected[static_cast<std::size_t>(i)];
      const double allowed = tensor.tolerance.absolute + tensor.tolerance.relative * std::fabs(want);
      if (!(std::fabs(decode(baseline.outputs[b], i, tensor.dtype) - want) <= allowed)) return false;
    }
  }
  return true;
}

}  // namespace fusebox
