#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

/// Two of the parts that expression_edits() is made of; the third, of single words and numbers, is its own.
namespace fusebox {

/// Changes of what becomes an index, or what an index or a pointer is moved on by.
class PlaceChanges : protected EditFinder {
 protected:
  using EditFinder::EditFinder;

  TextEdit* add(std::size_t begin, std::size_t end, const std::string& with,
                Likelihood likelihood = Likelihood::likely, const std::string& shown_with = {}) {
    return edits_.add(*where_, begin, end, with, likelihood, shown_with);
  }
  /// Whether a word is one side of a comparison and `name` the other.
  bool is_compared_with(std::size_t i, std::string_view name) const;
  /// What an index or one side of a comparison lacks: another term.
  void add_terms(std::size_t begin, std::size_t end);
  /// What becomes an index, or what an index or a pointer is moved on by.
  void change_place(std::size_t begin, std::size_t end);
  /// How many of something there may be.
  std::vector<std::string> sizes_and(std::initializer_list<const char*> numbers, std::size_t at) const;
  /// `a * b + c` as `c * n + a` and as `a * n + c`, and `c + a * b` likewise.
  void exchange_layout(std::size_t begin, std::size_t plus, std::size_t end,
                       const std::vector<std::string>& names);

 private:
  /// A place in one direction of the block, unscaled: nobody means the sum of two of them.
  bool adds_thread(std::size_t begin, std::size_t end) const;
  /// `blockIdx.x` by how many something has, or by a number that stands elsewhere in the function.
  void scale_builtin(std::size_t i, const std::vector<std::string>& names);
};

/// Changes of what an operator is between, and of how brackets group it.
class OperatorChanges : protected PlaceChanges {
 protected:
  using PlaceChanges::PlaceChanges;

  void change_operator(std::size_t i);
  /// (a + b) * c as a + b * c.
  void drop_brackets(std::size_t open);

 private:
  /// `v - sum` as `v - a - b`, where `sum = a + b` is large and its last digits are rounded off.
  void take_apart(std::size_t begin, std::size_t minus, std::size_t end);
  /// Where a row, a tile or a matrix begins: `p + a * b`. The pointer itself is not multiplied.
  void change_address(std::size_t begin, std::size_t sign, std::size_t end);
  /// `a < n - threadIdx.x`, which is no negative number and always true behind n, as `a + threadIdx.x < n`.
  void compare_without_wrapping(std::size_t begin, std::size_t sign, std::size_t end);
  /// `a <= b < c`, which compares 0 or 1 with c, as `a <= b && b < c`.
  void compare_both(std::size_t begin, std::size_t sign, std::size_t end);
  /// What was read out of memory may be too small and too large: `id < 0 || id >= n`, `id >= 0 && id < n`.
  void bound_on_both_sides(std::size_t begin, std::size_t sign, std::size_t end);
  /// What is compared with a neighbour's lacks one where nobody stands in front.
  void or_is_first(std::size_t begin, std::size_t end);
  /// a + b * c as (a + b) * c, a * b + c as (a + c) * b, and a / b * c as a / (b * c), % likewise.
  void regroup(std::size_t i, std::size_t begin, std::size_t end);
};

}  // namespace fusebox
