#include <algorithm>
#include <cmath>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/atomics.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/memory/ordering.h"
#include "grader/simulator/exec/state/warp.h"

namespace fusebox::sim {
namespace {

std::optional<Space> space_of(const ptx::Instruction& i) {
  for (const std::string& modifier : i.modifiers) {
    if (modifier == "global") return Space::global;
    if (modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster")
      return Space::shared;
    if (modifier == "local") return Space::local;
    if (modifier == "const") return Space::constant;
    if (modifier == "param" || modifier.starts_with("param::")) return Space::param;
  }
  return std::nullopt;
}

std::uint64_t window_base(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

}  // namespace

/// Where the access goes: decoded.a holds the base, decoded.immediate the offset; a symbol's address is a
/// constant.
bool Translator::address(DecodedInstruction& decoded, const ptx::Operand& o) {
  if (o.kind != ptx::Operand::Kind::address || o.elements.size() > 1)
    throw Unsupported{"this form of address in `" + current_->name() + "`"};
  if (o.elements.empty()) {
    decoded.a = constant(static_cast<std::uint64_t>(o.integer), 8);
    decoded.immediate = 0;
    return true;
  }
  const ptx::Operand& base = o.elements[0];
  // A symbol says itself where it lives when the instruction does not, and a function's parameters live in
  // its frame.
  if (base.kind == ptx::Operand::Kind::symbol && in_frame_.contains(base.name)) {
    decoded.flag = decoded.space == Space::param;  // of a call, which the assembler hands over in registers
    if (decoded.space == Space::param || decoded.generic) decoded.space = Space::local;
    decoded.generic = false;
  } else if (base.kind == ptx::Operand::Kind::symbol && shared_.contains(base.name)) {
    decoded.space = Space::shared;
    decoded.generic = false;
  } else if (base.kind == ptx::Operand::Kind::reg && decoded.space == Space::param && !function_.entry) {
    decoded.space = Space::local;
  }
  Slot slot = operand(base, Type::b64);
  if (slot.width != 4 && slot.width != 8)
    throw Unsupported{"an address of " + std::to_string(slot.width) + " bytes"};
  decoded.a = slot.offset;
  decoded.address_width = slot.width;
  decoded.immediate = o.integer;
  return true;
}

/// Does a compare-and-swap further down test what this loads? Then the load is only its first guess, and is
/// as good as the atomic ones that follow.
bool Translator::guesses_for_swap(const ptx::Operand& from) const {
  const auto place = [](const ptx::Operand& o) { return std::pair(o.elements.at(0).name, o.integer); };
  return std::any_of(function_.instructions.begin(), function_.instructions.end(), [&](const auto& i) {
    return &i > current_ && i.opcode == Opcode::atom && i.has("cas") && i.operands.size() > 1 &&
           !i.operands[1].elements.empty() && !from.elements.empty() && place(i.operands[1]) == place(from);
  });
}

/// Is a register's value only ever stored again? Then what it holds has been copied and not been looked at.
bool Translator::only_stored(const std::string& name) {
  if (!looked_at_) {
    looked_at_.emplace();
    for (const ptx::Instruction& i : function_.instructions) {
      // What an instruction is named first it writes; a store is named first where to, and then what.
      const bool store = i.opcode == Opcode::st,
                 writes = i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::mov;
      for (std::size_t k = writes ? 1 : 0; k < i.operands.size(); ++k)
        if (!(store && k == 1))
          for_each_name(i.operands[k], [&](const std::string& name) { looked_at_->insert(name); });
    }
  }
  return !looked_at_->contains(name);
}

/// The register and the offset that an address was made of, as far as it is that plus a constant.
std::pair<std::string, std::int64_t> Translator::origin_of(std::string name, std::int64_t offset) {
  if (!writer_) {
    writer_.emplace();
    for (const ptx::Instruction& i : function_.instructions)
      if (!i.operands.empty() && i.opcode != Opcode::st && i.operands[0].kind == ptx::Operand::Kind::reg)
        if (const auto [at, fresh] = writer_->try_emplace(i.operands[0].name, &i); !fresh)
          at->second = nullptr;
  }
  for (int instructions = 0; instructions < 16; ++instructions) {
    const auto at = writer_->find(name);
    if (at == writer_->end() || at->second == nullptr || at->second->operands.size() < 2) break;
    const ptx::Instruction& i = *at->second;
    const bool adds = i.opcode == Opcode::add && i.operands.size() == 3 &&
                      i.operands[2].kind == ptx::Operand::Kind::integer;
    if ((!adds && i.opcode != Opcode::mov) || i.operands[1].kind != ptx::Operand::Kind::reg) break;
    if (adds) offset += i.operands[2].integer;
    name = i.operands[1].name;
  }
  return {std::move(name), offset};
}

/// Compilers that do not optimise copy structs word by word. Where other loads of the same address and
/// another offset lie, relative to this one: 1 + the list's index, or 0 when there are none.
std::uint32_t Translator::copied_with(const ptx::Operand& from) {
  if (from.elements.empty()) return 0;
  constexpr std::int64_t kFar = 1024;
  constexpr std::ptrdiff_t kNear = 64;  // instructions
  const auto [base, mine] = origin_of(from.elements[0].name, from.integer);
  std::vector<std::int32_t> others;
  const ptx::Instruction* const all = function_.instructions.data();
  const auto here = current_ - all, count = static_cast<std::ptrdiff_t>(function_.instructions.size());
  for (auto at = std::max<std::ptrdiff_t>(here - kNear, 0); at < std::min(here + kNear, count); ++at) {
    const ptx::Instruction& i = all[at];
    if (i.opcode != Opcode::ld || i.operands.size() != 2 || i.operands[1].elements.empty()) continue;
    const auto [other_base, offset] = origin_of(i.operands[1].elements[0].name, i.operands[1].integer);
    if (other_base == base && offset != mine && std::abs(offset - mine) < kFar)
      others.push_back(static_cast<std::int32_t>(offset - mine));
  }
  if (others.empty()) return 0;
  program_.copied_with.push_back(std::move(others));
  return static_cast<std::uint32_t>(program_.copied_with.size());
}

/// Warps of the simulator see each other's accesses in order: a fence is something to tell the observers.
bool Translator::fence(DecodedInstruction& decoded) {
  decoded.order = order_of(*current_);
  decoded.scope = scope_of(*current_);
  const bool of_proxies = current_->has("proxy") && current_->has("async") && !current_->has("global");
  decoded.run = of_proxies ? notify_proxy_fence : notify_fence;
  return true;
}

bool Translator::about_addresses(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (i.opcode == Opcode::createpolicy) {
    // A cache policy is opaque to the program: any value will do.
    ptx::Instruction set;
    set.opcode = Opcode::mov;
    set.modifiers = {"b64"};
    const Slot d = register_of(i.operands.at(0));
    if (d.width != 8) throw Unsupported{"`" + i.name() + "` of another width"};
    decoded.run = lane_ops().integer(set)->run;
    decoded.d = d.offset;
    decoded.a = constant(0, 8);
    return true;
  }
  if (i.opcode == Opcode::isspacep) {
    decoded.run = is_space;
    decoded.space = space_of(i).value_or(Space::global);
    decoded.d = predicate(i.operands.at(0));
    decoded.a = source(i.operands.at(1), 8);
    return true;
  }
  bool to = i.has("to");
  Space space = space_of(i).value_or(Space::global);
  if (space == Space::param && !function_.entry) space = Space::local;
  ptx::Instruction add;
  add.opcode = to ? Opcode::sub : Opcode::add;
  add.modifiers = {"u64"};
  Slot d = register_of(i.operands.at(0)), a = operand(i.operands.at(1), Type::b64);
  if (d.width != 8 || a.width != 8) throw Unsupported{"`" + i.name() + "` of 32 bits"};
  decoded.run = lane_ops().integer(add)->run;
  decoded.d = d.offset;
  decoded.a = a.offset;
  decoded.b = constant(window_base(space), 8);
  return true;
}

bool Translator::access(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const bool load = i.opcode != Opcode::st;
  decoded.order = order_of(i);
  decoded.scope = scope_of(i);
  // Behind the address or what is stored: a cache policy, which is only a hint.
  if (i.operands.size() != (i.has("L2::cache_hint") ? 3u : 2u) || i.modifiers.empty())
    throw Unsupported{"`" + i.name() + "` with these operands"};
  Type type = parse_type(i.modifiers.back());
  if (type_bytes(type) == 0 || type_bytes(type) > 8) throw Unsupported{"`" + i.name() + "`"};
  if (i.has("v8")) throw Unsupported{"`" + i.name() + "`"};
  std::optional<Space> space = space_of(i);
  decoded.space = space.value_or(Space::global);
  decoded.generic = !space;
  decoded.bytes = static_cast<std::uint8_t>(type_bytes(type));
  decoded.sign_extend = is_signed(type);
  address(decoded, i.operands[load ? 1 : 0]);
  if (load && decoded.order == Order::weak &&
      (guesses_for_swap(i.operands[1]) || loaded_.swap_guesses_.contains(&i)))
    decoded.order = Order::relaxed;
  const ptx::Operand& data = i.operands[load ? 0 : 1];
  std::vector<ptx::Operand> elements =
      data.kind == ptx::Operand::Kind::vector ? data.elements : std::vector<ptx::Operand>{data};
  std::size_t expected = i.has("v2") ? 2 : i.has("v4") ? 4 : 1;
  if (elements.size() != expected)
    throw Unsupported{"`" + i.name() + "` of " + std::to_string(elements.size()) + " elements"};
  decoded.elements = static_cast<std::uint8_t>(elements.size());
  decoded.width = 0;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (load && elements[k].name == "_") continue;
    Slot slot = load ? register_of(elements[k]) : operand(elements[k], type);
    if (decoded.width != 0 && slot.width != decoded.width)
      throw Unsupported{"`" + i.name() + "` on registers of different widths"};
    decoded.width = slot.width;
    decoded.data[k] = slot.offset;
    if (load && expected > 1 && only_stored(elements[k].name)) decoded.extra |= 1u << k;
  }
  if (load && expected == 1 && loaded_.module().unoptimised && only_stored(elements[0].name))
    decoded.extra = copied_with(i.operands[1]);
  decoded.run = load ? lane_ops().load(decoded) : lane_ops().store(decoded);
  if (decoded.run == nullptr)
    throw Unsupported{"`" + i.name() + "` on a register of " + std::to_string(decoded.width) + " bytes"};
  may_leave_block(decoded);
  return true;
}

/// nvcc writes .add.v2.f32, the ISA .v2.f32.add.
void Translator::atomic_vector(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  Type type = Type::none;
  for (const std::string& modifier : i.modifiers)
    if (parse_type(modifier) != Type::none) type = parse_type(modifier);
  std::size_t count = i.has("v2") ? 2 : i.has("v4") ? 4 : 8, at = i.opcode == Opcode::atom ? 1 : 0;
  decoded.space = space_of(i).value_or(Space::global);
  decoded.generic = false;
  decoded.run = atomic_vector_handler(i, type);
  decoded.order = order_of(i);
  decoded.scope = scope_of(i);
  if (decoded.run == nullptr || decoded.space != Space::global || i.operands.size() < at + 2)
    throw Unsupported{"`" + i.name() + "`"};
  address(decoded, i.operands[at]);
  MatrixOp registers;
  auto place = [&](const ptx::Operand& operand, std::vector<std::uint32_t>& list) {
    if (operand.elements.size() != count)
      throw Unsupported{"`" + i.name() + "` of another number of elements"};
    for (const ptx::Operand& element : operand.elements) {
      list.push_back(source(element, type_bytes(type)));
    }
  };
  if (at == 1) place(i.operands[0], registers.d);
  place(i.operands[at + 1], registers.b);
  decoded.bytes = static_cast<std::uint8_t>(count * type_bytes(type));
  decoded.extra = static_cast<std::uint32_t>(program_.matrix_ops.size());
  program_.matrix_ops.push_back(std::move(registers));
}

/// An `atom` that might as well be a `red`: compilers leave that to the assembler.
bool Translator::is_blind_reduction() {
  if (!reductions_) reductions_ = blind_reductions(function_);
  const auto index = static_cast<std::size_t>(current_ - function_.instructions.data());
  return (*reductions_)[index] != Reduction::none;
}

bool Translator::atomic(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  bool returns = i.opcode == Opcode::atom;
  if (i.has("v2") || i.has("v4") || i.has("v8")) {
    atomic_vector(decoded);
    return true;
  }
  if (i.modifiers.empty()) throw Unsupported{"`" + i.name() + "`"};
  Type type = parse_type(i.modifiers.back());
  std::optional<Space> space = space_of(i);
  decoded.space = space.value_or(Space::global);
  decoded.generic = !space;
  decoded.bytes = static_cast<std::uint8_t>(type_bytes(type));
  decoded.run = atomic_handler(i, type);
  decoded.order = order_of(i);
  decoded.scope = scope_of(i);
  if (decoded.run == nullptr) throw Unsupported{"`" + i.name() + "`"};
  std::size_t at = returns ? 1 : 0;
  if (i.operands.size() < at + 2) throw Unsupported{"`" + i.name() + "` with too few operands"};
  address(decoded, i.operands[at]);
  if (returns && i.operands[0].name != "_" && !is_blind_reduction())
    decoded.d = destination(i.operands[0], type_bytes(type));
  decoded.b = source(i.operands[at + 1], type_bytes(type));
  if (i.operands.size() > at + 2 && i.has("cas")) decoded.c = source(i.operands[at + 2], type_bytes(type));
  if (i.has("cas") && decoded.c == kNoOperand) throw Unsupported{"`" + i.name() + "` with too few operands"};
  return true;
}

}  // namespace fusebox::sim
