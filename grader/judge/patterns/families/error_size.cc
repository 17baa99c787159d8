#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/families/families.h"

namespace fusebox::patterns {
namespace {

/// Binary digits of a value's significand, the leading one among them.
int digits_of(double value) {
  int exponent = 0;
  double rest = std::abs(std::frexp(value, &exponent));
  int digits = 0;
  for (; rest != 0 && digits < 60; ++digits) {
    rest *= 2;
    rest -= std::floor(rest);
  }
  return digits;
}

struct Format {
  const char* name;
  int digits;
};
const Format kFormats[] = {{"bf16", 8}, {"fp16 or tf32", 11}};

/// Every value that was written has no more digits than a narrower type, and the right answers have more.
void rounded(const Facts& facts, std::vector<Pattern>& found) {
  if (facts.output().tensor.dtype != DType::f32) return;
  for (const Format& format : kFormats) {
    const double unit = std::ldexp(1.0, 2 - format.digits);  // two units in the last place
    std::int64_t fits = 0, telling = 0, looked_at = 0;
    for (std::int64_t i = 0; i < facts.count() && fits == looked_at; ++i) {
      if (facts.state(i) == State::unwritten || facts.state(i) == State::not_finite) continue;
      ++looked_at;
      const bool narrow = digits_of(facts.got(i)) <= format.digits;
      const bool near = std::abs(facts.got(i) - facts.expected(i)) <= unit * std::abs(facts.expected(i));
      fits += narrow && near;
      telling += narrow && near && digits_of(static_cast<float>(facts.expected(i))) > format.digits + 3;
    }
    // A float has so few digits by chance once in 2^13; all of them must.
    if (looked_at == 0 || fits != looked_at || telling == 0) continue;
    Support support;
    support.held = static_cast<std::int64_t>(facts.wrong().size());
    support.proven = telling >= kMinEvidence;
    const std::string says =
        fmt::format("All values of `{}` have the {} binary digits of {}: they were rounded to it",
                    facts.name(), format.digits, format.name);
    Pattern pattern = pattern_of(facts, support, Kind::error_size, fmt::format("rounded to {}", format.name),
                                 says + ".", 0, 90);
    pattern.readings = {{"", says + "."}};
    found.push_back(std::move(pattern));
    return;
  }
}

/// Every value of a narrow output is the right one with its last digits cut off, where it is to be rounded.
void cut_off(const Facts& facts, std::vector<Pattern>& found) {
  if (facts.output().tensor.dtype != DType::bf16) return;
  constexpr int digits = 8;
  std::int64_t cut = 0, telling = 0, looked_at = 0;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    if (facts.state(i) == State::unwritten || facts.state(i) == State::not_finite) continue;
    int exponent = 0;
    std::frexp(facts.expected(i), &exponent);
    const double unit = std::ldexp(1.0, exponent - digits), units = facts.expected(i) / unit;
    const bool as_cut = facts.got(i) == std::trunc(units) * unit;
    ++looked_at, cut += as_cut;
    telling += as_cut && std::trunc(units) != std::nearbyint(units);
  }
  // Of 32 values one may lie so near to two narrow ones that floats decide.
  constexpr std::int64_t kMayLieBetween = 32, kBeyondChance = 40;  // each comes so by chance once in two
  if (telling < kMinEvidence || (looked_at - cut) * kMayLieBetween > looked_at) return;
  Support support;
  support.held = static_cast<std::int64_t>(facts.wrong().size());
  support.proven = telling >= kBeyondChance;
  const std::string says = fmt::format(
      "The values of `{}` are the right ones cut off behind their {} binary digits, towards 0: they are to be rounded to the nearest",
      facts.name(), digits);
  Pattern pattern = pattern_of(facts, support, Kind::error_size, "cut off", says + ".", 0, 90);
  pattern.readings = {{"", says + "."}};
  found.push_back(std::move(pattern));
}

/// How many neighbours in this order have errors of the same sign, as a part; far from a half is no rounding.
bool signs_are_mixed(const Facts& facts, const std::vector<std::int64_t>& order, bool relative) {
  std::int64_t same = 0;
  const auto negative = [&](std::int64_t i) {
    const double error = facts.got(i) - facts.expected(i);
    return std::signbit(relative ? error * facts.expected(i) : error);
  };
  for (std::size_t k = 1; k < order.size(); ++k) same += negative(order[k]) == negative(order[k - 1]);
  const double n = static_cast<double>(order.size()) - 1;
  return std::abs(static_cast<double>(same) / n - 0.5) <= 2.5 * 0.5 / std::sqrt(n);
}

/// Neither the place nor the value says which way an element is off.
bool looks_like_rounding(const Facts& facts) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(facts.count()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const std::int64_t rows = facts.rows(), columns = facts.columns();
  std::vector<std::vector<std::int64_t>> orders(1, order);  // along the rows
  std::vector<std::int64_t> down;
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) down.push_back(r * columns + c);
  orders.push_back(std::move(down));
  const auto sorted_by = [&](auto&& value) {
    std::vector<std::int64_t> sorted = order;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::int64_t a, std::int64_t b) { return value(a) < value(b); });
    orders.push_back(std::move(sorted));
  };
  sorted_by([&](std::int64_t i) { return facts.expected(i); });
  sorted_by([&](std::int64_t i) { return std::abs(facts.expected(i)); });
  // Also along every input that lies over the output: an error that an input decides is no rounding.
  for (const Overlay& overlay : overlays(facts))
    sorted_by([&](std::int64_t i) { return overlay.values[static_cast<std::size_t>(i)]; });
  return std::all_of(orders.begin(), orders.end(), [&](const auto& each) {
    return signs_are_mixed(facts, each, false) && signs_are_mixed(facts, each, true);
  });
}

