#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/simulator/exec/state/events.h"
#include "grader/simulator/exec/state/fault.h"
#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {

/// What the wgmma instructions of a block read in its shared memory, 16 bytes at a time. They read it later
/// than they are issued: until they have been waited for nobody may write there.
class TensorOperands {
 public:
  /// For another block, of so many warps; `used`: its kernel has such instructions.
  void begin_block(std::size_t warps, bool used) {
    used_ = used;
    pieces_.clear();
    if (used) warps_.assign(warps, {});
  }
  bool used() const { return used_; }

  /// A warp's wgmma reads these pieces from now on.
  void begin(const WarpAccess& pieces) {
    OfWarp& warp = warps_[pieces.warp.warp];
    for_each_lane(pieces.lanes, [&](int lane) {
      const std::uint64_t piece = pieces.address[lane] / kPiece;
      if (piece >= pieces_.size()) pieces_.resize(2 * piece + 64);
      ++pieces_[piece];
      warp.reads.push_back({piece,
                            warp.groups,
                            {AccessKind::load, pieces.instruction, pieces.warp.function, pieces.warp.block,
                             pieces.warp.warp * kWarpSize + static_cast<std::uint32_t>(lane), true}});
    });
  }
  /// The warp closes a group of what it reads (commit), or has waited for all groups but the last few.
  void complete(std::uint32_t index, CopyUse use, std::uint32_t left) {
    if (!used_) return;
    OfWarp& warp = warps_[index];
    if (use == CopyUse::commit) {
      ++warp.groups;
      return;
    }
    std::erase_if(warp.reads, [&](const Read& read) {
      if (read.group + left >= warp.groups) return false;
      --pieces_[read.piece];
      return true;
    });
  }
  /// Who reads what this lane's access of shared memory overlaps.
  std::optional<RawFault::Other> overlapped(const WarpAccess& access, int lane) const {
    const std::uint64_t last = (access.address[lane] + access.bytes - 1) / kPiece;
    for (std::uint64_t piece = access.address[lane] / kPiece; piece <= last && piece < pieces_.size();
         ++piece) {
      if (pieces_[piece] == 0) continue;
      for (const OfWarp& warp : warps_)
        for (const Read& read : warp.reads)
          if (read.piece == piece) return read.by;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kPiece = 16;
  struct Read {
    std::uint64_t piece = 0;
    std::uint32_t group = 0;
    RawFault::Other by;
  };
  struct OfWarp {
    std::vector<Read> reads;
    std::uint32_t groups = 0;  ///< committed
  };

  bool used_ = false;
  std::vector<std::uint32_t> pieces_;  ///< how many of them are read
  std::vector<OfWarp> warps_;
};

}  // namespace fusebox::sim
