#include "grader/judge/patterns/recompute/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace fusebox::patterns {
namespace {

struct Condition {
  std::string says;  ///< "{} is a multiple of 4"
  std::function<bool(std::int64_t)> holds;
};

/// The likelier ones first: what vectors of four ask of a size, what a warp does, then what is long.
std::vector<Condition> conditions() {
  std::vector<Condition> all;
  for (const std::int64_t q : {4, 2, 32, 8, 16, 64, 128}) {
    all.push_back({fmt::format("{{}} is a multiple of {}", q), [q](std::int64_t n) { return n % q == 0; }});
    all.push_back({fmt::format("{{}} is no multiple of {}", q), [q](std::int64_t n) { return n % q != 0; }});
  }
  for (const std::int64_t most : {1, 32, 64, 128, 256, 512, 1024, 2048, 4096}) {
    all.push_back({fmt::format("{{}} is larger than {}", most), [most](std::int64_t n) { return n > most; }});
    all.push_back({fmt::format("{{}} is {} at most", most), [most](std::int64_t n) { return n <= most; }});
  }
  for (const std::int64_t end : {4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    all.push_back({fmt::format("{{}} is smaller than {}", end), [end](std::int64_t n) { return n < end; }});
    all.push_back({fmt::format("{{}} is {} or more", end), [end](std::int64_t n) { return n >= end; }});
  }
  return all;
}

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 0x1p53; }

}  // namespace

std::string what_parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown) {
  if (shown.size() < 2 || not_shown.size() < 2) return {};
  for (const Condition& condition : conditions())
    for (const auto& [name, first] : shown.front()) {
      const auto all_are = [&, &size = name](std::span<const Numbers> cases, bool held) {
        return std::all_of(cases.begin(), cases.end(), [&](const Numbers& numbers) {
          const auto found = numbers.find(size);
          return found != numbers.end() && is_whole(found->second) &&
                 condition.holds(static_cast<std::int64_t>(found->second)) == held;
        });
      };
      if (name.find(' ') == std::string::npos && all_are(shown, true) && all_are(not_shown, false))
        return fmt::format(fmt::runtime(condition.says), fmt::format("`{}`", name));
    }
  return {};
}

}  // namespace fusebox::patterns
