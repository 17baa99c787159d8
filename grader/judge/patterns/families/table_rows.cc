#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "grader/judge/patterns/facts/regions.h"
#include "grader/judge/patterns/families/families.h"
#include "grader/report/text/format.h"

namespace fusebox::patterns {
namespace {

/// Whose row each wrong row of the output is; -1 where it is none's, or the row is right.
std::vector<std::int64_t> sources(const Facts& facts, const NamedTensor& table) {
  const std::int64_t columns = facts.columns(), lines = table.shape[0];
  std::vector<std::int64_t> from(static_cast<std::size_t>(facts.rows()), -1);
  const auto is = [&](std::int64_t row, std::int64_t line) {
    std::int64_t same = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::int64_t i = row * columns + c;
      if (facts.state(i) == State::unwritten) continue;
      const double value = table.values[static_cast<std::size_t>(line * columns + c)];
      if (!(std::abs(facts.got(i) - value) <= facts.allowed(i, value))) return false;
      ++same;
    }
    return same > 0;
  };
  std::int64_t last = -1;
  for (const std::int64_t i : facts.wrong()) {
    const std::int64_t row = i / columns;
    if (row == last) continue;
    last = row;
    for (std::int64_t line = 0; line < lines && from[static_cast<std::size_t>(row)] < 0; ++line)
      if (is(row, line)) from[static_cast<std::size_t>(row)] = line;
  }
  return from;
}

struct RowRule {
  std::string text;  ///< completes "row r of `out` is"
  std::function<std::optional<double>(std::int64_t)> source;
};

/// What may have been meant for the index into a table of `lines` rows.
std::vector<RowRule> rules_of(const Facts& facts, double lines, std::int64_t first, std::int64_t source) {
  std::vector<RowRule> rules;
  const std::int64_t rows = facts.rows();
  for (const NamedTensor& index : facts.output().others) {
    if (index.shape.size() > 1 || index.values.size() != static_cast<std::size_t>(rows)) continue;
    const std::vector<double>* v = &index.values;
    const auto at = [v, rows](std::int64_t r) -> std::optional<double> {
      if (r < 0 || r >= rows) return std::nullopt;
      return (*v)[static_cast<std::size_t>(r)];
    };
    const double off = static_cast<double>(source) - *at(first);
    const std::string name = "`" + index.name + "`";
    const std::string by = off == 0 ? "" : fmt::format(" {} {:.0f}", off < 0 ? "-" : "+", std::abs(off));
    rules.push_back(
        {fmt::format("row {}[r]{}", name, by), [=](auto r) { return std::optional(*at(r) + off); }});
    for (const std::int64_t k : {-1, 1})
      rules.push_back(
          {fmt::format("row {}[r {} 1]", name, k < 0 ? "-" : "+"), [=](auto r) { return at(r + k); }});
    rules.push_back({fmt::format("row {}[r], cut to the ends of it,", name),
                     [=](auto r) { return std::optional(std::clamp(*at(r), 0.0, lines - 1)); }});
    rules.push_back({fmt::format("row {}[r] modulo its {} rows", name, lines),
                     [=](auto r) { return std::optional(*at(r) - std::floor(*at(r) / lines) * lines); }});
  }
  rules.push_back({fmt::format("row {}", source), [=](auto) { return static_cast<double>(source); }});
  rules.push_back({source == first  ? std::string("row r")
                   : source < first ? fmt::format("row r - {}", first - source)
                                    : fmt::format("row r + {}", source - first),
                   [=](auto r) { return static_cast<double>(r + source - first); }});
  return rules;
}

bool gives_all(const RowRule& rule, const std::vector<std::int64_t>& from) {
  for (std::size_t r = 0; r < from.size(); ++r)
    if (from[r] >= 0 && rule.source(static_cast<std::int64_t>(r)) != static_cast<double>(from[r]))
      return false;
  return true;
}

void look(const Facts& facts, const NamedTensor& table, std::vector<Pattern>& found) {
  const std::vector<std::int64_t> from = sources(facts, table);
  const auto first = std::find_if(from.begin(), from.end(), [](std::int64_t s) { return s >= 0; });
  if (first == from.end()) return;
  std::string text;
  for (const RowRule& rule :
       rules_of(facts, static_cast<double>(table.shape[0]), first - from.begin(), *first))
    if (text.empty() && gives_all(rule, from)) text = rule.text;
  Claim claim;
  claim.fitted = !text.empty() ? 1 : std::count_if(from.begin(), from.end(), [](auto s) { return s >= 0; });
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    const std::int64_t line = from[static_cast<std::size_t>(i / facts.columns())];
    claim.predicted.push_back(
        line < 0 ? std::numeric_limits<double>::quiet_NaN()
                 : table.values[static_cast<std::size_t>(line * facts.columns() + i % facts.columns())]);
  }
  const Support support = support_of(facts, claim);
  if (!support.fits) return;
  const std::string weakest =
      fmt::format("{}s of `{}` that are wrong are rows of `{}`", facts.row_word(), facts.name(), table.name);
  const std::string says = text.empty() ? fmt::format("{}, but not those they should be,", weakest)
                                        : fmt::format("{} r of `{}` is {} of `{}`", facts.row_word(),
                                                      facts.name(), text, table.name);
  Pattern pattern = pattern_of(facts, support, Kind::equality, "equal rows of " + table.name,
                               capitalised(fmt::format("{} {}.", says, scope(facts, support))), claim.fitted,
                               text.empty() ? 55 : 86);
  if (!text.empty()) pattern.readings.push_back({text, capitalised(says) + "."});
  pattern.readings.push_back({"", capitalised(weakest) + ", but not those they should be."});
  found.push_back(std::move(pattern));
}

}  // namespace

std::vector<Pattern> table_rows(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.wrong().empty() || facts.output().tensor.shape.size() < 2) return found;
  for (const NamedTensor& tensor : facts.output().others)
    if (tensor.shape.size() == 2 && tensor.shape[1] == facts.columns() && tensor.shape[0] > 0 &&
        tensor.values.size() == static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]))
      look(facts, tensor, found);
  return found;
}

}  // namespace fusebox::patterns
