#include "grader/judge/patterns/facts/pattern.h"

#include <algorithm>
#include <tuple>

namespace fusebox::patterns {

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::unwritten:
      return "unwritten";
    case Kind::place:
      return "place";
    case Kind::ratio:
      return "ratio";
    case Kind::difference:
      return "difference";
    case Kind::equality:
      return "equality";
    case Kind::error_size:
      return "error size";
    case Kind::not_finite:
      return "not finite";
  }
  return "";
}

bool is_about_values(const Pattern& pattern) {
  return pattern.kind == Kind::ratio || pattern.kind == Kind::difference || pattern.kind == Kind::equality ||
         pattern.kind == Kind::error_size;
}

void rank(std::vector<Pattern>& patterns) {
  std::stable_sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
    return std::tuple(-a.explained, -a.weight, a.fitted, a.key) <
           std::tuple(-b.explained, -b.weight, b.fitted, b.key);
  });
}

void drop_what_is_said(std::vector<Pattern>& ranked) {
  std::vector<Pattern> kept;
  for (Pattern& pattern : ranked) {
    const bool said = std::any_of(kept.begin(), kept.end(), [&](const Pattern& better) {
      return is_about_values(better) && is_about_values(pattern) && better.fitted < pattern.fitted &&
             better.explained >= pattern.explained;
    });
    if (!said) kept.push_back(std::move(pattern));
  }
  ranked = std::move(kept);
}

}  // namespace fusebox::patterns
