#pragma once

#include <cstdint>

namespace fusebox::sim {

enum class Space : std::uint8_t { global, shared, local, constant, param };
enum class AccessKind : std::uint8_t { load, store, atomic };

/// What an access or a fence promises about the order of memory. Everything but `weak` is an access that
/// other threads may make at the same time.
enum class Order : std::uint8_t { weak, volatile_access, relaxed, acquire, release, acquire_release };
/// The threads to which it promises that.
enum class Scope : std::uint8_t { block, cluster, device, system };

/// How the addresses of a warp's lanes lie, as far as the one that raises the event has looked.
enum class AddressPattern : std::uint8_t {
  any,        ///< nothing is known
  unit,       ///< all 32 lanes, each right behind the one before it, the first at a multiple of its width
  broadcast,  ///< all 32 lanes at one address, a multiple of its width
};

/// What carries an access out, where that is not the warp, lane by lane.
enum class AccessPath : std::uint8_t {
  lanes,
  copy,      ///< the shared memory's end of a cp.async: no store instruction
  matrices,  ///< ldmatrix and stmatrix: each lane's 16 bytes are a row
  tensor,  ///< what a wgmma reads, in pieces of 16 bytes: no load instruction. They are its until it has been
           ///< waited for
  tensor_again,  ///< the same, which hardware reads once for several warps
};

constexpr bool is_tensor(AccessPath path) {
  return path == AccessPath::tensor || path == AccessPath::tensor_again;
}

}  // namespace fusebox::sim
