#include "grader/simulator/exec/decode/translator.h"

#include <algorithm>
#include <bit>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/instructions/first_nan.h"
#include "grader/simulator/exec/program/special_registers.h"
#include "grader/simulator/ptx/branches/open_runs.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kCacheLine = 64;
constexpr std::uint32_t kMaxLocalBytes = 512 << 10;
constexpr std::uint32_t kMaxRegisterBytes = 256 << 20;
constexpr std::uint64_t kMaxSharedBytes = 1 << 20;

std::uint32_t round_up(std::uint64_t value, std::uint32_t multiple) {
  return static_cast<std::uint32_t>((value + multiple - 1) / multiple * multiple);
}

std::uint64_t real_bits(const ptx::Operand& operand, std::uint8_t width) {
  if (width == 4)
    return operand.is_bits32 ? operand.bits32
                             : std::bit_cast<std::uint32_t>(static_cast<float>(operand.real));
  if (width == 8)
    return operand.is_bits64 ? static_cast<std::uint64_t>(operand.integer)
                             : std::bit_cast<std::uint64_t>(operand.real);
  throw Unsupported{"a floating-point constant of 16 bits"};
}

}  // namespace

std::uint32_t Translator::new_slot(std::uint32_t bytes) {
  std::uint32_t offset = program_.register_bytes;
  program_.register_bytes += round_up(bytes, kCacheLine);
  return offset;
}

/// Only registers that an instruction names get a place, in the order in which they are first named: what is
/// used together lies together, and a declaration of a million registers costs nothing.
void Translator::place_registers() {
  std::unordered_map<std::string, const ptx::RegisterDeclaration*> singles, families;
  for (const ptx::RegisterDeclaration& declared : function_.registers)
    (declared.count == 0 ? singles : families)[declared.name] = &declared;
  auto declaration = [&](const std::string& name) -> const ptx::RegisterDeclaration* {
    if (auto found = singles.find(name); found != singles.end()) return found->second;
    std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size() || name.size() - digits > 7) return nullptr;
    if (name[digits] == '0' && digits + 1 < name.size()) return nullptr;
    auto found = families.find(name.substr(0, digits));
    if (found == families.end() || std::stoi(name.substr(digits)) >= found->second->count) return nullptr;
    return found->second;
  };
  auto place = [&](const std::string& name, bool predicates) {
    if (name.empty() || registers_.contains(name)) return;
    const ptx::RegisterDeclaration* declared = declaration(name);
    if (declared == nullptr || (declared->type == "pred") != predicates) return;
    if (program_.register_bytes > kMaxRegisterBytes)
      throw Unsupported{"more registers than any compiler writes"};
    if (predicates) {
      registers_[name] = {program_.register_bytes, 0};
      program_.register_bytes += sizeof(LaneMask);
      return;
    }
    std::uint8_t width = static_cast<std::uint8_t>(type_bytes(parse_type(declared->type)));
    if (width == 0) throw Unsupported{"register type ." + declared->type};
    if (width == 1) width = 2;  // no register is narrower
    registers_[name] = {new_slot(std::uint32_t{width} * kWarpSize), width};
  };
  // Predicates are one word each; they come first and close together.
  for (bool predicates : {true, false}) {
    for (const ptx::Instruction& instruction : function_.instructions) {
      place(instruction.guard, predicates);
      for (const ptx::Operand& operand : instruction.operands) {
        place(operand.name, predicates);
        for (const ptx::Operand& element : operand.elements) place(element.name, predicates);
      }
    }
    program_.register_bytes = round_up(program_.register_bytes, kCacheLine);
  }
}

