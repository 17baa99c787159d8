#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Where a function's branches lead, and how many ways there are to each place. Places are instructions, and
/// one more for a label behind the last.
struct Ways {
  std::vector<bool> labelled;
  std::vector<int> jumps;  ///< branches that lead there, those of tables too

  explicit Ways(const Function& function);
  /// Of a branch to a label of the function; null: it is none.
  const std::uint32_t* target_of(const Instruction& i) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> places_;
};

}  // namespace fusebox::ptx
