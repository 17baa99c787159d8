#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/simulator/exec/decode/translator.h"

// Which registers may be read before they are written, on some path through a function.

namespace fusebox::sim {
namespace {

using Bits = std::vector<std::uint64_t>;

bool has(const Bits& bits, std::uint32_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }
void put(Bits& bits, std::uint32_t at) { bits[at / 64] |= std::uint64_t{1} << (at % 64); }

/// What a basic block reads before it writes it, and what it writes whatever its lanes do.
struct Uses {
  Bits reads, writes;
};

}  // namespace

void Translator::find_unset(const Registers& declared) {
  std::unordered_map<std::string, std::uint32_t> number;
  std::vector<Slot> slots;
  for (const auto& [name, slot] : declared) {
    number.emplace(name, static_cast<std::uint32_t>(slots.size()));
    slots.push_back(slot);
  }
  const Bits none((slots.size() + 63) / 64, 0);
  const auto& blocks = program_.basic_blocks;
  std::vector<Uses> uses(blocks.size(), {none, none});
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Uses& of = uses[b];
    const auto read = [&](const std::string& name) {
      if (const auto found = number.find(name); found != number.end() && !has(of.writes, found->second))
        put(of.reads, found->second);
    };
    for (std::uint32_t at = blocks[b].first; at <= blocks[b].last && at < function_.instructions.size();
         ++at) {
      const ptx::Instruction& i = function_.instructions[at];
      const bool writes = ptx::writes_first_operand(i);
      read(i.guard);
      for (std::size_t k = writes ? 1 : 0; k < i.operands.size(); ++k)
        ptx::for_each_name(i.operands[k], read);
      if (writes && i.guard.empty())
        ptx::for_each_name(i.operands[0], [&](const std::string& name) {
          if (const auto found = number.find(name); found != number.end()) put(of.writes, found->second);
        });
    }
  }
  // Backwards, until nothing is added: what a block reads, or its successors read and it does not write.
  std::vector<Bits> live(blocks.size(), none);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      Bits now = none;
      for (const std::uint32_t next : blocks[b].successors)
        if (next != kExit)
          for (std::size_t w = 0; w < now.size(); ++w) now[w] |= live[next][w];
      for (std::size_t w = 0; w < now.size(); ++w) now[w] = (now[w] & ~uses[b].writes[w]) | uses[b].reads[w];
      if (now == live[b]) continue;
      live[b] = std::move(now);
      grew = true;
    }
  }
  for (std::uint32_t at = 0; !live.empty() && at < slots.size(); ++at)
    if (has(live[0], at)) program_.unset.push_back({slots[at].offset, slots[at].width});
  // In the order in which they lie, and not in that of a table of names.
  std::sort(program_.unset.begin(), program_.unset.end(),
            [](const UnsetRegister& a, const UnsetRegister& b) { return a.offset < b.offset; });
}

}  // namespace fusebox::sim
