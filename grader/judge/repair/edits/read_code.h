#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/source/tokens.h"

/// What the functions of a text consist of, as far as a change in them asks for it. Read without a
/// compiler, so some of it may be missing or wrong; what is changed by it has to compile.
namespace fusebox {

/// A parameter, a local variable or a member of the function's class. Places are indices of tokens.
struct Variable {
  std::string_view name;
  std::string type;  ///< its words, without const, "float*" for a pointer, "float[][kTile]"; "" for auto
  std::size_t dimensions = 0;      ///< of an array
  bool is_constant = false;        ///< nothing may assign to it, or to what it points to
  bool is_shared = false;          ///< by the threads of a block
  bool is_fixed = false;           ///< its declaration must not depend on what is known at run time
  std::size_t begin = 0, end = 0;  ///< where it is known: from its name to the end of its block
  /// Bodies of lambdas that do not capture it: from the first of each to the second it is not known.
  std::vector<std::pair<std::size_t, std::size_t>> hidden{};
  /// Known at `place`, and not only because it is being declared there.
  bool known_at(std::size_t place) const {
    return begin < place && place < end && !(place < initialised) &&
           std::none_of(hidden.begin(), hidden.end(),
                        [&](const auto& body) { return body.first < place && place < body.second; });
  }
  std::size_t initialised = 0;  ///< behind what it begins with
  bool is_pointer() const { return type.ends_with('*'); }
  bool is_integer() const;
  bool is_float() const;
};

/// A statement without others in it, or a loop.
struct Statement {
  enum class Kind { expression, declaration, jump, condition, loop } kind = Kind::expression;
  std::size_t begin = 0, end = 0;  ///< with its semicolon. condition: what an `if` asks
  bool in_block = false;           ///< something may be put behind it
  std::size_t body = 0;            ///< of a loop: the brace that opens its body; 0: it has none
  std::size_t opened = 0;          ///< of a condition: the bracket behind its `if`
  std::size_t whole = 0;           ///< of a condition: behind its `if` statement; 0: an `else` follows
  /// `if (int i = f(); i < n)`, which no loop can stand in place of: what is declared would be lost.
  bool declares() const { return kind == Kind::condition && begin != opened + 1; }
};

struct ReadFunction {
  std::string_view name;
  std::size_t open = 0, close = 0;  ///< the braces around its body
  std::vector<Variable> variables;  ///< integers of the file's own and of its template among them
  std::vector<Statement> statements;
  /// Which variable a name means at a token, or null.
  const Variable* variable(std::string_view name, std::size_t place) const;
};

struct ReadCode {
  std::vector<Token> tokens;
  std::vector<std::size_t> partners;  ///< see partners_of; angle brackets of templates have theirs too
  std::vector<bool> fixed;  ///< tokens that have to be what they are: template arguments, sizes of arrays
  std::vector<ReadFunction> functions;
  bool is_of_host = false;  ///< whose functions know no threads and blocks

  bool opens(std::size_t i) const { return partners[i] != std::string_view::npos && partners[i] > i; }
  bool closes(std::size_t i) const { return partners[i] < i; }
  bool is(std::size_t i, std::string_view sign) const { return i < tokens.size() && tokens[i].is(sign); }
};

/// Leaves those functions out that none of `kernels` (mangled names) is or calls.
void keep_reachable(ReadCode& code, const std::set<std::string>& kernels);

/// `code`: what code_of made of a text; it outlives the result.
ReadCode read_device_code(std::string_view code);
/// The functions that are none of the device's, read likewise: those in no class, with a body.
ReadCode read_host_code(std::string_view code);

}  // namespace fusebox
