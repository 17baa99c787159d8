#include <atomic>
#include <cstdlib>
#include <vector>

#include "grader/simulator/exec/instructions/lanes/lanes.h"

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

std::vector<LaneBuild> find_builds() {
  std::vector<LaneBuild> builds;
#ifdef FUSEBOX_HAVE_AVX2_BUILD
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    builds.push_back({"avx2", &avx2::kLaneOps});
#endif
#ifdef FUSEBOX_HAVE_PLAIN_BUILD
  builds.push_back({"plain", &plain::kLaneOps});
#endif
  return builds;
}

const LaneBuild* find_build(std::string_view name) {
  for (const LaneBuild& build : lane_builds())
    if (name.empty() || build.name == name) return &build;
  return nullptr;
}

std::string_view wanted_build() {
  const char* name = std::getenv(kLanesVariable);
  return name == nullptr ? "" : name;
}

std::atomic<const LaneBuild*> by_hand = nullptr;

const LaneBuild* current_build() {
  static const LaneBuild* const wanted = find_build(wanted_build());
  const LaneBuild* build = by_hand.load(std::memory_order_relaxed);
  return build != nullptr ? build : wanted;
}

}  // namespace

std::span<const LaneBuild> lane_builds() {
  static const std::vector<LaneBuild> builds = find_builds();
  return builds;
}

void use_lanes(const LaneBuild* build) { by_hand = build; }

std::optional<Error> missing_lanes() {
  if (current_build() != nullptr) return std::nullopt;
  std::string known;
  for (const LaneBuild& build : lane_builds())
    known += (known.empty() ? "`" : ", `") + std::string(build.name) + "`";
  if (known.empty())
    return Error{ErrorKind::missing_part, "this program holds no lane loops that this machine can run",
                 "build it on this machine"};
  return Error{ErrorKind::missing_part,
               std::string(kLanesVariable) + " asks for lane loops `" + std::string(wanted_build()) +
                   "`, which this program does not hold or this machine cannot run",
               "there are: " + known};
}

const LaneOps& lane_ops() { return *current_build()->ops; }

}  // namespace fusebox::sim
