#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "grader/simulator/ptx/cursor.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::ptx {

/// Bytes of a fundamental type ("f32" is 4); 0 for what has no size of its own ("pred").
std::uint64_t type_bytes(std::string_view type);

/// Parses `.space? .align N .type name[dims] = init`, the cursor standing behind the state space. Used for
/// module variables, parameters and variables of a body alike.
Variable parse_variable(Cursor& cursor);

/// Parses a function's body, `{` to `}`, into `function`. Names declared in nested blocks (inline assembly)
/// are made unique by a suffix, so that the flat instruction list needs no scopes.
class BodyParser {
 public:
  BodyParser(Cursor& cursor, Function& function) : cursor_(cursor), function_(function) {}
  void parse();

 private:
  struct Scope {
    std::map<std::string, std::string, std::less<>> renamed;  ///< as written -> unique
    std::size_t first_instruction = 0;
    std::unordered_set<std::string> labels;
  };

  /// What .loc names.
  struct Place {
    std::uint32_t file = 0;
    std::int32_t line = 0;
    std::int64_t column = 0;
    auto operator<=>(const Place&) const = default;
  };

  void block();
  void statement();
  void declare_registers();
  void declare_variable(std::vector<Variable>& where);
  void location();
  bool label();
  void instruction();
  Operand operand();
  Operand word_operand();
  Operand address();
  Operand list(std::string_view close);
  std::string resolve(std::string_view name) const;
  std::string declare(const std::string& name);
  void rename_labels(const Scope& scope);

  Cursor& cursor_;
  Function& function_;
  std::vector<Scope> scopes_;
  std::unordered_set<std::string> register_names_, family_names_, variable_names_;  ///< unique names
  Location location_;
  std::map<Place, Place> callers_;  ///< of what was inlined, as last told
  std::uint32_t home_file_ = 0;     ///< file of the function's first .loc
  int blocks_ = 0;
};

}  // namespace fusebox::ptx
