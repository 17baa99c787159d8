#include "grader/judge/patterns/facts/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grader/report/hardware.h"

namespace fusebox::patterns {
namespace {

struct Form {
  const char* text;  ///< "{}" is the number's name
  double (*of)(double);
  bool worked_out = true;
  bool of_size = true;  ///< makes sense for a number of things; the others for a part of one
};

const Form kForms[] = {
    {"{}", [](double s) { return s; }, false},
    {"1/{}", [](double s) { return 1 / s; }, false},
    {"sqrt({})", [](double s) { return std::sqrt(s); }},
    {"1/sqrt({})", [](double s) { return 1 / std::sqrt(s); }},
    {"({0} - 1)/{0}", [](double s) { return (s - 1) / s; }},
    {"{0}/({0} - 1)", [](double s) { return s / (s - 1); }},
    {"sqrt(({0} - 1)/{0})", [](double s) { return std::sqrt((s - 1) / s); }},
    {"sqrt({0}/({0} - 1))", [](double s) { return std::sqrt(s / (s - 1)); }},
    {"1 - {}", [](double s) { return 1 - s; }, true, false},
    {"1/(1 - {})", [](double s) { return 1 / (1 - s); }, true, false},
    {"{}^2", [](double s) { return s * s; }},
    {"1/{}^2", [](double s) { return 1 / (s * s); }},
};

struct Constant {
  const char* text;
  double value;
};

const Constant kConstants[] = {
    {"ln 2", std::numbers::ln2},
    {"log2 e", std::numbers::log2e},
    {"ln 10", std::numbers::ln10},
    {"pi", std::numbers::pi},
    {"sqrt(2)", std::numbers::sqrt2},
    {"1/sqrt(2)", std::numbers::sqrt2 / 2},
    {"sqrt(2/pi)", std::sqrt(2 / std::numbers::pi)},
};

std::string plain(double value) {
  const double whole = std::round(value), part = value == 0 ? 0 : std::round(1 / value);
  if (std::abs(value - whole) <= 1e-5 * std::abs(value)) return fmt::format("{:.0f}", whole);
  if (std::abs(part) <= 4096 && std::abs(value * part - 1) <= 1e-5)
    return fmt::format("{}1/{:.0f}", part < 0 ? "-" : "", std::abs(part));
  return fmt::format("{:.4g}", value);
}

void add(std::vector<NumberName>& names, NumberName name) {
  const auto same = [&](const NumberName& n) { return n.key == name.key; };
  if (std::none_of(names.begin(), names.end(), same)) names.push_back(std::move(name));
}

}  // namespace

std::vector<NumberName> names_of(const Facts& facts, double value, double uncertainty) {
  std::vector<NumberName> names;
  const auto is = [&](double candidate) {
    return std::isfinite(candidate) && std::abs(candidate) > 1e-30 &&
           std::abs(value - candidate) <= uncertainty + 2e-6 * std::abs(candidate);
  };
  for (const NamedNumber& number : facts.output().numbers) {
    // Of a 1 or a 2 everything can be made.
    if (std::abs(number.value) < 1e-30 || number.value == 1 || number.value == 2) continue;
    const bool size = number.value == std::round(number.value);
    for (const Form& form : kForms)
      for (const double sign : {1.0, -1.0}) {
        if ((form.worked_out && form.of_size != size) || !is(sign * form.of(number.value))) continue;
        const std::string text = (sign < 0 ? "-" : "") + fmt::format(fmt::runtime(form.text), number.name);
        add(names, {text, text, form.worked_out});
      }
  }
  if (value > 1.5)
    for (NumberName& name : launch_names(facts, std::llround(value)))
      if (is(std::round(value))) add(names, std::move(name));
  for (const Constant& constant : kConstants)
    for (const double sign : {1.0, -1.0})
      if (is(sign * constant.value))
        add(names, {constant.text, (sign < 0 ? "-" : "") + std::string(constant.text)});
  add(names, {plain(value), plain(value)});
  return names;
}

std::string described(const std::vector<NumberName>& names) {
  if (names.empty()) return "";
  const std::string& number = names.back().text;
  const bool small = number.size() <= 2 || (number.size() == 3 && number.starts_with("1/"));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i + 1 < names.size() && texts.size() < 3; ++i)
    if (!small || !names[i].worked_out) texts.push_back(names[i].text);
  if (texts.empty()) return number;
  return number + " = " + listed(texts, " or ");
}

std::vector<Reading> number_readings(const std::vector<NumberName>& names,
                                     const std::function<std::string(const std::string&)>& sentence) {
  std::vector<Reading> readings = {{described(names), sentence(described(names))}};
  if (names.size() > 1) readings.push_back({names.back().key, sentence(names.back().text)});
  for (std::size_t i = 0; i + 1 < names.size(); ++i)
    readings.push_back({names[i].key, sentence(names[i].text)});
  return readings;
}

std::vector<NumberName> launch_names(const Facts& facts, std::int64_t k) {
  std::vector<NumberName> names;
  for (const LaunchedKernel& launch : facts.output().launches) {
    const auto volume = [](const std::array<std::uint32_t, 3>& v) {
      return static_cast<std::int64_t>(v[0]) * v[1] * v[2];
    };
    const std::int64_t threads = volume(launch.block), blocks = volume(launch.grid);
    const std::string of =
        facts.output().launches.size() > 1 ? fmt::format(" of `{}`", launch.kernel) : std::string();
    const auto when = [&](std::int64_t number, const std::string& key, const std::string& text) {
      if (number == k && number > 1) add(names, {key, text + of});
    };
    when(threads, "block", "the number of threads in a block");
    when(threads * blocks, "threads", "the number of threads in the launch");
    when(blocks, "grid", "the number of blocks in the grid");
    // A warp for a row, or for whatever else there is.
    when((threads + kWarpSize - 1) / kWarpSize * blocks, "warps", "the number of warps in the launch");
    if (launch.block[1] > 1)
      for (const int d : {0, 1})
        when(launch.block[d], d == 0 ? "block.x" : "block.y",
             fmt::format("the {} of a block", d == 0 ? "width" : "height"));
    if (launch.grid[1] > 1)
      for (const int d : {0, 1})
        when(launch.grid[d] * static_cast<std::int64_t>(launch.block[d]), d == 0 ? "width" : "height",
             fmt::format("the {} of the launch in threads", d == 0 ? "width" : "height"));
    for (const std::int64_t each : {2, 4, 8, 16})
      if (blocks > 1 && threads * blocks != k)
        when(each * threads, fmt::format("{} of a block", each),
             fmt::format("{} for each thread of a block", each));
    for (const std::int64_t each : {2, 4, 8})
      when(each * threads * blocks, fmt::format("{} threads", each),
           fmt::format("{} for each thread of the launch", each));
  }
  return names;
}

std::string plural(const std::string& word) {
  if (word.ends_with("index")) return word.substr(0, word.size() - 2) + "ices";
  if (word.ends_with("y")) return word.substr(0, word.size() - 1) + "ies";
  return word + "s";
}

std::string listed(const std::vector<std::string>& parts, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? last : ", ") + parts[i];
  return text;
}

}  // namespace fusebox::patterns
