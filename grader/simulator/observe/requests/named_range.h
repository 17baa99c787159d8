#pragma once

#include <cstdint>
#include <string>

namespace fusebox::sim {

/// Device memory that has a name: a tensor, an allocation of the host function, a __device__ variable.
struct NamedRange {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool allocated = false;  ///< by the host function itself

  std::uint64_t end() const { return address + bytes; }
  /// Do all of [begin, end) lie inside?
  bool holds(std::uint64_t begin, std::uint64_t end) const { return begin >= address && end <= this->end(); }
};

}  // namespace fusebox::sim
