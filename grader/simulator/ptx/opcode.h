#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fusebox::ptx {

/// The first word of an instruction. `unknown`: one that opcodes.def lacks; what has it is refused by name.
enum class Opcode : std::uint8_t {
  unknown,
#define OPCODE(name, ...) name,
#include "grader/simulator/ptx/opcodes.def"
#undef OPCODE
};

/// Which part of the translator decodes it.
enum class Family : std::uint8_t {
  unknown,
  compute,  ///< one result of its operands, lane by lane
  move,
  video,
  access,   ///< plain loads and stores
  address,  ///< of addresses themselves: no access
  fence,
  atomic,
  copy,
  mbarrier,
  texture,
  hint,  ///< decoded to nothing
  matrix,
  barrier,
  collective,  ///< lanes of a warp see each other
  cluster,
  control,
};

/// What one lane's floating-point result counts as. `special`: one, on the special-function unit unless f64.
enum class Flops : std::uint8_t { none, one, special, two, matrix };

/// What becomes of the first operand. `of_all`: written, and undefined if any other operand is; `nothing`:
/// only read, in every form; `of_some`: all else, where forms differ or operands may be ignored.
enum class Writes : std::uint8_t { of_all, of_some, nothing };

/// Where the result comes from. `memory`: whoever uses it waits for memory; `later`: nobody waits here.
enum class Waits : std::uint8_t { no, memory, later };

/// Whether blocks can tell by it in which order they run. `apart`: no; `by_order`: where its modifiers name
/// an order; `outside`: unless it stays in the block's own memory; `reducing`: with .reduce; `always`: yes.
enum class Blocks : std::uint8_t { apart, by_order, outside, reducing, always };

/// What the assembler makes of a straight run. `on`: goes on; `alone`: as well, but is never predicated in
/// place of a branch around it; `ends`: ends it, and is never predicated.
enum class StraightRun : std::uint8_t { on, alone, ends };

struct OpcodeTraits {
  std::string_view spelling;
  Family family = Family::unknown;
  Flops flops = Flops::none;
  Writes writes = Writes::of_some;
  Waits waits = Waits::no;
  Blocks blocks = Blocks::always;
  StraightRun run = StraightRun::on;
};

const OpcodeTraits& traits_of(Opcode opcode);
/// `unknown` when there is none of that spelling.
Opcode find_opcode(std::string_view spelling);
/// All but `unknown`, in the order of the table.
std::span<const OpcodeTraits> all_opcodes();

}  // namespace fusebox::ptx
