#include "grader/judge/compare/evidence.h"

#include <algorithm>
#include <cmath>

#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

bool is_written(const OutputBytes& output, std::size_t at, std::uint64_t width) {
  if (output.all_written) return true;
  return !is_poison(output.bytes.subspan(at * width, width));
}

/// Rounding errors grow and shrink with the values: how much larger the other program's are than the right
/// ones.
double magnitude(const Tensor& tensor, const OutputBytes& other) {
  double made = 0, right = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double value = decode(other.bytes, i, tensor.dtype),
                 expected = tensor.expected[static_cast<std::size_t>(i)];
    if (!std::isfinite(value)) continue;
    made += value * value, right += expected * expected;
  }
  return made > 0 && right > 0 ? std::sqrt(made / right) : 1;
}

}  // namespace

Agreement agreement(const Tensor& tensor, const OutputBytes& answer, const OutputBytes& other) {
  Agreement result;
  if (answer.bytes.size() != tensor.bytes() || other.bytes.size() != tensor.bytes()) {
    result.refuted = true;
    return result;
  }
  const double absolute = tensor.tolerance.absolute * magnitude(tensor, other);
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t width = size_of(tensor.dtype);
    const bool mine = is_written(answer, at, width), theirs = is_written(other, at, width);
    const double got = decode(answer.bytes, i, tensor.dtype), value = decode(other.bytes, i, tensor.dtype);
    if (mine != theirs || (mine && std::isfinite(got) != std::isfinite(value))) {
      result.refuted = true;
      return result;
    }
    if (!mine || !std::isfinite(value)) continue;
    if (std::abs(got - value) > absolute + tensor.tolerance.relative * std::abs(value)) {
      result.refuted = true;
      return result;
    }
    const double expected = tensor.expected[at];
    if (std::abs(value - expected) >
        tensor.tolerance.absolute + tensor.tolerance.relative * std::abs(expected))
      ++result.telling;
  }
  return result;
}

}  // namespace fusebox
