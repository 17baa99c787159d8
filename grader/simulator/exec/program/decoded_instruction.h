#pragma once

#include <cstdint>

#include "grader/simulator/exec/program/type.h"
#include "grader/simulator/exec/simt.h"
#include "grader/simulator/exec/state/access_kind.h"

namespace fusebox::sim {

struct Warp;
struct DecodedInstruction;

/// Executes one instruction for the lanes of a mask, which is never 0.
using Handler = void (*)(Warp&, const DecodedInstruction&, LaneMask);

/// What follows an instruction. Everything but `plain` ends a basic block.
enum class InstructionKind : std::uint8_t {
  plain,
  branch,          ///< to `target`
  indexed_branch,  ///< to Program::branch_tables[extra][a]
  call,            ///< Program::calls[extra]
  ret,
  exit,
  barrier,    ///< block barrier: waits
  arrive,     ///< block barrier: does not wait
  warp_sync,  ///< runs once every lane of its member mask (operand c) has come
  trap,
  wait,  ///< asks until what it waits for has come (execution/waiting.h); `extra` says what
};

/// What an InstructionKind::wait waits for, in DecodedInstruction::extra.
enum class WaitFor : std::uint32_t { mbarrier, cluster, warpgroup };

inline constexpr std::uint32_t kNoOperand = ~std::uint32_t{0};

/// One decoded instruction, ready to run. Operands are byte offsets into the warp's register file; immediates
/// and special registers have places there too, so that a handler only ever reads registers.
struct DecodedInstruction {
  Handler run = nullptr;
  std::uint32_t d = kNoOperand, e = kNoOperand;  ///< destinations
  std::uint32_t a = kNoOperand, b = kNoOperand, c = kNoOperand;
  std::uint32_t guard = kNoOperand;  ///< a predicate
  bool guard_negated = false;
  InstructionKind kind = InstructionKind::plain;
  Space space = Space::global;
  bool generic = false;            ///< the address says which space
  std::uint8_t bytes = 0;          ///< of one element in memory; of a collective's operand a, 0 a predicate
  std::uint8_t elements = 1;       ///< of a vector access
  std::uint8_t width = 4;          ///< bytes of the data register; of a collective's result, 0 a predicate
  std::uint8_t address_width = 8;  ///< bytes of the address register
  bool sign_extend = false;
  Order order = Order::weak;
  Scope scope = Scope::device;
  bool flag = false;         ///< meaning depends on the handler
  std::uint32_t target = 0;  ///< branch: basic block
  std::uint32_t extra = 0;   ///< index of a table of the program; meaning depends on the handler; of a
                             ///< vector load a mask of the elements that are only stored again; of another
                             ///< load 1 + its index in Program::copied_with, or 0
  std::uint32_t instruction = 0;
  std::int64_t immediate = 0;  ///< address offset, or as the handler says
  std::uint32_t data[4] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand};  ///< registers of a vector access
};

}  // namespace fusebox::sim
