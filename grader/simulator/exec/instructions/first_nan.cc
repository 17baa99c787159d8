#include "grader/simulator/exec/instructions/first_nan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {
namespace {

/// "0 / 0", which is worked out; of what takes one operand, "the square root of -1".
std::string said(Opcode opcode, double a, double b, double c) {
  switch (opcode) {
    case Opcode::add:
      return fmt::format("{:.4g} + {:.4g}", a, b);
    case Opcode::sub:
      return fmt::format("{:.4g} - {:.4g}", a, b);
    case Opcode::mul:
      return fmt::format("{:.4g} * {:.4g}", a, b);
    case Opcode::fma:
    case Opcode::mad:
      return fmt::format("{:.4g} * {:.4g} + {:.4g}", a, b, c);
    case Opcode::div:
      return fmt::format("{:.4g} / {:.4g}", a, b);
    case Opcode::sqrt:
      return fmt::format("the square root of {:.4g}", a);
    case Opcode::rsqrt:
      return fmt::format("1 / the square root of {:.4g}", a);
    case Opcode::lg2:
      return fmt::format("the logarithm of {:.4g}", a);
    case Opcode::sin:
      return fmt::format("the sine of {:.4g}", a);
    default:
      return fmt::format("the cosine of {:.4g}", a);
  }
}

template <class T>
void watched(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  using Lanes = std::array<T, kWarpSize>;
  const auto read = [&](std::uint32_t at) {
    Lanes lanes{};
    if (at != kNoOperand) std::copy_n(w.lanes_of<T>(at), kWarpSize, lanes.begin());
    return lanes;
  };
  // Before: the result may take an operand's place.
  const Lanes a = read(s.a), b = read(s.b), c = read(s.c);
  const Program& program = *w.frame->program;
  program.unwatched[s.instruction](w, s, mask);
  const Lanes d = read(s.d);
  const auto is_unset = [](T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(value) == static_cast<Bits>(kUnsetBits);
  };
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (!std::isnan(d[lane])) continue;
    const bool unset = is_unset(a[lane]) || is_unset(b[lane]) || is_unset(c[lane]);
    if (!unset && (std::isnan(a[lane]) || std::isnan(b[lane]) || std::isnan(c[lane]))) continue;
    RawFault fault;
    fault.kind = FaultKind::not_a_number;
    fault.instruction = s.instruction;
    fault.function = program.function;
    fault.block = w.id.block;
    fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(lane);
    const Opcode opcode = program.function->instructions[s.instruction].opcode;
    fault.note = unset ? "a variable is read that has no value yet"
                       : said(opcode, a[lane], b[lane], c[lane]) + " is worked out";
    w.block->launch->faults->add(fault);
  }
}

}  // namespace

Handler first_nan(const ptx::Instruction& instruction) {
  // `add.f32.bf16` has operands of another width.
  const std::string type = instruction.modifiers.empty() ? "" : instruction.modifiers.back();
  switch (instruction.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
      return type == "f32" ? watched<float> : type == "f64" ? watched<double> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace fusebox::sim
