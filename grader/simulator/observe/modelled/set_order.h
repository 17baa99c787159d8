#pragma once

#include <cstdint>

namespace fusebox::sim {

/// How lines are spread over a cache's sets. Even: of as many neighbours as there are sets nearly each lies
/// in a set of its own. Sliced, as in L2: each does, if the first begins a round, and nearly each of every
/// second line; but parts of rows of lines fill sets unevenly.
enum class Spread : std::uint8_t { even, sliced };

/// Number of the line that lies alike in the memory of a process's first device: which of them it is makes no
/// difference.
std::uint64_t of_first_device(std::uint64_t line);

/// Which of a cache's sets a line lies in.
class SetOrder {
 public:
  SetOrder(std::uint64_t sets, Spread spread);

  std::uint64_t sets() const { return sets_; }
  /// Of line number `line` (address / 128): less than sets().
  std::uint64_t set_of(std::uint64_t line) const;

 private:
  std::uint64_t sliced(std::uint64_t line) const;

  std::uint64_t sets_;
  Spread spread_;
  unsigned part_bits_;  ///< sets_ is parts_ of 2^part_bits_
  std::uint64_t parts_;
};

}  // namespace fusebox::sim
