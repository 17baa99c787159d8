#pragma once

#include <string>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {

/// What cp.reduce.async.bulk does with elements of a type; null when it has no such form.
BulkReduction bulk_reduction(const std::string& op, Type type);

/// cp.async.bulk and cp.reduce.async.bulk; DecodedInstruction::extra is the index of its BulkCopy.
void bulk_copy(Warp&, const DecodedInstruction&, LaneMask);
/// What waits for groups of them; as use_copies().
void use_bulk_copies(Warp&, const DecodedInstruction&, LaneMask);

/// Where one end of a copy is. `rank`: of the block whose shared memory is meant whatever the address says;
/// negative: what it says.
Place bulk_place(Warp&, const BulkCopy::Address&, int lane, int rank);

/// Bytes that a copy reads or writes at one end, side by side.
struct BulkPart {
  Place place;
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes = 0;
  std::int64_t completes = -1;  ///< as in WarpAccess
  bool grouped = false;         ///< the same
};
/// Notifies observers as if a warp did it, up to 512 bytes at a time; `lane` answers for all of it.
void notify_bulk_part(Warp&, const DecodedInstruction&, int lane, const BulkPart&);

}  // namespace fusebox::sim
