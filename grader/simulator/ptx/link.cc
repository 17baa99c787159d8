#include "grader/simulator/ptx/link.h"

#include <algorithm>
#include <map>
#include <string>

namespace fusebox::ptx {
namespace {

bool declares(const Variable& variable) { return variable.external; }
bool declares(const Function& function) { return function.declared_only; }

template <class T>
void take(std::vector<T>& all, std::map<std::string, std::size_t>& places, std::vector<T>& from) {
  for (T& one : from) {
    const auto [known, fresh] = places.try_emplace(one.name, all.size());
    if (fresh)
      all.push_back(std::move(one));
    else if (declares(all[known->second]) && !declares(one))
      all[known->second] = std::move(one);
  }
}

}  // namespace

Module link(std::vector<Module> modules) {
  Module all = std::move(modules.front());
  std::map<std::string, std::size_t> globals, constants, shared, functions;
  const auto index = [](const auto& list, auto& places) {
    for (std::size_t i = 0; i < list.size(); ++i) places.emplace(list[i].name, i);
  };
  index(all.globals, globals);
  index(all.constants, constants);
  index(all.shared, shared);
  index(all.functions, functions);
  for (std::size_t k = 1; k < modules.size(); ++k) {
    Module& next = modules[k];
    const auto files = static_cast<std::uint32_t>(all.files.size());
    all.files.insert(all.files.end(), next.files.begin(), next.files.end());
    for (Function& function : next.functions)
      for (Instruction& instruction : function.instructions) instruction.location.file += files;
    if (std::pair(next.version_major, next.version_minor) > std::pair(all.version_major, all.version_minor)) {
      all.version_major = next.version_major;
      all.version_minor = next.version_minor;
    }
    take(all.globals, globals, next.globals);
    take(all.constants, constants, next.constants);
    take(all.shared, shared, next.shared);
    take(all.functions, functions, next.functions);
  }
  return all;
}

}  // namespace fusebox::ptx
