#include "grader/simulator/exec/decode/loaded_module.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "grader/simulator/exec/decode/swap_guesses.h"
#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/memory/memory.h"

namespace fusebox::sim {

LoadedModule::LoadedModule(ptx::Module module, DeviceAddress variable_base, bool watch_nan)
    : module_(std::move(module)), variable_base_(variable_base), watch_nan_(watch_nan) {
  std::uint64_t offset = 0;
  for (const auto* list : {&module_.globals, &module_.constants})
    for (const ptx::Variable& variable : *list) {
      variable_offsets_[variable.name] = offset;
      // 256-byte alignment and a gap, so that variables have guard zones as buffers do.
      offset += (variable.bytes + 255) / 256 * 256 + 4096;
    }
  const ptx::Function* malloc = module_.find("malloc");
  uses_heap_ = malloc != nullptr && malloc->declared_only;
  for (const ptx::Function& function : module_.functions)
    for (const ptx::Instruction& i : function.instructions) {
      uses_clusters_ = uses_clusters_ || i.opcode == Opcode::mapa;
      uses_grid_workspace_ =
          uses_grid_workspace_ || (i.operands.size() == 2 && i.operands[1].name.starts_with("%envreg"));
    }
  swap_guesses_ = swap_guesses(module_);
  lay_out_common_shared();
  for (const ptx::Function& function : module_.functions) {
    if (function.declared_only) continue;
    Translator translator(*this, function);
    try {
      programs_.emplace(&function, translator.run());
    } catch (const Unsupported& unsupported) {
      refuse(function, translator.current(), unsupported.reason);
    } catch (const std::out_of_range&) {  // an operand that is not there
      const ptx::Instruction* at = translator.current();
      refuse(function, at, at == nullptr ? "a call" : "`" + at->name() + "` with too few operands");
    }
  }
}

std::set<std::string> names_mentioned(const ptx::Module& module, const ptx::Function& function) {
  std::set<std::string> names;
  std::vector<const ptx::Function*> open{&function};
  std::set<const ptx::Function*> seen{&function};
  const auto visit = [&](const ptx::Function* callee) {
    if (callee != nullptr && !callee->entry && seen.insert(callee).second) open.push_back(callee);
  };
  while (!open.empty()) {
    const ptx::Function& next = *open.back();
    open.pop_back();
    for (const ptx::Variable& variable : next.shared) names.insert(variable.name);
    for (const ptx::Instruction& i : next.instructions) {
      for (const ptx::Operand& operand : i.operands) {
        names.insert(operand.name);
        for (const ptx::Operand& element : operand.elements) names.insert(element.name);
      }
      if (i.opcode != Opcode::call) continue;
      bool named = false;
      for (const ptx::Operand& operand : i.operands)
        if (const ptx::Function* callee = module.find(operand.name)) visit(callee), named = true;
      if (!named)  // through a pointer: it may lead anywhere
        for (const ptx::Function& other : module.functions) visit(&other);
    }
  }
  return names;
}

void LoadedModule::lay_out_common_shared() {
  std::set<std::string> by_functions;
  bool reserved = false;
  std::uint64_t max_of_kernels = 0;
  for (const ptx::Function& function : module_.functions) {
    for (const ptx::Instruction& i : function.instructions)
      for (const ptx::Operand& operand : i.operands) {
        reserved = reserved || operand.name == kReservedShared;
        if (!function.entry) by_functions.insert(operand.name);
        if (!function.entry)
          for (const ptx::Operand& element : operand.elements) by_functions.insert(element.name);
      }
    std::uint64_t bytes = 0;
    for (const ptx::Variable& variable : function.shared)
      bytes += variable.bytes + variable.align + kSharedGuard;
    max_of_kernels = std::max(max_of_kernels, bytes);
  }
  constexpr std::uint64_t kMax = 1 << 20;  // more is refused where it is used
  std::uint64_t end = 0;
  const auto place = [&](const std::string& name, std::uint64_t align, std::uint64_t bytes) {
    end = (end + std::max<std::uint64_t>(align, kSharedGuard) - 1) /
          std::max<std::uint64_t>(align, kSharedGuard) * std::max<std::uint64_t>(align, kSharedGuard);
    if (bytes > kMax || end > kMax - bytes) return;
    common_shared_.push_back({name, static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(bytes)});
    end += bytes + kSharedGuard;
  };
  if (reserved) place(kReservedShared, 16, kReservedSharedBytes);
  bool dynamic = false;
  for (const ptx::Variable& variable : module_.shared) {
    if (!variable.external) max_of_kernels += variable.bytes + variable.align + kSharedGuard;
    if (!by_functions.contains(variable.name)) continue;
    if (variable.external)
      dynamic = true;
    else
      place(variable.name, variable.align, variable.bytes);
  }
  for (const ptx::Function& function : module_.functions)
    if (!function.entry)
      for (const ptx::Variable& variable : function.shared)
        place(variable.name, variable.align, variable.bytes);
  common_shared_end_ = static_cast<std::uint32_t>(end);
  if (dynamic)
    common_dynamic_offset_ = static_cast<std::uint32_t>(
        (end + std::min(max_of_kernels, kMax) + kSharedGuard) / 1024 * 1024 + 1024);
}

void LoadedModule::refuse(const ptx::Function& function, const ptx::Instruction* at,
                          const std::string& reason) {
  std::string place = at != nullptr && at->location.line > 0 ? where(at->location) + ": " : "";
  refused_[&function] = Error{ErrorKind::not_passed,
                              place + "kernel `" + function.demangled + "` needs " + reason +
                                  ", which the simulator does not support",
                              "write it without, or run it on a GPU (--backend gpu)"};
}

std::string LoadedModule::where(const ptx::Location& location) const {
  if (location.line <= 0) return "unknown line";
  std::string file = location.file < module_.files.size() ? module_.files[location.file] : "";
  return file + ":" + std::to_string(location.line);
}

Result<const Program*> LoadedModule::program(const std::string& name) const {
  const ptx::Function* function = module_.find(name);
  if (function == nullptr || function->declared_only)
    return Error{ErrorKind::not_passed, "the PTX has no kernel `" + name + "`",
                 "launch a kernel of this file"};
  std::set<const ptx::Function*> seen;
  std::vector<const ptx::Function*> open{function};
  while (!open.empty()) {
    const ptx::Function* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    if (auto refused = refused_.find(next); refused != refused_.end()) return refused->second;
    for (const CallSite& site : programs_.at(next).calls)
      if (site.callee != nullptr) open.push_back(site.callee);
  }
  return &programs_.at(function);
}

const Program* LoadedModule::find(const ptx::Function* function) const {
  auto found = programs_.find(function);
  return found == programs_.end() ? nullptr : &found->second;
}

const Program* LoadedModule::find(std::uint64_t pointer) const {
  std::uint64_t index = (pointer - kFunctionWindow) / kFunctionStep - 1;
  if (pointer % kFunctionStep != 0 || index >= module_.functions.size()) return nullptr;
  return find(&module_.functions[index]);
}

std::uint64_t LoadedModule::address_of(const std::string& symbol) const {
  if (const ptx::Variable* variable = find_variable(symbol)) return address_of(*variable);
  for (std::size_t i = 0; i < module_.functions.size(); ++i)
    if (module_.functions[i].name == symbol) return kFunctionWindow + kFunctionStep * (i + 1);
  return 0;
}

const ptx::Variable* LoadedModule::find_variable(const std::string& name) const {
  for (const auto* list : {&module_.globals, &module_.constants})
    for (const ptx::Variable& variable : *list)
      if (variable.name == name) return &variable;
  return nullptr;
}

Result<bool> LoadedModule::place_variables(GlobalMemory& memory) const {
  for (const auto* list : {&module_.globals, &module_.constants})
    for (const ptx::Variable& variable : *list) {
      if (variable.bytes == 0) continue;
      DeviceAddress address = address_of(variable);
      if (auto placed = memory.allocate(variable.name, address, variable.bytes); !placed)
        return placed.error();
      std::byte* data = GlobalMemory::data(address);
      std::memset(data, 0, variable.bytes);
      if (!variable.initial.empty())
        std::memcpy(data, variable.initial.data(),
                    std::min<std::size_t>(variable.initial.size(), variable.bytes));
      for (const ptx::Variable::Reference& reference : variable.references) {
        std::uint64_t value = address_of(reference.symbol) + static_cast<std::uint64_t>(reference.addend);
        std::memcpy(data + reference.offset, &value, sizeof value);
      }
      memory.define(address, variable.bytes);
    }
  return true;
}

}  // namespace fusebox::sim
