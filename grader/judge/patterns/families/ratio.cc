#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/families/families.h"

namespace fusebox::patterns {
namespace {

/// What is taken off both sides before they are divided.
struct Base {
  std::string key, subject;    ///< subject: "`out`", "`out` - `beta`[column]", "The change of `p`"
  std::vector<double> values;  ///< empty: nothing
  double operator[](std::int64_t i) const { return values.empty() ? 0 : values[static_cast<std::size_t>(i)]; }
};

std::vector<Base> bases(const Facts& facts, const std::vector<Overlay>& others) {
  std::vector<Base> all = {{"", fmt::format("`{}`", facts.name()), {}}};
  if (facts.output().before && facts.output().before->size() == static_cast<std::size_t>(facts.count()))
    all.push_back({" change", fmt::format("the change of `{}`", facts.name()), *facts.output().before});
  for (const Overlay& overlay : others)
    if (overlay.along == Overlay::Along::columns)
      all.push_back(
          {" less " + overlay.text, fmt::format("`{}` - {}", facts.name(), overlay.text), overlay.values});
  return all;
}

/// got / expected where that says something; NaN elsewhere.
double quotient(const Facts& facts, const Base& base, std::int64_t i) {
  const double e = facts.expected(i) - base[i];
  return std::abs(e) > 8 * facts.allowed(i, facts.expected(i)) ? (facts.got(i) - base[i]) / e : kNan;
}

/// base + factor * (expected - base), the tolerance grown with the factor.
Claim scaled(const Facts& facts, const Base& base, const std::vector<double>& factors, std::int64_t fitted) {
  Claim claim;
  claim.fitted = fitted;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    const double factor = factors[factors.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    claim.predicted.push_back(base[i] + factor * (facts.expected(i) - base[i]));
    claim.scale.push_back(std::isfinite(factor) ? std::abs(factor) : 1);
  }
  return claim;
}

/// The factor by least squares and how far off it may be: as far as the errors are apart, or, if that is
/// more, as far as no element minds.
struct Fit {
  double factor = 0, uncertainty = 0;
};
Fit least_squares(const Facts& facts, const Base& base, double about) {
  double xx = 0, xy = 0, residuals = 0, n = 0, slack = 1e-4 * std::abs(about);
  const auto each = [&](auto&& visit) {
    for (const std::int64_t i : facts.wrong()) {
      const double x = facts.expected(i) - base[i], y = facts.got(i) - base[i];
      const double allowed = facts.allowed(i, facts.got(i)) * std::max(1.0, std::abs(about));
      if (std::abs(y - about * x) <= allowed) visit(x, y, allowed);
    }
  };
  each([&](double x, double y, double) { xx += x * x, xy += x * y, n += 1; });
  if (xx == 0) return {about, std::abs(about)};
  const double factor = xy / xx;
  each([&](double x, double y, double allowed) {
    const double off = y - factor * x;
    residuals += off * off;
    slack = std::min(slack, (allowed - std::abs(off)) / std::abs(x));
  });
  return {factor, std::max(slack, 4 * std::sqrt(residuals / std::max(1.0, n - 1) / xx))};
}

void constant(const Facts& facts, const Base& base, std::vector<Pattern>& found) {
  std::vector<double> quotients;
  for (const std::int64_t i : facts.wrong())
    if (const double q = quotient(facts, base, i); std::isfinite(q)) quotients.push_back(q);
  const double about = median(quotients);
  // Nothing at all is an equality, not a ratio.
  if (!(std::abs(about) > 1e-9)) return;
  const Fit fit = least_squares(facts, base, about);
  const Support support = support_of(facts, scaled(facts, base, {fit.factor}, 1));
  if (!support.fits) return;
  const auto names = names_of(facts, fit.factor, fit.uncertainty);
  const std::string where = scope(facts, support);
  Pattern pattern =
      pattern_of(facts, support, Kind::ratio, "ratio" + base.key,
                 fmt::format("{} is {} times what it should be {}.", base.subject, described(names), where),
                 1, base.key.empty() ? 70 : 65);
  pattern.readings = number_readings(names, [&](const std::string& number) {
    return fmt::format("{} is {} times what it should be.", base.subject, number);
  });
  pattern.readings.push_back(
      {"", fmt::format("{} is a constant times what it should be, another one in each case.", base.subject)});
  found.push_back(std::move(pattern));
}

/// Nothing at all is an equality, not a ratio.
bool leaves_nothing(const Facts& facts, const Base& base, const std::vector<double>& factors) {
  return std::all_of(facts.wrong().begin(), facts.wrong().end(), [&](std::int64_t i) {
    const double left = factors[static_cast<std::size_t>(i)] * (facts.expected(i) - base[i]);
    return std::abs(left) <= facts.allowed(i, facts.expected(i));
  });
}

/// The ratio is another tensor, or one over it: a factor too many or missing.
void tensors(const Facts& facts, const Base& base, const std::vector<Overlay>& others,
             std::vector<Pattern>& found) {
  for (const Overlay& overlay : others)
    for (const bool missing : {true, false}) {
      std::vector<double> factors;
      for (const double v : overlay.values) factors.push_back(missing ? 1 / v : v);
      if (leaves_nothing(facts, base, factors)) continue;
      const Support support = support_of(facts, scaled(facts, base, factors, 0));
      if (!support.fits) continue;
      const std::string says =
          fmt::format("{} is {} {}", base.subject,
                      missing ? "what it should be divided by" : "what it should be times", overlay.text);
      const std::string means = fmt::format(", as when the factor `{}` is {}", overlay.tensor,
                                            missing ? "left out" : "there once more");
      Pattern pattern = pattern_of(facts, support, Kind::ratio,
                                   fmt::format("ratio{} {}{}", base.key, missing ? "1/" : "", overlay.text),
                                   fmt::format("{} {}{}.", says, scope(facts, support), means), 0, 80);
      pattern.readings.push_back({"", says + means + "."});
      found.push_back(std::move(pattern));
    }
}

/// One number for each row, or for each column.
void by_line(const Facts& facts, const Base& base, bool by_row, std::vector<Pattern>& found) {
  const std::int64_t lines = by_row ? facts.rows() : facts.columns();
  if (facts.output().tensor.shape.size() < 2) return;
  std::vector<std::vector<double>> quotients(static_cast<std::size_t>(lines));
  const auto line_of = [&](std::int64_t i) {
    return static_cast<std::size_t>(by_row ? i / facts.columns() : i % facts.columns());
  };
  for (const std::int64_t i : facts.wrong())
    if (const double q = quotient(facts, base, i); std::isfinite(q)) quotients[line_of(i)].push_back(q);
  std::vector<double> of_line;
  std::int64_t fitted = 0;
  for (auto& q : quotients) {
    fitted += !q.empty();
    of_line.push_back(median(std::move(q)));
  }
  if (fitted == 0) return;
  std::vector<double> factors;
  for (std::int64_t i = 0; i < facts.count(); ++i) factors.push_back(of_line[line_of(i)]);
  const Support support = support_of(facts, scaled(facts, base, factors, fitted));
  if (!support.fits) return;
  std::vector<double> known;
  for (const double q : of_line)
    if (std::isfinite(q)) known.push_back(q);
  const auto [low, high] = std::minmax_element(known.begin(), known.end());
  const std::string& line = by_row ? facts.row_word() : facts.column_word();
  const std::string says =
      fmt::format("{} is a multiple of what it should be, another one for each {}", base.subject, line);
  Pattern pattern = pattern_of(
      facts, support, Kind::ratio, fmt::format("ratio{} by {}", base.key, by_row ? "row" : "column"),
      fmt::format("{}, {:.4g} to {:.4g} times, {}.", says, *low, *high, scope(facts, support)), fitted, 40);
  pattern.readings.push_back({"", says + "."});
  found.push_back(std::move(pattern));
}

}  // namespace

std::vector<Pattern> ratios(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.wrong().empty()) return found;
  const std::vector<Overlay> others = overlays(facts);
  for (const Base& base : bases(facts, others)) {
    constant(facts, base, found);
    tensors(facts, base, others, found);
    by_line(facts, base, true, found);
    by_line(facts, base, false, found);
  }
  return found;
}

}  // namespace fusebox::patterns
