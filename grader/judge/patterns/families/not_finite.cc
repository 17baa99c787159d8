#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/facts/regions.h"
#include "grader/judge/patterns/families/families.h"
#include "grader/report/text/format.h"

namespace fusebox::patterns {
namespace {

/// Elements, or whole rows, in two heaps: those that are not finite, and the others that were written.
struct Split {
  std::vector<std::size_t> in, out;
  bool rows = false;
};

/// One value of an input for each element or row of a split.
struct Quantity {
  std::string text;  ///< "`x`", "the largest `x` of the row"
  std::vector<double> values;
  bool of_row = false;
};

Split split_elements(const Facts& facts, const std::function<bool(double)>& is) {
  Split split;
  for (std::int64_t i = 0; i < facts.count(); ++i)
    if (facts.state(i) != State::unwritten)
      (is(facts.got(i)) ? split.in : split.out).push_back(static_cast<std::size_t>(i));
  return split;
}

/// Whole rows; nothing when a row is half and half.
Split split_rows(const Facts& facts, const std::function<bool(double)>& is) {
  Split split;
  split.rows = true;
  for (std::int64_t r = 0; r < facts.rows(); ++r) {
    std::int64_t in = 0, all = 0;
    for (std::int64_t c = 0; c < facts.columns(); ++c) {
      const std::int64_t i = r * facts.columns() + c;
      if (facts.state(i) == State::unwritten) continue;
      ++all;
      in += is(facts.got(i));
    }
    if (in != 0 && in != all) return {};
    if (all > 0) (in > 0 ? split.in : split.out).push_back(static_cast<std::size_t>(r));
  }
  return split;
}

/// What of a row of an input decides whether a whole row is lost.
void row_quantities(const std::string& name, const std::vector<double>& values, std::size_t rows,
                    std::vector<Quantity>& all) {
  const std::size_t length = values.size() / rows;
  Quantity smallest{"the smallest " + name + " of the row", {}, true},
      largest{"the largest " + name + " of the row", {}, true},
      spread{"the spread of " + name + " in the row", {}, true};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(r * length);
    const auto [low, high] = std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(length));
    smallest.values.push_back(*low);
    largest.values.push_back(*high);
    spread.values.push_back(*high - *low);
  }
  if (length == 1) {
    smallest.text = name;
    all.push_back(std::move(smallest));
    return;
  }
  all.push_back(std::move(smallest));
  all.push_back(std::move(largest));
  all.push_back(std::move(spread));
}

std::vector<Quantity> quantities(const Facts& facts, bool of_rows) {
  std::vector<Quantity> all;
  if (!of_rows) {
    for (const Overlay& overlay : overlays(facts)) all.push_back({overlay.text, overlay.values, false});
    all.push_back({"the right answer", facts.output().tensor.expected, false});
    return all;
  }
  const auto rows = static_cast<std::size_t>(facts.rows());
  for (const NamedTensor& tensor : facts.output().others)
    if (!tensor.values.empty() && tensor.values.size() % rows == 0 &&
        (tensor.values.size() == rows || tensor.values.size() == static_cast<std::size_t>(facts.count())))
      row_quantities("`" + tensor.name + "`", tensor.values, rows, all);
  return all;
}

struct ValueCondition {
  const char* text;
  bool (*holds)(double);
};
const ValueCondition kConditions[] = {{"is 0", [](double v) { return v == 0; }},
                                      {"is negative", [](double v) { return v < 0; }},
                                      {"is positive", [](double v) { return v > 0; }},
                                      {"is not positive", [](double v) { return v <= 0; }}};

/// What is true of the quantity there and nowhere else; empty when nothing is.
std::string only_there(const Split& split, const Quantity& quantity) {
  const auto at = [&](std::size_t i) { return quantity.values[i]; };
  for (const ValueCondition& condition : kConditions) {
    const auto holds = [&](std::size_t i) { return condition.holds(at(i)); };
    if (std::all_of(split.in.begin(), split.in.end(), holds) &&
        std::none_of(split.out.begin(), split.out.end(), holds))
      return condition.text;
  }
  const auto bounds = [&](const std::vector<std::size_t>& heap, bool magnitude) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::size_t i : heap) {
      const double v = magnitude ? std::abs(at(i)) : at(i);
      low = std::min(low, v), high = std::max(high, v);
    }
    return std::pair(low, high);
  };
  for (const bool magnitude : {false, true}) {
    const auto [in_low, in_high] = bounds(split.in, magnitude);
    const auto [out_low, out_high] = bounds(split.out, magnitude);
    const char* word = magnitude ? "in magnitude " : "";
    if (in_low > out_high) return fmt::format("is {}above {:.4g}", word, out_high);
    if (in_high < out_low) return fmt::format("is {}below {:.4g}", word, out_low);
  }
  return "";
}

