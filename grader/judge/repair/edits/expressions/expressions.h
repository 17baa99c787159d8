#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/read_code.h"

namespace fusebox {

/// How tightly a binary operator binds, from 4 (||) to 13 (*); 0: it is none.
int precedence(std::string_view sign);
bool is_assignment(std::string_view sign);
inline constexpr int kAssignment = 2, kTernary = 3;
/// "xy" of `float2`, `uint2*`, `int2[8]` and the like; empty: no vector, or its type is not known.
std::string_view members_of_vector(std::string_view type);

/// Where the expressions of a function begin and end and what is known in them, without building a tree of
/// them. Places are indices of tokens, ends are behind the last one.
class Expressions {
 public:
  Expressions(const ReadCode& read, const ReadFunction& function)
      : read_(read), tokens_(read.tokens), function_(&function) {}

  /// Whether the token is an operator with an operand on either side.
  bool is_binary(std::size_t i) const;
  /// The first token of what stands to the left of `i` and binds as tightly as `level`.
  std::size_t left_of(std::size_t i, int level) const;
  /// Behind the last token of what stands to the right of `i` and binds more tightly than `level`.
  std::size_t right_of(std::size_t i, int level) const;
  /// What is shown of a change from `begin` to `end`: with it as much of the expression around as there is
  /// room for.
  std::pair<std::size_t, std::size_t> shown_around(std::size_t begin, std::size_t end) const;
  /// Whether all between is made of integers, as far as that can be seen; with `elements` those of arrays
  /// too.
  bool is_integral(std::size_t begin, std::size_t end, bool elements = false) const;
  /// `(n + b - 1) / b`, with brackets from `open` to the sign at `over`: without them it would be a number
  /// that nobody means.
  bool is_share_rounded_up(std::size_t open, std::size_t over) const;
  /// The last `*`, `/` or `%` between `begin` and `i`; `begin` where there is none.
  std::size_t factor_before(std::size_t i, std::size_t begin) const;
  /// Whether the variable there is given a value.
  bool is_assigned(std::size_t i) const;
  /// Behind what a variable there leads to: `v`, `v[i].x`.
  std::size_t behind_target(std::size_t i) const;
  /// Whether that is given a value, or its address taken.
  bool is_stored_to(std::size_t i) const;
  /// Whether it is an argument that a function of the file is given to change, by reference.
  bool is_referred_to(std::size_t i) const;
  /// Whether all threads begin with the same of it: a parameter, or a constant.
  bool is_given(const Variable& variable) const;
  /// Whether a token is one of two in the brackets of min() or max().
  bool is_bound(std::size_t i) const;
  /// The innermost loop around a token; null: there is none.
  const Statement* loop_around(std::size_t i) const;
  /// Whether all threads of a launch have the same of a variable there, or all rounds of the loop around it.
  bool is_steady(const Variable& variable, std::size_t i) const;
  /// Whether the variable there is all that may make one result of a comparison differ from another: what
  /// else stands in it is the same for all threads or rounds, or a constant of the text.
  enum class Others { steady, constant };
  bool is_alone_in_comparison(std::size_t i, Others others = Others::steady) const;
  /// What may stand in place of a factor: scalars that are known here, and members of what is.
  std::set<std::string> values_at(std::size_t i, bool floats) const;
  /// Integers that are known here: those that are the same for all threads (sizes, strides), or those that
  /// the function works out or is given.
  enum class Integers { sizes, values };
  std::vector<std::string> integers_at(std::size_t i, Integers which) const;
  /// The names of threads and blocks that the function uses, and the like; or those of `which` alone.
  std::vector<std::string> builtins(std::string_view which = {}) const;
  /// Those that any function of the file uses.
  std::set<std::string> builtins_of_file() const;
  /// The variable that a token names, and no member of something that is called so; or null.
  const Variable* variable_at(std::size_t i) const;
  /// Whether an address is made there, or is part of it.
  bool names_pointer(std::size_t begin, std::size_t end) const;

 private:
  bool is(std::size_t i, std::string_view sign) const { return read_.is(i, sign); }
  bool is_head(std::size_t close) const;
  bool ends_head(std::size_t i) const;
  bool ends_operand(std::size_t i) const;
  bool stops(std::size_t i) const;
  std::size_t shown_size(std::size_t begin, std::size_t end) const;

  const ReadCode& read_;
  const std::vector<Token>& tokens_;
  const ReadFunction* function_;
};

}  // namespace fusebox
