#include "grader/simulator/exec/lanes/lanes.h"

namespace fusebox::sim {
#ifdef FUSEBOX_HAVE_PLAIN_BUILD
namespace plain {
extern const LaneOps kLaneOps;
}
#endif
#ifdef FUSEBOX_HAVE_AVX2_BUILD
namespace avx2 {
extern const LaneOps kLaneOps;
}
#endif

namespace {

[[maybe_unused]] bool machine_has_avx2() {
#ifdef FUSEBOX_HAVE_AVX2_BUILD
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

}  // namespace

const LaneOps& lane_ops() {
#if defined(FUSEBOX_HAVE_AVX2_BUILD) && defined(FUSEBOX_HAVE_PLAIN_BUILD)
  static const bool fast = machine_has_avx2();
  return fast ? avx2::kLaneOps : plain::kLaneOps;
#elif defined(FUSEBOX_HAVE_AVX2_BUILD)
  return avx2::kLaneOps;
#else
  return plain::kLaneOps;
#endif
}

std::optional<Error> built_for_another_machine() {
#ifndef FUSEBOX_HAVE_PLAIN_BUILD
  if (!machine_has_avx2())
    return Error{ErrorKind::missing_part,
                 "the simulator was built for a processor with AVX2 and FMA, which this one has not",
                 "build it here: ./fusebox setup"};
#endif
  return std::nullopt;
}

}  // namespace fusebox::sim