void Translator::place_shared_variables() {
  std::uint32_t offset = loaded_.common_shared_end_, counted = 0;
  auto place_shared = [&](const ptx::Variable& variable) {
    if (variable.external) return;
    if (counted > kMaxSharedBytes || variable.bytes > kMaxSharedBytes - counted ||
        program_.shared.size() > 4096)
      throw Unsupported{"more than 1 MiB of shared memory"};
    counted = round_up(counted, variable.align) + static_cast<std::uint32_t>(variable.bytes);
    offset = round_up(offset, std::max<std::uint32_t>(variable.align, kSharedGuard));
    shared_[variable.name] = offset;
    program_.shared.push_back({variable.name, offset, static_cast<std::uint32_t>(variable.bytes)});
    offset += static_cast<std::uint32_t>(variable.bytes) + kSharedGuard;
  };
  // A module's shared variables belong to the kernels that name them; nvcc moves all others into the kernel.
  std::vector<std::string> used;
  for (const ptx::Instruction& instruction : function_.instructions)
    for (const ptx::Operand& operand : instruction.operands) {
      used.push_back(operand.name);
      for (const ptx::Operand& element : operand.elements) used.push_back(element.name);
    }
  std::sort(used.begin(), used.end());
  if (!loaded_.common_shared_.empty()) {
    const std::set<std::string> mentioned = names_mentioned(loaded_.module(), function_);
    for (const SharedVariable& variable : loaded_.common_shared_) {
      shared_[variable.name] = variable.offset;
      if (!mentioned.contains(variable.name)) continue;
      program_.shared.push_back(variable);
      if (variable.name != kReservedShared) counted += variable.bytes;
    }
  }
  for (const auto* list : {&loaded_.module().shared, &function_.shared})
    for (const ptx::Variable& variable : *list)
      if (!shared_.contains(variable.name) &&
          (list == &function_.shared || std::binary_search(used.begin(), used.end(), variable.name)))
        place_shared(variable);
  program_.static_shared_bytes = counted;
  std::uint32_t align = kSharedGuard;  // what is declared without a size is what says where it begins
  for (const auto* list : {&loaded_.module().shared, &function_.shared})
    for (const ptx::Variable& variable : *list)
      if (variable.external) align = std::max(align, variable.align);
  program_.dynamic_shared_offset = round_up(std::max(offset, loaded_.common_dynamic_offset_), align);
  for (const auto* list : {&loaded_.module().shared, &function_.shared})
    for (const ptx::Variable& variable : *list)
      if (variable.external) shared_[variable.name] = program_.dynamic_shared_offset;
}

void Translator::place_local_variables() {
  std::uint64_t local = 0;
  auto place_local = [&](const ptx::Variable& variable) {
    local = round_up(local, std::max<std::uint32_t>(variable.align, 8));
    in_frame_[variable.name] = {static_cast<std::uint32_t>(local),
                                static_cast<std::uint32_t>(variable.bytes)};
    local += variable.bytes;
    if (local > kMaxLocalBytes || variable.bytes > kMaxLocalBytes)
      throw Unsupported{"more than 512 KiB of local memory per thread"};
  };
  for (const ptx::Variable& variable : function_.local) place_local(variable);
  for (const ptx::Variable& variable : function_.param) place_local(variable);
  if (!function_.entry) {
    for (const ptx::Variable& variable : function_.parameters) {
      place_local(variable);
      program_.parameters.push_back(in_frame_.at(variable.name));
    }
    for (const ptx::Variable& variable : function_.returns) {
      place_local(variable);
      program_.returns.push_back(in_frame_.at(variable.name));
    }
  }
  program_.local_bytes = round_up(local, 16);
}

std::uint32_t Translator::constant(std::uint64_t bits, std::uint8_t width, bool in_frame) {
  if (width < 8) bits &= (std::uint64_t{1} << (8 * width)) - 1;
  auto [at, added] = constants_.try_emplace({bits, width | (in_frame ? 0x100u : 0u)}, 0);
  if (added) {
    at->second = new_slot(std::uint32_t{width} * kWarpSize);
    program_.constants.push_back({at->second, width, bits, in_frame});
  }
  return at->second;
}

