#include "grader/judge/patterns/families/corner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/judge/patterns/facts/facts.h"

namespace fusebox::patterns {
namespace {

constexpr std::int64_t kMaxRows = 4, kMaxColumns = 6;
constexpr int kWidth = 80;

struct Window {
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;
};

/// What stands for an element that is not compared, in what is expected and in what came.
constexpr const char* kOverlooked = "-";

std::string right_cell(const Facts& facts, std::int64_t i, int digits) {
  if (facts.output().tensor.is_overlooked(i)) return kOverlooked;
  return fmt::format("{:.{}g}", facts.expected(i), digits);
}

std::string cell(const Facts& facts, std::int64_t i, int digits) {
  if (facts.output().tensor.is_overlooked(i)) return kOverlooked;
  return facts.state(i) == State::unwritten ? "unwritten" : fmt::format("{:.{}g}", facts.got(i), digits);
}

/// The first wrong element, and as much before it as shows something that is right; at most so many columns.
Window window(const Facts& facts, std::int64_t max_columns) {
  std::int64_t first = 0;
  while (facts.state(first) == State::right) ++first;
  const std::int64_t rows = facts.rows(), columns = facts.columns();
  Window shown{first / columns, first % columns, std::min(kMaxRows, rows), std::min(max_columns, columns)};
  // A window that is too narrow for that begins with the wrong one.
  const std::int64_t before = std::min<std::int64_t>(2, shown.columns - 1);
  shown.column = std::clamp<std::int64_t>(shown.column - before, 0, columns - shown.columns);
  shown.row = std::clamp<std::int64_t>(shown.row - 1, 0, rows - shown.rows);
  return shown;
}

template <class Visit>
void each(const Facts& facts, const Window& shown, Visit visit) {
  for (std::int64_t r = shown.row; r < shown.row + shown.rows; ++r)
    for (std::int64_t c = shown.column; c < shown.column + shown.columns; ++c) visit(r * facts.columns() + c);
}

/// Digits enough that what is wrong also looks wrong.
int digits_for(const Facts& facts, const Window& shown) {
  for (int digits = 4; digits < 9; ++digits) {
    bool differ = true;
    each(facts, shown, [&](std::int64_t i) {
      if (facts.state(i) != State::right) differ &= cell(facts, i, digits) != right_cell(facts, i, digits);
    });
    if (differ) return digits;
  }
  return 9;
}

std::string row_label(const Facts& facts, std::int64_t row) {
  const auto& shape = facts.output().tensor.shape;
  if (shape.size() < 2) return "";
  std::vector<std::int64_t> index;
  for (std::size_t d = shape.size() - 1; d-- > 0; row /= shape[d])
    index.insert(index.begin(), row % shape[d]);
  std::string text = shape.size() == 2 ? facts.row_word() + " " : std::string("[");
  for (std::size_t d = 0; d < index.size(); ++d) text += fmt::format("{}{}", d == 0 ? "" : ", ", index[d]);
  return shape.size() == 2 ? text : text + "]";
}

}  // namespace

std::string corner(const WrongOutput& output) {
  if (output.got.size() != output.tensor.expected.size()) return "";
  const Facts facts(output);
  if (facts.bad() == 0) return "";
  Window shown = window(facts, kMaxColumns);
  const int digits = digits_for(facts, shown);
  std::size_t width = 9, label = facts.column_word().size();
  each(facts, shown, [&](std::int64_t i) {
    width = std::max({width, cell(facts, i, digits).size(), right_cell(facts, i, digits).size()});
  });
  for (std::int64_t r = shown.row; r < shown.row + shown.rows; ++r)
    label = std::max(label, row_label(facts, r).size());
  // "row 3  expected" and, for each column, a blank, the value and its mark.
  const auto room =
      static_cast<std::int64_t>((kWidth - static_cast<int>(label) - 10) / static_cast<int>(width + 2));
  if (room < shown.columns) shown = window(facts, std::max<std::int64_t>(1, room));

  std::string text = fmt::format("{:>{}}", facts.column_word(), label + 10);
  for (std::int64_t c = shown.column; c < shown.column + shown.columns; ++c)
    text += fmt::format(" {:>{}} ", c, width);
  for (std::int64_t r = shown.row; r < shown.row + shown.rows; ++r) {
    std::string right = fmt::format("\n{:<{}}  expected", row_label(facts, r), label);
    std::string wrong = fmt::format("\n{:<{}}  got     ", "", label);
    for (std::int64_t c = shown.column; c < shown.column + shown.columns; ++c) {
      const std::int64_t i = r * facts.columns() + c;
      right += fmt::format(" {:>{}} ", right_cell(facts, i, digits), width);
      wrong +=
          fmt::format(" {:>{}}{}", cell(facts, i, digits), width, facts.state(i) == State::right ? ' ' : '*');
    }
    text += right + wrong;
  }
  // No blanks at the ends of lines.
  std::string trimmed;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t last = text.find_last_not_of(' ', end == 0 ? 0 : end - 1);
    trimmed += text.substr(at, last + 1 - at) + "\n";
    at = end + 1;
  }
  return trimmed;
}

}  // namespace fusebox::patterns
