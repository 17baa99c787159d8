#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/report/launch_record.h"
#include "grader/simulator/observe/races/bytes_touched.h"
#include "grader/simulator/observe/requests/named_range.h"

namespace fusebox::sim {

/// For each operation the earlier ones that nothing orders with it, by index; in a plan without streams none.
/// Those that the host carries out itself are in order with all.
std::vector<std::vector<std::uint32_t>> unordered_ops(const LaunchPlan& plan);

/// Finds operations on streams that touch the same bytes in no order, at least one of them writing. Told of
/// every operation of a plan, in its order.
class StreamRaces {
 public:
  explicit StreamRaces(const LaunchPlan& plan);

  /// Where to note what operation `index` touches; null: nothing can meet it.
  BytesTouched* touched_by(std::size_t index);
  /// Operation `index` is done: what it raced with, if anything. `name`: "`bias_kernel`", "a memset".
  std::vector<Fault> done(std::size_t index, std::string name, const std::vector<NamedRange>& buffers);
  /// The host function has returned: operations that write to the tensors it was given and that nobody who
  /// called it waits for.
  std::vector<Fault> returned(const std::vector<NamedRange>& tensors);

 private:
  struct Seen {
    BytesTouched touched;
    std::string name;
  };
  std::vector<std::vector<std::uint32_t>> unordered_;
  std::vector<std::uint32_t> unfinished_;  ///< nothing that comes behind the call waits for them
  std::map<std::size_t, Seen> seen_;
};

}  // namespace fusebox::sim
