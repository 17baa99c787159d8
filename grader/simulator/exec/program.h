#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/report/result.h"
#include "grader/simulator/exec/matrix_fragment.h"
#include "grader/simulator/exec/memory.h"
#include "grader/simulator/exec/step.h"
#include "grader/simulator/exec/texture.h"
#include "grader/simulator/exec/type.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

using ptx::Opcode;

/// A straight run of steps: only its first can be jumped to, only its last can jump.
struct BasicBlock {
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> successors;  ///< blocks; kExit for leaving the function
  std::uint32_t join =
      0;  ///< immediate post-dominator: where lanes that part here meet again; kExit: nowhere inside
  /// The assembler schedules it together with the next one (ptx::short_branches): no straight run ends here.
  bool goes_on = false;
};
inline constexpr std::uint32_t kExit = ~std::uint32_t{0};

/// Cuts steps into blocks and finds each block's immediate post-dominator. `leaders` marks steps that labels
/// point at.
std::vector<BasicBlock> find_blocks(const std::vector<Step>& steps, const std::vector<bool>& leaders,
                                    const std::vector<std::vector<std::uint32_t>>& branch_tables,
                                    std::vector<std::uint32_t>& block_of_step);

/// A register that holds a known value at the start of a warp.
struct Constant {
  std::uint32_t offset = 0;
  std::uint8_t width = 4;
  std::uint64_t bits = 0;
  bool in_frame =
      false;  ///< an offset into the frame's local memory: its base is added when the frame is made
};

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
  Means means = Means::lanes;
};

/// One video instruction.
struct VideoOp {
  enum class What : std::uint8_t {
    add,
    sub,
    average,
    difference,
    least,
    most,
    compare,
    left,
    right,
    multiply_add
  };
  enum class Then : std::uint8_t { nothing, add, least, most, insert };
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

/// cp.async.bulk: where from, where to, how much, and the mbarrier that is told.
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
};

/// One PTX function, decoded.
struct Program {
  const ptx::Function* function = nullptr;
  std::vector<Step> steps;  ///< one per PTX instruction, same index
  std::vector<BasicBlock> blocks;
  std::vector<std::vector<std::uint32_t>> branch_tables;  ///< of blocks, for brx.idx
  std::vector<CallSite> calls;
  std::uint32_t register_bytes = 0;
  std::vector<Constant> constants;
  std::vector<SpecialRegister> specials;
  std::uint32_t local_bytes = 0;                ///< per lane: .local variables, call parameters
  std::vector<FramePlace> parameters, returns;  ///< of a function
  std::vector<MatrixOp> matrix_ops;
  std::vector<FragmentMove> fragment_moves;
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

/// A module whose variables have their addresses and whose functions are decoded.
class LoadedModule {
 public:
  /// `variable_base`: where the .global and .const variables will lie; their addresses go into the decoded
  /// code.
  LoadedModule(ptx::Module module, DeviceAddress variable_base);

  const ptx::Module& module() const { return module_; }
  /// The decoded kernel or function. An instruction in it, or in a function that it may call, that is not
  /// supported is refused here, by name, with its source line.
  Result<const Program*> program(const std::string& name) const;
  /// For functions that program() has accepted as reachable.
  const Program* find(const ptx::Function* function) const;
  /// The function that a pointer names; null when it names none, or one that was refused.
  const Program* find(std::uint64_t pointer) const;
  /// The value that a pointer to a function or variable of this module has; 0 when there is none of that
  /// name.
  std::uint64_t address_of(const std::string& symbol) const;

  /// A .global or .const variable by its mangled name; null when there is none.
  const ptx::Variable* find_variable(const std::string& name) const;
  DeviceAddress address_of(const ptx::Variable& variable) const {
    return variable_base_ + variable_offsets_.at(variable.name);
  }
  /// Makes every variable a live buffer and writes its initial value; without one it is zero.
  Result<bool> place_variables(GlobalMemory& memory) const;

  /// Whether any of its code can make an address in the shared memory of another block.
  bool uses_clusters() const { return uses_clusters_; }
  /// Whether any of it calls `malloc`.
  bool uses_heap() const { return uses_heap_; }
  /// Whether any of it asks where the grid's workspace is.
  bool uses_grid_workspace() const { return uses_grid_workspace_; }

  /// "file.cu:12" of a location in this module.
  std::string where(const ptx::Location& location) const;

 private:
  friend class Translator;
  void lay_out_common_shared();
  void refuse(const ptx::Function& function, const ptx::Instruction* at, const std::string& reason);
  ptx::Module module_;
  DeviceAddress variable_base_ = 0;
  bool uses_clusters_ = false, uses_grid_workspace_ = false, uses_heap_ = false;
  /// Shared memory that functions which were not inlined name, and what the system reserves in each block: at
  /// the same place whatever kernel calls them.
  std::vector<SharedVariable> common_shared_;
  std::uint32_t common_shared_end_ = 0;
  std::uint32_t common_dynamic_offset_ =
      0;  ///< of `extern __shared__` when such a function names one; else 0
  std::map<std::string, std::uint64_t, std::less<>> variable_offsets_;
  std::map<const ptx::Function*, Program> programs_;
  std::map<const ptx::Function*, Error> refused_;
};

/// What the CUDA headers call the shared memory that the system reserves in each block, and its size.
inline constexpr const char* kReservedShared = "%reserved_smem_offset_1";
inline constexpr std::uint32_t kReservedSharedBytes = 1024;
/// Shared arrays keep this much room between them, so that an index past the end of one meets a guard and not
/// the next. A multiple of 128 bytes: where the banks lie inside an array does not change.
inline constexpr std::uint32_t kSharedGuard = 128;

/// The names that a function's instructions mention, and those of all functions that it may call.
std::set<std::string> names_mentioned(const ptx::Module& module, const ptx::Function& function);

/// The value that a function's address has in device code; 0 is no function.
inline constexpr std::uint64_t kFunctionWindow = 0x4'0000'0000ull, kFunctionStep = 16;

}  // namespace fusebox::sim