/// So few ways to take that many of all that chance did not: as for every other claim.
bool telling(const Split& split) {
  const double in = static_cast<double>(split.in.size()), all = in + static_cast<double>(split.out.size());
  return (std::lgamma(all + 1) - std::lgamma(in + 1) - std::lgamma(all - in + 1)) / std::log(10) >= 12;
}

Pattern base(const Facts& facts, const char* what, std::int64_t count) {
  Pattern pattern;
  pattern.kind = Kind::not_finite;
  pattern.key = what;
  pattern.explained = count;
  pattern.wrong = facts.bad();
  pattern.weight = 60;
  pattern.proven = true;
  pattern.evidence = fmt::format("{} of {} wrong elements", count, facts.bad());
  return pattern;
}

void say_why(const Facts& facts, const char* what, const std::function<bool(double)>& is, std::int64_t count,
             std::vector<Pattern>& found) {
  for (const bool rows : {false, true}) {
    if (rows && (facts.rows() < 2 || facts.columns() < 2)) continue;
    const Split split = rows ? split_rows(facts, is) : split_elements(facts, is);
    if (split.in.empty() || split.out.empty()) continue;
    for (const Quantity& quantity : quantities(facts, rows)) {
      const std::string condition = only_there(split, quantity);
      if (condition.empty()) continue;
      const std::string says =
          fmt::format("`{}` is {} where {} {}, and only there", facts.name(), what, quantity.text, condition);
      Pattern pattern = base(facts, what, count);
      pattern.key = fmt::format("{} where {}", what, quantity.text);
      pattern.sentence = says + ".";
      pattern.proven = telling(split);
      pattern.weight = 65;
      pattern.readings = {{condition, pattern.sentence}};
      if (condition.starts_with("is above") || condition.starts_with("is below"))
        pattern.readings.push_back(
            {"", fmt::format("`{}` is {} where {} is {}.", facts.name(), what, quantity.text,
                             condition.starts_with("is above") ? "large" : "small")});
      found.push_back(std::move(pattern));
    }
  }
}

void look_for(const Facts& facts, const char* what, const std::function<bool(double)>& is,
              std::vector<Pattern>& found) {
  Selection selection;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    const bool written = facts.state(i) != State::unwritten;
    selection.of.push_back(written);
    selection.in.push_back(written && facts.state(i) != State::right && is(facts.got(i)));
  }
  selection.count_up();
  if (selection.inside == 0) return;
  Pattern pattern = base(facts, what, selection.inside);
  pattern.proven = selection.all >= kMinEvidence;
  const std::string name = fmt::format("`{}`", facts.name());
  if (selection.inside == selection.all) {
    pattern.sentence = fmt::format("Every element of {} {}is {}.", name,
                                   facts.unwritten() > 0 ? "that was written " : "", what);
  } else {
    pattern.sentence =
        fmt::format("{} of the {} elements of {} are {}.", selection.inside, facts.count(), name, what);
    const auto regions = regions_of(facts, selection);
    if (!regions.empty() && regions[0].exact && !regions[0].of_right)
      pattern.sentence = fmt::format("{} of {} {} {}, nothing else.", capitalised(regions[0].text), name,
                                     regions[0].singular ? "is" : "are", what);
  }
  pattern.readings = {{"", fmt::format("There are {} values in {}.", what, name)}};
  found.push_back(std::move(pattern));
  say_why(facts, what, is, selection.inside, found);
}

}  // namespace

std::vector<Pattern> not_finite(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.not_finite() == 0) return found;
  look_for(
      facts, "NaN", [](double v) { return std::isnan(v); }, found);
  look_for(
      facts, "infinite", [](double v) { return std::isinf(v); }, found);
  return found;
}

}  // namespace fusebox::patterns
