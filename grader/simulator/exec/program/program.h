#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/simulator/exec/program/decoded_instruction.h"
#include "grader/simulator/exec/program/matrix_fragment.h"
#include "grader/simulator/exec/program/type.h"
#include "grader/simulator/exec/program/warpgroup_op.h"
#include "grader/simulator/exec/state/access_kind.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

using ptx::Opcode;

/// A straight run of instructions: only its first can be jumped to, only its last can jump.
struct BasicBlock {
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> successors;  ///< basic blocks; kExit for leaving the function
  std::uint32_t join =
      0;  ///< immediate post-dominator: where lanes that part here meet again; kExit: nowhere inside
  /// No straight run ends here where the next one follows, or where it branches to: the assembler schedules
  /// them together (ptx::short_branches), or nothing is waited for there (ptx::open_runs).
  bool goes_on = false, goes_on_there = false;
};
inline constexpr std::uint32_t kExit = ~std::uint32_t{0};

/// Cuts instructions into basic blocks and finds each block's immediate post-dominator. `leaders` marks
/// instructions that labels point at.
std::vector<BasicBlock> find_basic_blocks(const std::vector<DecodedInstruction>& instructions,
                                          const std::vector<bool>& leaders,
                                          const std::vector<std::vector<std::uint32_t>>& branch_tables,
                                          std::vector<std::uint32_t>& basic_block_of);

/// A register that holds a known value at the start of a warp.
struct Constant {
  std::uint32_t offset = 0;
  std::uint8_t width = 4;
  std::uint64_t bits = 0;
  bool in_frame =
      false;  ///< an offset into the frame's local memory: its base is added when the frame is made
};

/// A register that is read before it is written on some path. A kernel that takes that path finds in it what
/// nobody put there, and no other block's value, with which it might be right by accident.
struct UnsetRegister {
  std::uint32_t offset = 0;
  std::uint8_t width = 4;  ///< 0: a predicate
};
/// What stands in it: NaN in every type, and no NaN that arithmetic makes.
inline constexpr std::uint64_t kUnsetBits = 0x7ff8'7fde'7fc0'7fdeull;

/// A register that holds what the launch, the block or the lane decides.
struct Special;

/// A special register's place among the registers.
struct SpecialRegister {
  std::uint32_t offset = 0;
  const Special* special = nullptr;
};

struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
};

/// A variable in a function's frame.
struct FramePlace {
  std::uint32_t offset = 0, bytes = 0;
};

struct CallSite {
  const ptx::Function* callee = nullptr;  ///< null: through a pointer in operand a
  std::vector<FramePlace> actual_arguments,
      actual_results;  ///< through a pointer: places in the caller's frame
  struct Argument {
    std::uint32_t from = 0, to = 0, bytes = 0;  ///< offsets in the caller's and the callee's local memory
  };
  std::vector<Argument> arguments;  ///< copied in at the call
  std::vector<Argument> results;    ///< copied back at the return (from: callee)
};

/// What one matrix instruction works on: its registers, in the order of the PTX text, and its shape.
struct MatrixOp {
  std::vector<std::uint32_t> d, a, b, c;
  std::uint32_t m = 0, n = 0, k = 0;
  std::uint32_t k_at_once = 0;  ///< factors along k that are summed in one step, as hardware takes them
  Type a_type = Type::none, b_type = Type::none, c_type = Type::none, d_type = Type::none;
  MatrixFragment a_fragment, b_fragment, sum;
  bool saturate = false;
};

/// One wmma.load or wmma.store: where the matrix is in the lanes' registers, and how it is reached in memory.
struct FragmentMove {
  std::vector<std::uint32_t> registers;
  Type type = Type::none;
  MatrixFragment fragment;
  bool by_columns = false;  ///< of the matrix in memory
  std::vector<FragmentAccess> accesses;
  AccessPath path = AccessPath::lanes;
};

/// An instruction that may touch registers of a wgmma in flight.
struct WatchedInstruction {
  Handler plain = nullptr;                   ///< what it does
  std::vector<std::uint32_t> reads, writes;  ///< such registers
  bool moves = false;                        ///< it is a mov
};