Translator::Slot Translator::special(const std::string& name) {
  if (auto known = registers_.find(name); known != registers_.end()) return known->second;
  if (name == kReservedShared) return registers_[name] = {constant(shared_.at(name), 4), 4};
  const Special* special = find_special(name);
  if (special == nullptr) throw Unsupported{"special register " + name};
  const std::uint32_t offset = new_slot(std::uint32_t{special->width} * kWarpSize);
  program_.specials.push_back({offset, special});
  // The one that is a predicate has no width as a register.
  const bool predicate = name == "%is_explicit_cluster";
  return registers_[name] = {offset, predicate ? std::uint8_t{0} : special->width};
}

Translator::Slot Translator::register_of(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::reg) throw Unsupported{"an operand that should be a register"};
  if (auto found = registers_.find(operand.name); found != registers_.end()) return found->second;
  if (operand.name == "WARP_SZ") return {constant(kWarpSize, 4), 4};
  return special(operand.name);
}

std::uint32_t Translator::source(const ptx::Operand& o, std::uint32_t width) {
  Slot slot = operand(o, width == 8   ? Type::b64
                         : width == 4 ? Type::b32
                         : width == 2 ? Type::b16
                                      : Type::b128);
  if (slot.width != width) throw Unsupported{"`" + current_->name() + "` on a register of another width"};
  return slot.offset;
}

std::uint32_t Translator::destination(const ptx::Operand& o, std::uint32_t width) {
  Slot slot = register_of(o);
  if (slot.width != width) throw Unsupported{"`" + current_->name() + "` on a register of another width"};
  return slot.offset;
}

std::uint32_t Translator::predicate_or_none(const ptx::Operand& operand) {
  return operand.name == "_" ? kNoOperand : predicate(operand);
}

std::uint32_t Translator::predicate(const ptx::Operand& operand) {
  Slot slot = operand.name == "%is_explicit_cluster" ? special(operand.name) : register_of(operand);
  if (slot.width != 0) throw Unsupported{"operand " + operand.name + " that should be a predicate"};
  return slot.offset;
}

Translator::Slot Translator::operand(const ptx::Operand& operand, Type type) {
  std::uint8_t width = static_cast<std::uint8_t>(std::max<std::uint32_t>(type_bytes(type), 2));
  switch (operand.kind) {
    case ptx::Operand::Kind::reg:
      return register_of(operand);
    case ptx::Operand::Kind::integer:
      return {constant(static_cast<std::uint64_t>(operand.integer), width), width};
    case ptx::Operand::Kind::real:
      return {constant(real_bits(operand, width), width), width};
    case ptx::Operand::Kind::symbol:
      break;
    default:
      throw Unsupported{"this form of operand"};
  }
  if (operand.name == "WARP_SZ") return {constant(kWarpSize, width), width};
  std::uint64_t addend = static_cast<std::uint64_t>(operand.integer);
  if (auto found = shared_.find(operand.name); found != shared_.end())
    return {constant(found->second + addend, width), width};
  if (auto found = in_frame_.find(operand.name); found != in_frame_.end())
    return {constant(found->second.offset + addend, width, true), width};
  if (const ptx::Variable* variable = loaded_.find_variable(operand.name); variable != nullptr)
    return {constant(loaded_.address_of(*variable) + addend, width), width};
  for (const ptx::Variable& parameter : function_.parameters)
    if (parameter.name == operand.name) return {constant(parameter.offset + addend, width), width};
  if (std::uint64_t pointer = loaded_.address_of(operand.name); pointer != 0)
    return {constant(pointer, width), width};
  throw Unsupported{"symbol " + operand.name + ", which this module does not define"};
}

std::uint32_t Translator::target(const ptx::Operand& operand) const {
  auto found = labels_.find(operand.name);
  if (found == labels_.end()) throw Unsupported{"a branch to " + operand.name + ", which is no label"};
  return found->second;
}

void Translator::translate(DecodedInstruction& decoded) {
  const ptx::Instruction& instruction = *current_;
  if (!instruction.guard.empty()) {
    ptx::Operand guard;
    guard.name = instruction.guard;
    decoded.guard = predicate(guard);
    decoded.guard_negated = instruction.guard_negated;
  }
  if (!decode(decoded)) throw Unsupported{"instruction `" + instruction.name() + "`"};
}

