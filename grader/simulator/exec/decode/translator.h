#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/state/reduction.h"

namespace fusebox::sim {

/// Thrown inside the translator only; LoadedModule turns it into an Error.
struct Unsupported {
  std::string reason;
};

/// Decodes one PTX function: gives every operand a place in the register file and every instruction its
/// handler.
class Translator {
 public:
  Translator(const LoadedModule& loaded, const ptx::Function& function)
      : loaded_(loaded), function_(function) {}
  /// Throws Unsupported; current() then is the instruction at fault.
  Program run();
  const ptx::Instruction* current() const { return current_; }

 private:
  struct Slot {
    std::uint32_t offset = 0;
    std::uint8_t width = 0;  ///< 0: predicate
  };

  // translator.cc: the register file and the walk over the instructions
  void place_registers();
  void place_shared_variables();
  void place_local_variables();
  std::uint32_t new_slot(std::uint32_t bytes);
  std::uint32_t constant(std::uint64_t bits, std::uint8_t width, bool in_frame = false);
  Slot special(const std::string& name);
  Slot register_of(const ptx::Operand& operand);
  Slot operand(const ptx::Operand& operand, Type type);
  std::uint32_t predicate(const ptx::Operand& operand);
  std::uint32_t predicate_or_none(const ptx::Operand& operand);  ///< `_` is none
  /// A source or a destination of exactly this many bytes.
  std::uint32_t source(const ptx::Operand& operand, std::uint32_t width);
  std::uint32_t destination(const ptx::Operand& operand, std::uint32_t width);
  std::uint32_t target(const ptx::Operand& operand) const;
  void translate(DecodedInstruction& decoded);
  bool decode(DecodedInstruction& decoded);
  void finish_branches();
  // unset_at_entry.cc
  using Registers = std::unordered_map<std::string, Slot>;
  void find_unset(const Registers& declared);

  // translate_compute.cc, translate_memory.cc, translate_control.cc: decode() chooses among them by family,
  // and each answers whether it knows this form
  bool compute(DecodedInstruction& decoded);
  bool move(DecodedInstruction& decoded);
  bool fence(DecodedInstruction& decoded);
  bool about_addresses(DecodedInstruction& decoded);
  bool access(DecodedInstruction& decoded);
  bool address(DecodedInstruction& decoded, const ptx::Operand& operand);
  bool guesses_for_swap(const ptx::Operand& from) const;
  bool only_stored(const std::string& name);
  std::uint32_t copied_with(const ptx::Operand& from);
  std::pair<std::string, std::int64_t> origin_of(std::string name, std::int64_t offset);
  bool atomic(DecodedInstruction& decoded);
  bool is_blind_reduction();
  void atomic_vector(DecodedInstruction& decoded);
  bool control(DecodedInstruction& decoded);
  bool indexed_branch(DecodedInstruction& decoded);
  bool call(DecodedInstruction& decoded);
  bool system_call(DecodedInstruction& decoded, const std::string& name,
                   const std::vector<FramePlace>& arguments, const std::vector<FramePlace>& results);
  bool async_copy(DecodedInstruction& decoded);
  bool matrix(DecodedInstruction& decoded);
  bool matrix_memory(DecodedInstruction& decoded);
  std::vector<std::uint32_t> registers_of(const ptx::Operand& operand, std::uint8_t width);
  // translate_warpgroup.cc
  bool warpgroup(DecodedInstruction& decoded);
  WarpgroupOp::Factor warpgroup_factor(std::string_view type, const ptx::Operand& operand);
  void watch_registers();
  void watch_nan();
  bool collective(DecodedInstruction& decoded);
  bool video(DecodedInstruction& decoded);    // translate_video.cc
  bool texture(DecodedInstruction& decoded);  // translate_texture.cc
  bool warp_barrier(DecodedInstruction& decoded);
  bool barrier(DecodedInstruction& decoded);
  // translate_async.cc
  bool mbarrier(DecodedInstruction& decoded);
  void mbarrier_address(DecodedInstruction& decoded, const ptx::Operand& operand);
  void mbarrier_update(DecodedInstruction& decoded);
  void mbarrier_arrival(DecodedInstruction& decoded);
  bool bulk(DecodedInstruction& decoded);
  bool bulk_tensor(DecodedInstruction& decoded);
  BulkCopy::Address bulk_address(const ptx::Operand& operand, Space space);
  bool cluster(DecodedInstruction& decoded);
  bool cluster_barrier(DecodedInstruction& decoded);
  void may_leave_block(DecodedInstruction& decoded);

  const LoadedModule& loaded_;
  const ptx::Function& function_;
  const ptx::Instruction* current_ = nullptr;
  Program program_;
  Registers registers_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> constants_;
  std::unordered_map<std::string, std::uint32_t> shared_;  ///< offset in the block's shared memory
  std::unordered_map<std::string, FramePlace> in_frame_;   ///< .local and .param variables
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::optional<std::unordered_set<std::string>> looked_at_;  ///< see only_stored()
  std::optional<std::vector<Reduction>> reductions_;          ///< see is_blind_reduction()
  /// What writes a register, for those that one instruction writes.
  std::optional<std::unordered_map<std::string, const ptx::Instruction*>> writer_;
};

}  // namespace fusebox::sim
