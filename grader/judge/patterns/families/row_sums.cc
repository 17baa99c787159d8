#include "grader/judge/patterns/families/row_sums.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>

#include "grader/judge/patterns/facts/facts.h"

namespace fusebox::patterns {
namespace {

/// More rows than that are more sums than should be tried.
constexpr std::size_t kMaxPartialRows = 512;

/// `count` rows, `apart` from each other.
struct Rows {
  std::size_t first = 0, apart = 1, count = 1;

  bool operator==(const Rows& other) const {
    return first == other.first && count == other.count && (count == 1 || apart == other.apart);
  }
  std::string text() const {
    const std::size_t last = first + (count - 1) * apart;
    if (count == 1) return fmt::format("row {}", first);
    if (count == 2) return fmt::format("rows {} and {}", first, last);
    if (apart == 1) return fmt::format("rows {} to {}", first, last);
    return fmt::format("rows {}, {} and so on to {}", first, first + apart, last);
  }
};

class Partials {
 public:
  Partials(const NamedTensor& partial, std::size_t width)
      : values_(partial.values), width_(width), rows_(partial.values.size() / width) {}

  double sum(const Rows& rows, std::size_t column) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.count; ++i)
      sum += values_[(rows.first + i * rows.apart) * width_ + column];
    return sum;
  }
  /// The rows that add up to what `is_it(sum, column)` says yes to in each column; `probe` is asked first.
  std::optional<Rows> that_make(std::size_t probe,
                                const std::function<bool(double, std::size_t)>& is_it) const {
    for (std::size_t apart = 1; apart < rows_; ++apart)
      for (std::size_t first = 0; first < rows_; ++first) {
        double sum = 0;
        for (std::size_t row = first, count = 1; row < rows_; row += apart, ++count) {
          sum += values_[row * width_ + probe];
          if (const Rows rows{first, apart, count}; is_it(sum, probe) && all(rows, is_it)) return rows;
        }
      }
    return std::nullopt;
  }

 private:
  bool all(const Rows& rows, const std::function<bool(double, std::size_t)>& is_it) const {
    for (std::size_t column = 0; column < width_; ++column)
      if (!is_it(sum(rows, column), column)) return false;
    return true;
  }

  const std::vector<double>& values_;
  std::size_t width_, rows_;
};

}  // namespace

std::string rows_summed(const WrongOutput& output, const NamedTensor& partial) {
  const Facts facts(output);
  const std::size_t width = output.got.size(), rows = width == 0 ? 0 : partial.values.size() / width;
  if (output.tensor.shape.size() != 1 || facts.unwritten() > 0 || facts.wrong().empty() || rows < 2 ||
      rows > kMaxPartialRows || partial.values.size() % width != 0)
    return {};
  const Partials partials(partial, width);
  const auto probe = static_cast<std::size_t>(facts.wrong().front());
  const auto is = [&](double value, double sum, std::size_t column) {
    return std::abs(value - sum) <= facts.allowed(static_cast<std::int64_t>(column), value);
  };
  const auto came = partials.that_make(
      probe, [&](double sum, std::size_t column) { return is(output.got[column], sum, column); });
  if (!came) return {};
  const auto belong = partials.that_make(
      probe, [&](double sum, std::size_t column) { return is(output.tensor.expected[column], sum, column); });
  if (!belong || *came == *belong) return {};
  Claim claim;
  claim.fitted = 3;  // where the rows begin, how far apart they are, and how many
  claim.predicted.reserve(width);
  for (std::size_t column = 0; column < width; ++column)
    claim.predicted.push_back(partials.sum(*came, column));
  if (!support_of(facts, claim).proven) return {};
  return fmt::format("`{}` is the sum of {} of `{}`, of {} values each, where {} belong{}.", facts.name(),
                     came->text(), partial.name, width, belong->text(), belong->count == 1 ? "s" : "");
}

}  // namespace fusebox::patterns
