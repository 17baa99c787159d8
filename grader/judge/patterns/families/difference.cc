#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/families/families.h"

namespace fusebox::patterns {
namespace {

Claim shifted(const Facts& facts, const std::vector<double>& by, double times, std::int64_t fitted) {
  Claim claim;
  claim.fitted = fitted;
  for (std::int64_t i = 0; i < facts.count(); ++i)
    claim.predicted.push_back(facts.expected(i) +
                              times * by[by.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
  return claim;
}

void constant(const Facts& facts, std::vector<Pattern>& found) {
  double sum = 0, n = 0;
  std::vector<double> all,
      alike;  // those that are off by another constant say nothing of how exact this one is
  for (const std::int64_t i : facts.wrong()) all.push_back(facts.got(i) - facts.expected(i));
  const double about = median(all);
  for (const std::int64_t i : facts.wrong()) {
    const double d = facts.got(i) - facts.expected(i);
    if (std::abs(d - about) <= facts.allowed(i, facts.got(i))) alike.push_back(d), sum += d, n += 1;
  }
  if (n == 0) return;
  const double by = sum / n;
  double squares = 0;
  for (const double d : alike) squares += (d - by) * (d - by);
  const Support support = support_of(facts, shifted(facts, {by}, 1, 1));
  if (!support.fits) return;
  const auto names = names_of(facts, by, 4 * std::sqrt(squares) / n);
  const std::string head = fmt::format("`{}` is what it should be", facts.name());
  const auto plus = [&](const std::string& what) {
    return what.starts_with("-") ? fmt::format("{} - {}", head, what.substr(1))
                                 : fmt::format("{} + {}", head, what);
  };
  Pattern pattern = pattern_of(facts, support, Kind::difference, "difference",
                               fmt::format("{} {}.", plus(described(names)), scope(facts, support)), 1, 70);
  pattern.readings = number_readings(names, [&](const std::string& number) { return plus(number) + "."; });
  pattern.readings.push_back({"", head + " plus a constant, another one in each case."});
  found.push_back(std::move(pattern));
}

/// /// What makes such a difference. The numbers prove the difference and not how it came about.
std::string meaning(const std::string& tensor, double times) {
  if (times == -1) return fmt::format(", as when `{}` is not added", tensor);
  if (times == 1) return fmt::format(", as when `{}` is added once more", tensor);
  if (times == -2) return fmt::format(", as when `{}` is subtracted and not added", tensor);
  if (times == 2) return fmt::format(", as when `{}` is added and not subtracted", tensor);
  // Every lane or thread of many has added it.
  if (times >= 3 && std::abs(times - std::round(times)) < 1e-2)
    return fmt::format(", as when `{}` is added {:.0f} times", tensor, times + 1);
  return "";
}

void multiple(const Facts& facts, const Overlay& overlay, std::vector<Pattern>& found) {
  std::vector<double> quotients;
  for (const std::int64_t i : facts.wrong()) {
    const double t = overlay.values[static_cast<std::size_t>(i)];
    if (std::abs(t) > 8 * facts.allowed(i, facts.expected(i)))
      quotients.push_back((facts.got(i) - facts.expected(i)) / t);
  }
  double times = median(quotients);
  if (!std::isfinite(times) || std::abs(times) < 1e-9) return;
  std::int64_t fitted = 1;
  for (const double exact : {-1.0, 1.0, -2.0, 2.0, -0.5, 0.5})
    if (std::abs(times - exact) < 1e-2) times = exact, fitted = 0;
  const Support support = support_of(facts, shifted(facts, overlay.values, times, fitted));
  if (!support.fits) return;
  const std::string factor = std::abs(times) == 1 ? "" : fmt::format("{:.4g} times ", std::abs(times));
  const std::string says = fmt::format("`{}` is what it should be {} {}{}", facts.name(),
                                       times < 0 ? "minus" : "plus", factor, overlay.text);
  const std::string means = overlay.tensor.empty() ? "" : meaning(overlay.tensor, times);
  Pattern pattern =
      pattern_of(facts, support, Kind::difference, fmt::format("difference {}", overlay.text),
                 fmt::format("{} {}{}.", says, scope(facts, support), means), fitted, fitted == 0 ? 80 : 60);
  pattern.readings.push_back({fmt::format("{:.4g}", times), says + means + "."});
  found.push_back(std::move(pattern));
}

void by_line(const Facts& facts, bool by_row, std::vector<Pattern>& found) {
  if (facts.output().tensor.shape.size() < 2) return;
  const auto line_of = [&](std::int64_t i) {
    return static_cast<std::size_t>(by_row ? i / facts.columns() : i % facts.columns());
  };
  std::vector<std::vector<double>> all(static_cast<std::size_t>(by_row ? facts.rows() : facts.columns()));
  for (const std::int64_t i : facts.wrong()) all[line_of(i)].push_back(facts.got(i) - facts.expected(i));
  std::int64_t fitted = 0;
  std::vector<double> of_line, by;
  for (auto& line : all) {
    fitted += !line.empty();
    of_line.push_back(median(std::move(line)));
  }
  if (fitted == 0) return;
  for (std::int64_t i = 0; i < facts.count(); ++i) by.push_back(of_line[line_of(i)]);
  const Support support = support_of(facts, shifted(facts, by, 1, fitted));
  if (!support.fits) return;
  std::erase_if(of_line, [](double d) { return !std::isfinite(d); });
  const auto [low, high] = std::minmax_element(of_line.begin(), of_line.end());
  const std::string says = fmt::format("`{}` is what it should be plus a constant, another one for each {}",
                                       facts.name(), by_row ? facts.row_word() : facts.column_word());
  Pattern pattern = pattern_of(
      facts, support, Kind::difference, by_row ? "difference by row" : "difference by column",
      fmt::format("{}, {:.4g} to {:.4g}, {}.", says, *low, *high, scope(facts, support)), fitted, 40);
  pattern.readings.push_back({"", says + "."});
  found.push_back(std::move(pattern));
}

}  // namespace

std::vector<Pattern> differences(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.wrong().empty()) return found;
  constant(facts, found);
  for (const Overlay& overlay : overlays(facts)) multiple(facts, overlay, found);
  if (facts.output().before && facts.output().before->size() == static_cast<std::size_t>(facts.count()))
    multiple(facts, {"", "what stood there before", Overlay::Along::elements, *facts.output().before}, found);
  by_line(facts, true, found);
  by_line(facts, false, found);
  return found;
}

}  // namespace fusebox::patterns
