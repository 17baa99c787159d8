#include "grader/simulator/ptx/opcode.h"

#include <iterator>
#include <unordered_map>

namespace fusebox::ptx {
namespace {

constexpr OpcodeTraits kOpcodes[] = {
    {},  // unknown
#define OPCODE(name, spelling, family, flops, writes, waits, blocks, run) \
  {spelling, Family::family, Flops::flops, Writes::writes, Waits::waits, Blocks::blocks, StraightRun::run},
#include "grader/simulator/ptx/opcodes.def"
#undef OPCODE
};

}  // namespace

const OpcodeTraits& traits_of(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

Opcode find_opcode(std::string_view spelling) {
  static const auto known = [] {
    std::unordered_map<std::string_view, Opcode> opcodes;
    for (std::size_t k = 1; k < std::size(kOpcodes); ++k)
      opcodes.emplace(kOpcodes[k].spelling, static_cast<Opcode>(k));
    return opcodes;
  }();
  const auto found = known.find(spelling);
  return found == known.end() ? Opcode::unknown : found->second;
}

std::span<const OpcodeTraits> all_opcodes() { return std::span(kOpcodes).subspan(1); }

}  // namespace fusebox::ptx
