#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/suspect/suspect.h"

/// Where in a plan something can be changed, and what such places are called.
namespace fusebox {

/// Kernels that the host function launches in any case, and in those that are right; mangled names.
struct Launched {
  std::set<std::string> anywhere, where_right;
};
Launched launched_by(const Suspect& suspect);

/// Indices of a plan's launches.
std::vector<std::size_t> launches_in(const LaunchPlan& plan);
/// Null: there are not so many.
LaunchOp* launch_of(LaunchPlan& plan, std::size_t number);

/// "turn<true>" of a mangled name.
std::string shown_name(const std::string& kernel);
/// "launch 2 of 3, `k`", or "the launch of `k`" where there is one only.
std::string place_of_launch(const LaunchPlan& plan, std::size_t number);
/// "all 3 launches of `k`".
std::string place_of_launches(const LaunchPlan& plan, const std::vector<std::size_t>& numbers);
/// "(4, 8) in place of (8, 4)", with as many numbers in both as either needs.
std::string in_place_of(const Dim3& now, const Dim3& old);

/// The bytes of one argument.
std::uint64_t value_of(const LaunchOp& launch, const KernelParameters::Slot& slot);
void set_value(LaunchOp& launch, const KernelParameters::Slot& slot, std::uint64_t value);

/// What is known of a kernel's arguments.
struct Arguments {
  std::vector<KernelParameters::Slot> slots;
  std::vector<std::string> names;  ///< as many, or none
  int max_threads = 0;             ///< of a block, by __launch_bounds__; 0: not said
  std::string name(std::size_t i) const;
};
/// `code`: what code_of made of the learner's text.
Arguments arguments_of(const Suspect& suspect, const std::string& code, const std::string& kernel);

/// The memory of a call: its tensors, then the host function's own allocations, each in their order, so that
/// an index means the same in every case.
using Regions = std::vector<AddressRange>;
Regions regions_of(const LaunchPlan& plan, const Call& call);
/// Nothing: none of them has that address.
std::optional<std::size_t> region_with(const Regions& regions, DeviceAddress address);
/// "`rstd`", "allocation 2"; as many.
std::vector<std::string> region_names(const Suspect& suspect, const LaunchPlan& plan, const Call& call);

}  // namespace fusebox