/// How large the errors of a type are beside the values, as powers of 2: of its rounding, and of what is
/// added up of rounded factors.
struct Size {
  const char* key;
  const char* text;
  double low, high;
};
const Size kSizes[] = {{"bf16", "bf16", -11.5, -8.5},
                       {"fp16", "fp16, tf32 or an approximate instruction", -14.5, -11.5}};

/// So many elements are needed to see that errors have no pattern.
constexpr std::int64_t kEnoughForSigns = 256;

/// Errors without a sign of their own, as large as a narrower type's rounding.
void small(const Facts& facts, std::vector<Pattern>& found) {
  const bool enough = facts.count() >= kEnoughForSigns;
  if (facts.unwritten() + facts.not_finite() > 0 || (enough && 4 * facts.bad() < facts.count())) return;
  double squares = 0;
  std::vector<double> errors;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    squares += facts.expected(i) * facts.expected(i);
    errors.push_back(std::abs(facts.got(i) - facts.expected(i)));
  }
  const double size = std::sqrt(squares / static_cast<double>(facts.count()));
  const double most = *std::max_element(errors.begin(), errors.end()), typical = median(std::move(errors));
  if (!(size > 0) || (enough && most > 16 * typical)) return;
  const double relative = std::log2((enough ? typical : most) / size);
  for (const Size& of : kSizes) {
    // Of a few elements it is only known whether their errors are far too large or too small.
    const double room = enough ? 0 : 3;
    if (relative < of.low - room || relative >= of.high + room) continue;
    if (enough && !looks_like_rounding(facts)) return;
    Support support;
    support.held = static_cast<std::int64_t>(facts.wrong().size());
    support.proven = enough;
    const std::string says = fmt::format(
        "The errors of `{}` have no pattern in place or sign; they are as large as those of {}, not of fp32",
        facts.name(), of.text);
    Pattern pattern = pattern_of(
        facts, support, Kind::error_size, fmt::format("error of {}", of.key),
        fmt::format("{} (half of them are above 2^{:.1f} of the values' size).", says, relative), 1, 30);
    pattern.readings = {{"", says + "."}};
    found.push_back(std::move(pattern));
  }
}

}  // namespace

std::vector<Pattern> error_sizes(const Facts& facts) {
  std::vector<Pattern> found;
  if (facts.wrong().empty()) return found;
  rounded(facts, found);
  cut_off(facts, found);
  if (found.empty()) small(facts, found);
  return found;
}

}  // namespace fusebox::patterns
