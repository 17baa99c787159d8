#include "grader/judge/patterns/recompute/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grader/judge/patterns/facts/names.h"

namespace fusebox::patterns {
namespace {

constexpr std::int64_t kMaxMultiple = 128;

struct Condition {
  std::string says;  ///< "{} is a multiple of 4"
  std::function<bool(std::int64_t)> holds;
  std::int64_t no_multiple_of = 0;  ///< 0: it is another condition
};

/// Of two sizes.
struct Relation {
  const char* says;
  bool (*holds)(std::int64_t, std::int64_t);
};
constexpr Relation kRelations[] = {
    {"`{}` and `{}` differ", [](std::int64_t a, std::int64_t b) { return a != b; }},
    {"`{}` is smaller than `{}`", [](std::int64_t a, std::int64_t b) { return a < b; }},
    {"`{}` is larger than `{}`", [](std::int64_t a, std::int64_t b) { return a > b; }},
};

/// The likelier ones first: what vectors of four ask of a size, what a warp does, then what is long.
std::vector<Condition> conditions() {
  std::vector<Condition> all;
  for (const std::int64_t q : {4, 2, 32, 8, 16, 64, 128}) {
    all.push_back({fmt::format("{{}} is a multiple of {}", q), [q](std::int64_t n) { return n % q == 0; }});
    all.push_back(
        {fmt::format("{{}} is no multiple of {}", q), [q](std::int64_t n) { return n % q != 0; }, q});
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

/// The size of this name; absent where the case has none, or a number that is no size.
std::optional<std::int64_t> size_in(const Numbers& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  const bool is_size = found != numbers.end() && name.find(' ') == std::string::npos &&
                       found->second == std::floor(found->second) && std::abs(found->second) < 0x1p53;
  return is_size ? std::optional(static_cast<std::int64_t>(found->second)) : std::nullopt;
}

/// Do all of these sizes meet `holds` where it shows, and nowhere else?
template <class Holds, class... Names>
bool parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown, Holds holds,
           const Names&... names) {
  const auto all_are = [&](std::span<const Numbers> cases, bool held) {
    return std::all_of(cases.begin(), cases.end(), [&](const Numbers& numbers) {
      return (size_in(numbers, names) && ...) && holds(*size_in(numbers, names)...) == held;
    });
  };
  return all_are(shown, true) && all_are(not_shown, false);
}

}  // namespace

std::string what_parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown) {
  if (shown.size() < 2 || not_shown.size() < 2) return {};
  for (const Condition& condition : conditions()) {
    std::vector<std::string> sizes;
    for (const auto& [name, value] : shown.front())
      if (parts(shown, not_shown, condition.holds, name)) sizes.push_back(name);
    if (sizes.empty()) continue;
    std::vector<std::string> names;
    names.reserve(sizes.size());
    for (const std::string& size : sizes) names.push_back(fmt::format("`{}`", size));
    const std::string says = fmt::format(fmt::runtime(condition.says), listed(names, " or "));
    // Where cases lie far from each other, larger powers of two part them as well.
    std::int64_t most = condition.no_multiple_of;
    for (std::int64_t q = 2 * most; q > 0 && q <= kMaxMultiple; q *= 2) {
      const auto no_multiple = [q](std::int64_t n) { return n % q != 0; };
      const auto parts_too = [&](const std::string& name) {
        return parts(shown, not_shown, no_multiple, name);
      };
      if (std::all_of(sizes.begin(), sizes.end(), parts_too)) most = q;
    }
    return most == condition.no_multiple_of ? says
                                            : fmt::format("{}, or of a power of two up to {}", says, most);
  }
  return {};
}

std::string relation_that_parts(std::span<const Numbers> shown, std::span<const Numbers> not_shown) {
  if (shown.size() < 2 || not_shown.size() < 2) return {};
  for (const Relation& relation : kRelations)
    for (const auto& [a, value] : shown.front())
      for (const auto& [b, other] : shown.front())
        if (a < b && parts(shown, not_shown, relation.holds, a, b))
          return fmt::format(fmt::runtime(relation.says), a, b);
  return {};
}

}  // namespace fusebox::patterns