bool Translator::decode(DecodedInstruction& decoded) {
  using ptx::Family;
  decoded.run = do_nothing;
  switch (ptx::traits_of(current_->opcode).family) {
    case Family::unknown:
      return false;
    case Family::hint:
      return true;
    case Family::compute:
      return compute(decoded);
    case Family::move:
      return move(decoded) || compute(decoded);
    case Family::video:
      return video(decoded);
    case Family::access:
      return access(decoded);
    case Family::address:
      return about_addresses(decoded);
    case Family::fence:
      return fence(decoded);
    case Family::atomic:
      return atomic(decoded);
    case Family::copy:
      return mbarrier(decoded) || bulk(decoded) || async_copy(decoded);
    case Family::mbarrier:
      return mbarrier(decoded);
    case Family::texture:
      return texture(decoded);
    case Family::matrix:
      return warpgroup(decoded) || matrix(decoded) || matrix_memory(decoded);
    case Family::barrier:
      return cluster_barrier(decoded) || warp_barrier(decoded) || barrier(decoded);
    case Family::collective:
      return collective(decoded);
    case Family::cluster:
      return cluster(decoded);
    case Family::control:
      return control(decoded);
  }
  return false;
}

// Until here branches hold instructions; basic blocks exist only when all instructions do.
void Translator::finish_branches() {
  std::vector<bool> leaders(program_.instructions.size() + 1, false);
  for (const auto& [name, decoded] : labels_) leaders[decoded] = true;
  std::vector<std::uint32_t> basic_block_of;
  program_.basic_blocks =
      find_basic_blocks(program_.instructions, leaders, program_.branch_tables, basic_block_of);
  for (DecodedInstruction& decoded : program_.instructions)
    if (decoded.kind == InstructionKind::branch) decoded.target = basic_block_of[decoded.target];
  for (auto& table : program_.branch_tables)
    for (std::uint32_t& at : table) at = basic_block_of[at];
  const ptx::ShortBranches short_ones = ptx::short_branches(*program_.function);
  const ptx::OpenRuns open = ptx::open_runs(*program_.function, short_ones);
  for (BasicBlock& basic_block : program_.basic_blocks) {
    if (basic_block.last >= short_ones.branch.size()) continue;
    const bool falls_through = program_.instructions[basic_block.last].kind == InstructionKind::plain;
    const bool predicated = short_ones.branch[basic_block.last];
    basic_block.goes_on =
        predicated || open.next[basic_block.last] || (falls_through && short_ones.join[basic_block.last + 1]);
    basic_block.goes_on_there = predicated || open.target[basic_block.last];
  }
}

Program Translator::run() {
  program_.function = &function_;
  place_registers();
  const Registers declared = registers_;
  place_shared_variables();
  place_local_variables();
  for (const ptx::Label& label : function_.labels) labels_[label.name] = label.instruction;
  program_.instructions.reserve(function_.instructions.size() + 1);
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    current_ = &function_.instructions[i];
    DecodedInstruction decoded;
    decoded.instruction = i;
    translate(decoded);
    program_.instructions.push_back(decoded);
  }
  // A function may end without ret; and a label may stand behind the last instruction.
  DecodedInstruction end;
  end.kind = InstructionKind::ret;
  end.run = do_nothing;
  end.instruction =
      function_.instructions.empty() ? 0 : static_cast<std::uint32_t>(function_.instructions.size() - 1);
  program_.instructions.push_back(end);
  current_ = nullptr;
  finish_branches();
  find_unset(declared);
  watch_registers();
  if (loaded_.watch_nan_) watch_nan();
  return std::move(program_);
}

void Translator::watch_nan() {
  program_.unwatched.resize(program_.instructions.size());
  for (std::size_t at = 0; at < function_.instructions.size(); ++at) {
    DecodedInstruction& decoded = program_.instructions[at];
    const Handler watched = first_nan(function_.instructions[at]);
    if (watched == nullptr) continue;
    program_.unwatched[at] = decoded.run;
    decoded.run = watched;
  }
}

}  // namespace fusebox::sim
