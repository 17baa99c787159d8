#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/catalog/random.h"
#include "grader/judge/patterns/find.h"

/// Wrong answers made up for tests.
namespace fusebox::patterns::made_up {

/// [rows, columns] of normal values rounded to float, which came out right; float-like tolerance.
inline WrongOutput right_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed = 1) {
  Random random(seed);
  WrongOutput output;
  output.tensor.name = "out";
  output.tensor.role = Role::out;
  output.tensor.shape = {rows, columns};
  output.tensor.expected = random.normals(rows * columns, 0, 2);
  output.tensor.tolerance = {2e-6, 1e-6, "test"};
  output.got = output.tensor.expected;
  output.others = {{"bias", {columns}, random.normals(columns)},
                   {"mean", {rows}, random.normals(rows)},
                   {"x", {rows, columns}, random.normals(rows * columns)}};
  output.numbers = {{"M", static_cast<double>(rows)}, {"N", static_cast<double>(columns)}, {"eps", 1e-5}};
  return output;
}

inline WrongOutput right_vector(std::int64_t count, std::uint64_t seed = 1) {
  WrongOutput output = right_matrix(1, count, seed);
  output.tensor.shape = {count};
  output.others = {{"g", {count}, output.others[2].values}};
  output.numbers = {{"count", static_cast<double>(count)}};
  return output;
}

/// Sets every value to what `f(row, column, expected)` gives, rounded to float as a kernel would.
template <class F>
void set_all(WrongOutput& output, F f) {
  const std::int64_t columns = output.tensor.shape.back();
  for (std::size_t i = 0; i < output.got.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i);
    output.got[i] = static_cast<float>(f(k / columns, k % columns, output.tensor.expected[i]));
  }
}

/// Nobody wrote where `f(row, column)` says so.
template <class F>
void leave_out(WrongOutput& output, F f) {
  const std::int64_t columns = output.tensor.shape.back();
  output.written.assign(output.got.size(), true);
  for (std::size_t i = 0; i < output.got.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i);
    if (f(k / columns, k % columns)) output.written[i] = false;
  }
}

inline std::string all_sentences(const WrongOutput& output) {
  std::string text;
  for (const Pattern& pattern : find_patterns(output)) text += pattern.sentence + "\n";
  return text;
}

inline std::string first_sentence(const WrongOutput& output) {
  const auto found = find_patterns(output);
  return found.empty() ? "" : found[0].sentence;
}

}  // namespace fusebox::patterns::made_up
