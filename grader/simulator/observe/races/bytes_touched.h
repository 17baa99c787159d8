#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "grader/simulator/exec/state/observer.h"

namespace fusebox::sim {

/// The bytes of global memory that one operation reads, writes and updates atomically.
class BytesTouched : public Observer {
 public:
  void access(const WarpAccess&) override;
  void add(AccessKind kind, std::uint64_t address, std::uint64_t bytes);

  struct Meeting {
    std::uint64_t address = 0;  ///< the lowest byte that both touch and not both only read, or only update
    AccessKind mine = AccessKind::load, theirs = AccessKind::load;
  };
  std::optional<Meeting> meets(const BytesTouched& other) const;

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Bits = std::array<std::uint64_t, kPage / 64>;
  struct Page {
    std::array<Bits, 3> touched{};  ///< by AccessKind
  };
  std::map<std::uint64_t, Page> pages_;  ///< by address / kPage
  Page* last_ = nullptr;
  std::uint64_t last_index_ = 0;
};

}  // namespace fusebox::sim
