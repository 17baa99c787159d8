#include "grader/simulator/exec/lanes/lanes.h"

namespace fusebox::sim {
namespace plain {
extern const LaneOps kLaneOps;
}
#ifdef FUSEBOX_HAVE_AVX2_BUILD
namespace avx2 {
extern const LaneOps kLaneOps;
}
#endif

const LaneOps& lane_ops() {
#ifdef FUSEBOX_HAVE_AVX2_BUILD
  static const bool fast =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (fast) return avx2::kLaneOps;
#endif
  return plain::kLaneOps;
}

}  // namespace fusebox::sim