/// One video instruction.
struct VideoOp {
  enum class What : std::uint8_t {
    add,
    sub,
    average,
    difference,
    min,
    max,
    compare,
    left,
    right,
    multiply_add
  };
  enum class Then : std::uint8_t { nothing, add, min, max, insert };
  What what = What::add;
  Then then = Then::nothing;  ///< with the last operand
  std::uint8_t lanes = 1;     ///< 1, 2 or 4 in a register
  bool signed_d = false, signed_a = false, signed_b = false, saturate = false;
  std::uint8_t compare = 0;  ///< eq, ne, lt, le, gt, ge
  bool wrap = false;         ///< shifts: else they clamp
  std::uint8_t shift = 0;    ///< vmad's .shr7 and .shr15
  bool plus_one = false;
  /// Which part of an operand: a byte or a half of it, or all.
  struct Part {
    std::uint8_t bytes = 4, at = 0;
  } a, b, d;
};

/// Combines `bytes` of elements with those that are at `to`.
using BulkReduction = void (*)(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes);

/// cp.async.bulk: where from, where to, how much, and the mbarrier that is told. With coordinates the end in
/// global memory is where a tensor map lies, which says how much.
struct BulkCopy {
  struct Address {
    std::uint32_t base = 0;  ///< register
    std::uint8_t width = 8;
    Space space = Space::global;
    std::int64_t offset = 0;
  };
  Address to, from, barrier;
  std::uint32_t bytes = 0;                 ///< register
  std::uint32_t mask = ~std::uint32_t{0};  ///< register: ranks of the blocks that all get it; none: one place
  bool completes = false;                  ///< `barrier` is one
  BulkReduction reduce = nullptr;          ///< cp.reduce.async.bulk
  const char* operation = nullptr;         ///< of tensors: the same by name, since their map has the type
  std::vector<std::uint32_t> at;           ///< registers: a tile's coordinates; empty: of no tensor
};

/// One tex, suld or sust instruction.
struct TextureOp {
  std::uint8_t dimensions = 1;
  bool layered = false;
  bool whole_positions = false;  ///< integers; else floats
  Type type = Type::f32;         ///< of what tex gives
  std::vector<std::uint32_t> data, position;
  std::uint32_t layer = kNoOperand, handle = kNoOperand;
  // Surfaces: bytes of one of the registers, and what happens outside.
  std::uint8_t bytes = 4;
  enum class Outside : std::uint8_t { trap, clamp, zero } outside = Outside::trap;
};

/// One PTX function, decoded.
struct Program {
  const ptx::Function* function = nullptr;
  std::vector<DecodedInstruction> instructions;  ///< one per PTX instruction, same index
  std::vector<BasicBlock> basic_blocks;
  std::vector<std::vector<std::uint32_t>> branch_tables;  ///< of basic blocks, for brx.idx
  std::vector<CallSite> calls;
  std::uint32_t register_bytes = 0;
  std::vector<Constant> constants;
  std::vector<SpecialRegister> specials;
  std::vector<UnsetRegister> unset;
  std::uint32_t local_bytes = 0;                ///< per lane: .local variables, call parameters
  std::vector<FramePlace> parameters, returns;  ///< of a function
  std::vector<MatrixOp> matrix_ops;
  std::vector<FragmentMove> fragment_moves;
  std::vector<WarpgroupOp> warpgroup_ops;
  std::vector<WatchedInstruction> watched;
  std::vector<std::uint32_t> watched_at;  ///< for each instruction its index there; empty: none is watched
  std::vector<Handler> unwatched;  ///< for each instruction what first_nan() stands for; empty: for none
  std::vector<BulkCopy> bulk_copies;
  std::vector<VideoOp> video_ops;
  std::vector<TextureOp> texture_ops;
  std::vector<std::vector<std::int32_t>>
      copied_with;                          ///< for a load of one part of a struct: where others lie from it
  std::vector<Handler> plain_handlers;      ///< of accesses that may leave the block, for those that do not
  std::uint32_t static_shared_bytes = 0;    ///< as CUDA counts it
  std::vector<SharedVariable> shared;       ///< with guard gaps between; offsets are multiples of 128
  std::uint32_t dynamic_shared_offset = 0;  ///< where `extern __shared__` begins, behind all static arrays
};

/// Whether bulk copies of it, or wgmma, read shared memory.
inline bool reads_asynchronously(const Program& program) {
  return !program.warpgroup_ops.empty() ||
         std::any_of(program.bulk_copies.begin(), program.bulk_copies.end(),
                     [](const BulkCopy& copy) { return copy.from.space == Space::shared; });
}

/// What the CUDA headers call the shared memory that the system reserves in each block, and its size.
inline constexpr const char* kReservedShared = "%reserved_smem_offset_1";
inline constexpr std::uint32_t kReservedSharedBytes = 1024;

}  // namespace fusebox::sim
