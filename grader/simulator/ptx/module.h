#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/simulator/ptx/opcode.h"

namespace fusebox::ptx {

/// A source position out of `.loc`; file indexes Module::files. line 0: unknown.
struct Location {
  std::uint32_t file = 0;
  std::int32_t line = 0;
};

/// A variable in any state space, or a parameter. Sizes and alignments in bytes.
struct Variable {
  std::string name;
  std::string type;  ///< element type without the dot: "f32", "b8"
  std::uint32_t align = 1;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> initial;  ///< empty: not initialised by the module
  struct Reference {
    std::uint64_t offset = 0;
    std::string symbol;
    std::int64_t addend = 0;
  };
  std::vector<Reference> references;  ///< addresses of other symbols inside `initial`
  std::uint32_t offset = 0;           ///< of parameters: in the .param space
  bool external = false;              ///< `extern .shared`: its size comes with the launch
};

/// What stands behind an instruction's name.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,
    integer,
    real,
    symbol,
    address,
    vector,
    label,
    predicate_pair
  } kind = Kind::reg;
  std::string name;          ///< register, symbol or label; address: its base (register or symbol), or empty
  std::int64_t integer = 0;  ///< integer: its value; address: the offset added to the base
  double real = 0;           ///< real: its value
  std::uint32_t bits32 = 0;  ///< real written as 0fXXXXXXXX: its exact bits
  bool is_bits32 = false, is_bits64 = false;
  bool negated = false;           ///< `!%p`
  std::vector<Operand> elements;  ///< vector: {a, b, ...}; predicate_pair: p|q; call: lists in parentheses
};

/// Calls f(name) for each register, symbol or label that the operand names.
template <class F>
void for_each_name(const Operand& operand, F f) {
  if (!operand.name.empty()) f(operand.name);
  for (const Operand& element : operand.elements) for_each_name(element, f);
}

struct Instruction {
  Opcode opcode = Opcode::unknown;
  std::string unknown_opcode;          ///< its word, when the table lacks it
  std::vector<std::string> modifiers;  ///< in order, without dots: {"global", "nc", "v4", "f32"}
  std::string guard;                   ///< predicate register of `@%p`; empty: always
  bool guard_negated = false;
  std::vector<Operand> operands;
  Location location;
  int ptx_line = 0;  ///< line in the PTX text

  std::string name() const;  ///< opcode with its modifiers, as written
  bool has(std::string_view modifier) const;
};

/// Whether its first operand is a register that it writes: the place that cp.async, stmatrix and prefetches
/// name first is none.
inline bool writes_first_operand(const Instruction& i) {
  return !i.operands.empty() && i.operands[0].kind != Operand::Kind::address &&
         traits_of(i.opcode).writes != Writes::nothing;
}

struct RegisterDeclaration {
  std::string type;  ///< "b32", "pred", "f64"
  std::string name;  ///< "%r", or the whole name when count is 0
  int count = 0;     ///< %r<count>: %r0 .. %r(count-1)
};

struct Label {
  std::string name;
  std::uint32_t instruction = 0;  ///< index of the instruction behind it
};

struct Function {
  std::string name;       ///< mangled
  std::string demangled;  ///< without parameters, for people
  bool entry = false;
  bool declared_only = false;
  std::vector<Variable> parameters, returns;
  std::uint32_t parameter_bytes = 0;
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> shared, local, param;  ///< declared inside the body
  std::vector<Instruction> instructions;
  std::vector<Label> labels;
  std::vector<std::pair<std::string, std::vector<std::string>>>
      branch_targets;                      ///< .branchtargets tables, by name
  std::array<std::uint32_t, 3> cluster{};  ///< .reqnctapercluster; zeros: as the launch says
  std::uint32_t max_threads = 0;           ///< product of .maxntid or .reqntid; 0: no limit
};

struct Module {
  int version_major = 0, version_minor = 0;
  std::string target;              ///< "sm_90"
  bool unoptimised = false;        ///< nvcc -G
  std::vector<std::string> files;  ///< index is the number in .file; unused numbers are empty
  std::vector<Variable> globals, constants, shared;
  std::vector<Function> functions;

  const Function* find(std::string_view name) const;
};

}  // namespace fusebox::ptx
