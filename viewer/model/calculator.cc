#include "viewer/model/calculator.h"

namespace fusebox::view {

CalculatorResult calculate(const CalculatorInput& in) {
  CalculatorResult result;
  const double tensor = in.rows * in.columns * in.element_bytes;
  const auto finish = [&](Path& path) {
    path.memory_seconds = in.bandwidth > 0 ? path.bytes() / in.bandwidth : 0;
    path.launch_seconds = path.launches * in.launch_cost;
  };
  result.unfused.read_bytes = (in.passes + in.sums) * tensor;
  result.unfused.write_bytes = in.passes * tensor;
  result.unfused.launches = in.kernels;
  result.fused.read_bytes = 2 * tensor + in.columns * in.element_bytes;
  result.fused.write_bytes = tensor;
  result.fused.launches = 1;
  finish(result.unfused);
  finish(result.fused);
  if (result.fused.seconds() > 0) result.speed_up = result.unfused.seconds() / result.fused.seconds();
  if (result.fused.bytes() > 0) result.byte_ratio = result.unfused.bytes() / result.fused.bytes();
  return result;
}

}  // namespace fusebox::view
