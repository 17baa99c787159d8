#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/report/launch_record.h"
#include "grader/report/result.h"

// Programs launch the same kernel with the same arguments thousands of times. Whether a launch is counted,
// and looked at for races, is decided here.
namespace fusebox::sim {

/// Those that were asked for.
struct LaunchChoice {
  std::uint64_t first = 1, last = ~std::uint64_t{0};  ///< numbers; the program's first launch is 1
  std::vector<std::string> kernels;                   ///< empty: all
  bool every = false;                                 ///< those too that repeat others

  bool has(std::uint64_t number, const std::string& kernel) const;
};
/// "7", "5-7" or "5-".
Result<LaunchChoice> read_launch_range(const std::string& text);
/// `name` is `kernel` as tables show it, or without its template arguments, or without its namespaces too.
bool is_kernel_named(const std::string& kernel, const std::string& name);

/// All that the host decides of a launch: its kernel's name, its shape and its arguments.
std::string kind_of(const LaunchOp& op);

/// Decides launch by launch, for one process.
class CountedLaunches {
 public:
  struct Turn {
    std::uint64_t number = 0;
    bool chosen = true;
    const LaunchRecord* like = nullptr;  ///< not null: it has the numbers of this one, and is not counted
    std::uint64_t like_number = 0;
    bool counted() const { return chosen && like == nullptr; }
  };

  explicit CountedLaunches(LaunchChoice choice = {}) : choice_(std::move(choice)) {}

  Turn next(const std::string& kernel, const LaunchOp& op);
  /// What became of the launch that `next` was last asked about, if that was counted.
  void keep(const LaunchRecord& record);

 private:
  /// Launches that are the same in all that the host decides.
  struct Same {
    std::uint64_t counted = 0, number = 0;  ///< of the last that was counted
    LaunchRecord record;
  };
  LaunchChoice choice_;
  std::map<std::string, Same> seen_;
  Same* last_ = nullptr;
  std::uint64_t launches_ = 0;
};

}  // namespace fusebox::sim
