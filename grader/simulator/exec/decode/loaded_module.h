#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/report/result.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

class GlobalMemory;

/// A module whose variables have their addresses and whose functions are decoded.
class LoadedModule {
 public:
  /// `variable_base`: where the .global and .const variables will lie; their addresses go into the decoded
  /// code. `watch_nan`: arithmetic that makes NaN of numbers is the fault not_a_number.
  LoadedModule(ptx::Module module, DeviceAddress variable_base, bool watch_nan = false);

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
  bool watch_nan_ = false;
  bool uses_clusters_ = false, uses_grid_workspace_ = false, uses_heap_ = false;
  /// Shared memory that functions which were not inlined name, and what the system reserves in each block: at
  /// the same place whatever kernel calls them.
  std::vector<SharedVariable> common_shared_;
  std::uint32_t common_shared_end_ = 0;
  std::uint32_t common_dynamic_offset_ =
      0;  ///< of `extern __shared__` when such a function names one; else 0
  std::set<const ptx::Instruction*> swap_guesses_;  ///< see there
  std::map<std::string, std::uint64_t, std::less<>> variable_offsets_;
  std::map<const ptx::Function*, Program> programs_;
  std::map<const ptx::Function*, Error> refused_;
};

/// Shared arrays keep this much room between them, so that an index past the end of one meets a guard and not
/// the next. A multiple of 128 bytes: where the banks lie inside an array does not change.
inline constexpr std::uint32_t kSharedGuard = 128;

/// The names that a function's instructions mention, and those of all functions that it may call.
std::set<std::string> names_mentioned(const ptx::Module& module, const ptx::Function& function);

/// The value that a function's address has in device code; 0 is no function.
inline constexpr std::uint64_t kFunctionWindow = 0x4'0000'0000ull, kFunctionStep = 16;

}  // namespace fusebox::sim
