#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/families/families.h"

namespace fusebox::patterns {
namespace {

/// Adds the pattern when it fits; `says` goes on with where.
bool keep(const Facts& facts, const Claim& claim, std::string key, const std::string& says, int weight,
          std::vector<Pattern>& found, std::vector<Reading> readings = {}) {
  const Support support = support_of(facts, claim);
  if (!support.fits) return false;
  Pattern pattern = pattern_of(facts, support, Kind::equality, std::move(key),
                               fmt::format("{} {}.", says, scope(facts, support)), claim.fitted, weight);
  pattern.readings = std::move(readings);
  if (pattern.readings.empty()) pattern.readings.push_back({"", says + "."});
  found.push_back(std::move(pattern));
  return true;
}

/// Where there are two answers only, a wrong one is the other, and that all wrong ones are alike says
/// nothing.
bool one_of_two(const Facts& facts) {
  std::set<double> answers, came;
  for (std::int64_t i = 0; i < facts.count() && answers.size() <= 2; ++i) {
    answers.insert(facts.expected(i));
    came.insert(facts.got(i));
  }
  return answers.size() <= 2 && came.size() > 1;
}

bool one_value(const Facts& facts, std::vector<Pattern>& found) {
  if (one_of_two(facts)) return false;
  Claim claim;
  claim.against_expected = true;
  claim.predicted.assign(static_cast<std::size_t>(facts.count()), 0.0);
  const std::string name = fmt::format("`{}`", facts.name());
  if (keep(facts, claim, "equal zero", name + " is 0", 92, found)) return true;
  std::vector<double> all;
  for (const std::int64_t i : facts.wrong()) all.push_back(facts.got(i));
  const double value = median(all);
  claim.predicted.assign(static_cast<std::size_t>(facts.count()), value);
  claim.fitted = 1;
  const auto names = names_of(facts, value, 0);
  std::vector<Reading> readings = number_readings(
      names, [&](const std::string& number) { return fmt::format("{} is {}, one value.", name, number); });
  readings.push_back({"", name + " is one value, another one in each case."});
  return keep(facts, claim, "equal one value", fmt::format("{} is {}, one value,", name, described(names)),
              85, found, std::move(readings));
}

void tensors(const Facts& facts, std::vector<Pattern>& found) {
  const std::string name = fmt::format("`{}`", facts.name());
  Claim claim;
  if (facts.output().before && facts.output().before->size() == static_cast<std::size_t>(facts.count())) {
    claim.predicted = *facts.output().before;
    keep(facts, claim, "equal before", name + " is what it was before the call", 95, found);
  }
  for (const Overlay& overlay : overlays(facts)) {
    claim.predicted = overlay.values;
    keep(facts, claim, "equal " + overlay.text, fmt::format("{} is {}", name, overlay.text), 90, found);
  }
}

/// The right answer read at other places: `source` gives for each element where, or -1.
template <class Source>
Claim moved(const Facts& facts, Source source) {
  Claim claim;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    const std::int64_t from = source(i);
    claim.predicted.push_back(from < 0 || from >= facts.count() ? kNan : facts.expected(from));
  }
  return claim;
}

/// Rows, or columns, as lines: what they share is written once.
struct Lines {
  std::int64_t lines, length;
  bool rows;
  std::int64_t at(std::int64_t line, std::int64_t k) const {
    return rows ? line * length + k : k * lines + line;
  }
  std::int64_t line_of(std::int64_t i) const { return rows ? i / length : i % lines; }
  std::int64_t place_in(std::int64_t i) const { return rows ? i % length : i / lines; }
};

/// Does what came in `line` stand as the right answer in `source`?
bool holds(const Facts& facts, const Lines& lines, std::int64_t line, std::int64_t source) {
  std::int64_t same = 0;
  for (std::int64_t k = 0; k < lines.length; ++k) {
    const std::int64_t i = lines.at(line, k), from = lines.at(source, k);
    if (facts.state(i) == State::unwritten) continue;
    if (!(std::abs(facts.got(i) - facts.expected(from)) <= facts.allowed(i, facts.expected(from))))
      return false;
    ++same;
  }
  return same > 0;
}

/// For each line that is wrong the line whose answer it holds; -1 where there is none or it is right.
std::vector<std::int64_t> sources(const Facts& facts, const Lines& lines) {
  std::vector<std::int64_t> from(static_cast<std::size_t>(lines.lines), -1);
  std::vector<bool> wrong(from.size(), false);
  for (const std::int64_t i : facts.wrong()) wrong[static_cast<std::size_t>(lines.line_of(i))] = true;
  std::int64_t shift =
      0;  // of the line before: the likely one comes first, so that equal rows do not confuse
  for (std::int64_t line = 0; line < lines.lines; ++line) {
    if (!wrong[static_cast<std::size_t>(line)]) continue;
    const std::int64_t likely = line + shift;
    auto& source = from[static_cast<std::size_t>(line)];
    if (likely >= 0 && likely < lines.lines && holds(facts, lines, line, likely)) source = likely;
    for (std::int64_t s = 0; s < lines.lines && source < 0; ++s)
      if (s != line && holds(facts, lines, line, s)) source = s;
    if (source >= 0) shift = source - line;
  }
  return from;
}

struct Rule {
  std::string key, text;
  std::int64_t fitted = 0;
  std::function<std::int64_t(std::int64_t)> source;
};

/// The simple rules that agree with line `at` holding what line `from[at]` should.
std::vector<Rule> rules_through(const std::vector<std::int64_t>& from, std::int64_t at) {
  const auto n = static_cast<std::int64_t>(from.size());
  const std::int64_t only = from[static_cast<std::size_t>(at)], shift = only - at, turn = (shift + n) % n;
  std::vector<Rule> rules = {
      {fmt::format("all {}", only), fmt::format("{}", only), 1, [=](auto) { return only; }},
      {fmt::format("shift {}", shift), fmt::format("r {} {}", shift < 0 ? "-" : "+", std::abs(shift)), 1,
       [=](auto i) { return i + shift; }},
      {fmt::format("turn {}", turn), fmt::format("(r + {}) % {}", turn, n), 1,
       [=](auto i) { return (i + turn) % n; }},
      {"reversed", "last - r", 0, [=](auto i) { return n - 1 - i; }},
      {"swapped", "r + 1 where r is even, else r - 1", 0, [](auto i) { return i ^ 1; }}};
  for (std::int64_t q = 2; q < std::min<std::int64_t>(n, 257); ++q) {
    rules.push_back({fmt::format("mod {}", q), fmt::format("r % {}", q), 1, [=](auto i) { return i % q; }});
    rules.push_back({fmt::format("div {}", q), fmt::format("r / {}", q), 1, [=](auto i) { return i / q; }});
    rules.push_back(
        {fmt::format("first of {}", q), fmt::format("r - r % {}", q), 1, [=](auto i) { return i / q * q; }});
  }
  return rules;
}

/// A rule that gives the source of every line, or failing that the distance that most lines have; its text
/// completes "row r holds the answer of row". Without a key when there is none.
std::optional<Rule> rule_of(const std::vector<std::int64_t>& from) {
  const auto n = static_cast<std::int64_t>(from.size());
  const auto known = std::count_if(from.begin(), from.end(), [](std::int64_t s) { return s >= 0; });
  if (known == 0) return std::nullopt;
  const auto first = std::find_if(from.begin(), from.end(), [](std::int64_t s) { return s >= 0; });
  for (const Rule& rule : rules_through(from, first - from.begin())) {
    bool all = true;
    for (std::int64_t i = 0; i < n && all; ++i) {
      const std::int64_t source = from[static_cast<std::size_t>(i)];
      all = source < 0 || source == rule.source(i);
    }
    if (all) return rule;
  }
  std::map<std::int64_t, std::int64_t> distances;
  for (std::int64_t i = 0; i < n; ++i)
    if (const std::int64_t source = from[static_cast<std::size_t>(i)]; source >= 0) ++distances[source - i];
  const auto most = std::max_element(distances.begin(), distances.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (4 * most->second >= 3 * known) {
    const std::int64_t by = most->first;
    return Rule{fmt::format("shift {}", by), fmt::format("r {} {}", by < 0 ? "-" : "+", std::abs(by)), 1,
                [=](auto i) { return i + by; }};
  }
  return Rule{"", "", known, [from](auto i) { return from[static_cast<std::size_t>(i)]; }};
}

/// Lines that hold the answers of other lines.
void other_lines(const Facts& facts, bool rows, std::vector<Pattern>& found) {
  if (facts.rows() < 2 || facts.columns() < 2) return;
  const Lines lines =
      rows ? Lines{facts.rows(), facts.columns(), true} : Lines{facts.columns(), facts.rows(), false};
  if (lines.lines > 4096) return;
  const std::vector<std::int64_t> from = sources(facts, lines);
  const auto rule = rule_of(from);
  if (!rule) return;
  Claim claim = moved(facts, [&](std::int64_t i) {
    const std::int64_t source = rule->source(lines.line_of(i));
    return source < 0 || source >= lines.lines ? -1 : lines.at(source, lines.place_in(i));
  });
  claim.fitted = rule->fitted;
  const std::string& word = rows ? facts.row_word() : facts.column_word();
  const bool one = rule->key.starts_with("all ");
  const std::string says =
      rule->key.empty()
          ? fmt::format("`{}` holds in each {} the right answer of another {}", facts.name(), word, word)
      : one
          ? fmt::format("`{}` holds in every {} the right answer of {} {}", facts.name(), word, word,
                        rule->text)
          : fmt::format("`{}` holds in {} r the right answer of {} {}", facts.name(), word, word, rule->text);
  const std::string weakest =
      fmt::format("`{}` holds the right answers of other {}.", facts.name(), plural(word));
  std::vector<Reading> readings;
  if (!rule->key.empty()) readings.push_back({rule->key, says + "."});
  readings.push_back({"", weakest});
  keep(facts, claim, rows ? "equal other rows" : "equal other columns", says, rule->key.empty() ? 50 : 88,
       found, std::move(readings));
}

void transposed(const Facts& facts, std::vector<Pattern>& found) {
  const std::int64_t rows = facts.rows(), columns = facts.columns();
  if (rows < 2 || columns < 2) return;
  const std::string says = fmt::format("`{}` is the right answer transposed", facts.name());
  // Element i came to where [columns, rows] has it.
  const Claim stored = moved(facts, [&](std::int64_t i) { return i % rows * columns + i / rows; });
  if (keep(facts, stored, "equal transposed", says, 91, found) || rows == columns) return;
  const Claim read = moved(facts, [&](std::int64_t i) { return i % columns * rows + i / columns; });
  keep(facts, read, "equal transposed", says, 91, found);
}

/// Every element holds the answer of the element so many places on; found by looking for one value.
void shifted(const Facts& facts, std::vector<Pattern>& found) {
  const auto& wrong = facts.wrong();
  const std::int64_t probe = wrong[wrong.size() / 2];
  int tries = 0;
  for (std::int64_t distance = 1; distance < facts.count() && tries < 64; ++distance)
    for (const std::int64_t k : {distance, -distance}) {
      const std::int64_t from = probe + k;
      // Rows that hold other rows are told as such.
      if (from < 0 || from >= facts.count() || (facts.rows() > 1 && k % facts.columns() == 0)) continue;
      if (!(std::abs(facts.got(probe) - facts.expected(from)) <= facts.allowed(probe, facts.expected(from))))
        continue;
      ++tries;
      Claim claim = moved(facts, [&](std::int64_t i) { return i + k; });
      claim.fitted = 1;
      const std::string how = fmt::format("{} element{} {}", std::abs(k), std::abs(k) == 1 ? "" : "s",
                                          k > 0 ? "further on" : "before");
      const std::string says =
          fmt::format("`{}` holds at each place the right answer of {}", facts.name(), how);
      if (keep(facts, claim, "equal shifted", says, 88, found,
               {{fmt::format("{}", k), says + "."},
                {"", fmt::format("`{}` is the right answer, shifted.", facts.name())}}))
        return;
    }
}

/// Several kinds of values in one buffer, which lie side by side for each index or kind behind kind.
void other_order_of_kinds(const Facts& facts, std::vector<Pattern>& found) {
  constexpr std::int64_t kMaxKinds = 4;
  if (facts.rows() > 1) return;
  for (const NamedNumber& number : facts.output().numbers) {
    const auto n = static_cast<std::int64_t>(number.value);
    if (static_cast<double>(n) != number.value || n < 2) continue;
    for (std::int64_t kinds = 2; kinds <= kMaxKinds; ++kinds) {
      const std::int64_t whole = kinds * n;
      if (facts.count() % whole != 0) continue;
      for (const bool side_by_side : {true, false}) {
        const Claim claim = moved(facts, [&](std::int64_t i) {
          const std::int64_t k = i % whole, from = i - k;
          return from + (side_by_side ? k % kinds * n + k / kinds : k % n * kinds + k / n);
        });
        const std::string beside = fmt::format("{} side by side for each of `{}`", kinds, number.name),
                          behind = fmt::format("all `{}` of one kind before those of the next", number.name);
        const std::string says =
            fmt::format("`{}` holds the right values in another order: {}, and not {}", facts.name(),
                        side_by_side ? beside : behind, side_by_side ? behind : beside);
        keep(facts, claim, fmt::format("equal kinds {} {} {}", number.name, kinds, side_by_side), says + ",",
             90, found, {{"", says + "."}});
      }
    }
  }
}

void reversed(const Facts& facts, std::vector<Pattern>& found) {
  const Claim claim = moved(facts, [&](std::int64_t i) { return facts.count() - 1 - i; });
  keep(facts, claim, "equal reversed", fmt::format("`{}` is the right answer backwards", facts.name()), 88,
       found);
}

/// Each line holds one value, or all lines the same values, whatever these are.
void same_lines(const Facts& facts, bool constant, std::vector<Pattern>& found) {
  const std::int64_t rows = facts.rows(), columns = facts.columns();
  if (rows < 2 || columns < 2) return;
  std::vector<std::vector<double>> values(static_cast<std::size_t>(constant ? rows : columns));
  const auto group = [&](std::int64_t i) {
    return static_cast<std::size_t>(constant ? i / columns : i % columns);
  };
  for (const std::int64_t i : facts.wrong()) values[group(i)].push_back(facts.got(i));
  Claim claim;
  std::vector<double> middle;
  for (auto& v : values) {
    claim.fitted += !v.empty();
    middle.push_back(median(std::move(v)));
  }
  for (std::int64_t i = 0; i < facts.count(); ++i) claim.predicted.push_back(middle[group(i)]);
  const std::string& row = facts.row_word();
  const std::string says =
      constant ? fmt::format("`{}` has one and the same value all along each {}", facts.name(), row)
               : fmt::format("`{}` has the same values in every {}", facts.name(), row);
  keep(facts, claim, constant ? "equal along rows" : "equal rows", says, 45, found);
}

}  // namespace

std::vector<Pattern> equalities(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.wrong().empty()) return found;
  tensors(facts, found);
  if (one_value(facts, found)) return found;
  other_lines(facts, true, found);
  other_lines(facts, false, found);
  transposed(facts, found);
  other_order_of_kinds(facts, found);
  shifted(facts, found);
  reversed(facts, found);
  same_lines(facts, true, found);
  same_lines(facts, false, found);
  return found;
}

}  // namespace fusebox::patterns
