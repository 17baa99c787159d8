#include "grader/judge/patterns/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "grader/judge/patterns/families/corner.h"
#include "grader/judge/patterns/families/families.h"

namespace fusebox::patterns {
namespace {

const Pattern* with_key(const std::vector<Pattern>& patterns, const std::string& key) {
  const auto found =
      std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& p) { return p.key == key; });
  return found == patterns.end() ? nullptr : &*found;
}

bool has_reading(const Pattern& pattern, const std::string& key) {
  return std::any_of(pattern.readings.begin(), pattern.readings.end(),
                     [&](const Reading& r) { return r.key == key; });
}

/// The pattern as it stands in all cases; absent when one of them is otherwise.
std::optional<Pattern> in_all(const Pattern& model, std::span<const std::vector<Pattern>> cases) {
  Pattern common = model;
  common.explained = common.wrong = 0;
  std::int64_t proven = 0;
  for (const std::vector<Pattern>& patterns : cases) {
    const Pattern* pattern = with_key(patterns, model.key);
    if (!pattern) return std::nullopt;
    std::erase_if(common.readings, [&](const Reading& r) { return !has_reading(*pattern, r.key); });
    common.explained += pattern->explained;
    common.wrong += pattern->wrong;
    common.weight = std::min(common.weight, pattern->weight);
    common.fitted = std::max(common.fitted, pattern->fitted);
    common.everywhere &= pattern->everywhere;
    proven += pattern->proven;
  }
  if (proven == 0 || common.readings.empty()) return std::nullopt;
  common.proven = true;
  if (cases.size() > 1) common.sentence = common.readings.front().sentence;
  // "`out` is 0." would be said of all of it.
  if (cases.size() > 1 && !common.everywhere && common.sentence.ends_with('.')) {
    common.sentence.pop_back();
    common.sentence += " where it is wrong.";
  }
  common.evidence = fmt::format("in {} of {} failing cases, {} of {} wrong elements", cases.size(),
                                cases.size(), common.explained, common.wrong);
  return common;
}

/// Those of one case that prove something by themselves.
std::vector<Pattern> proven_of(std::vector<Pattern> found) {
  std::erase_if(found, [](const Pattern& pattern) { return !pattern.proven; });
  drop_what_is_said(found);
  return found;
}

using Family = std::vector<Pattern> (*)(const Facts&);
constexpr Family kFamilies[] = {ratios, differences, equalities, table_rows, places, error_sizes, not_finite};
constexpr std::size_t kFamilyCount = std::size(kFamilies);

/// What fits each wrong case of one tensor, worked out when it is asked for, family by family: large cases
/// take long.
class Fitting {
 public:
  explicit Fitting(std::vector<const WrongCase*> cases) : cases_(std::move(cases)), found_(cases_.size()) {}

  /// All that fits case `i`, the most telling first.
  std::vector<Pattern> of(std::size_t i) {
    for (std::size_t family = 0; family < kFamilyCount; ++family) of(i, family);
    return so_far(i);
  }

  /// See common_patterns. A family of which the smaller cases have refuted all is not tried on the larger.
  std::vector<Pattern> common() {
    std::vector<std::size_t> order(cases_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) { return cases_[i]->output.got.size(); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
    for (std::size_t family = 0; family < kFamilyCount; ++family) {
      std::set<std::string> left;
      for (const std::size_t i : order) {
        std::set<std::string> keys;
        for (const Pattern& pattern : of(i, family))
          if (i == order.front() || left.contains(pattern.key)) keys.insert(pattern.key);
        left = std::move(keys);
        if (left.empty()) break;
      }
    }
    std::vector<std::vector<Pattern>> all;
    all.reserve(cases_.size());
    for (std::size_t i = 0; i < cases_.size(); ++i) all.push_back(so_far(i));
    return common_patterns(all);
  }

 private:
  struct OfCase {
    std::optional<Facts> facts;
    std::array<std::optional<std::vector<Pattern>>, kFamilyCount> families;
  };

  const std::vector<Pattern>& of(std::size_t i, std::size_t family) {
    OfCase& found = found_[i];
    const WrongOutput& output = cases_[i]->output;
    if (!found.families[family]) {
      found.families[family].emplace();
      if (output.got.size() == output.tensor.expected.size()) {
        if (!found.facts) found.facts.emplace(output);
        found.families[family] = kFamilies[family](*found.facts);
      }
    }
    return *found.families[family];
  }

  std::vector<Pattern> so_far(std::size_t i) const {
    std::vector<Pattern> all;
    for (const auto& family : found_[i].families)
      if (family) all.insert(all.end(), family->begin(), family->end());
    rank(all);
    return all;
  }

  std::vector<const WrongCase*> cases_;
  std::vector<OfCase> found_;
};

}  // namespace

std::vector<Pattern> fitting_patterns(const WrongOutput& output) {
  const WrongCase alone{"", output};
  return Fitting({&alone}).of(0);
}

std::vector<Pattern> find_patterns(const WrongOutput& output) { return proven_of(fitting_patterns(output)); }

std::vector<std::string> sentences(std::span<const Pattern> best_first) {
  std::vector<std::string> said;
  for (const bool values : {true, false}) {
    const Pattern* best = nullptr;
    for (const Pattern& pattern : best_first) {
      if (is_about_values(pattern) != values) continue;
      if (!best) {
        best = &pattern;
        said.push_back(pattern.sentence);
      } else if (values && pattern.explained == best->explained && pattern.fitted == best->fitted) {
        said.back() += " Or: " + pattern.sentence;
        break;
      }
    }
  }
  if (said.size() == 2 && best_first.front().kind == Kind::unwritten) std::swap(said[0], said[1]);
  return said;
}

std::vector<Pattern> common_patterns(std::span<const std::vector<Pattern>> cases) {
  std::vector<Pattern> all;
  // Any case may have proven what the first could not: each key is tried once.
  std::vector<std::string> tried;
  for (const auto& patterns : cases)
    for (const Pattern& pattern : patterns) {
      if (!pattern.proven || std::find(tried.begin(), tried.end(), pattern.key) != tried.end()) continue;
      tried.push_back(pattern.key);
      if (auto common = in_all(pattern, cases)) all.push_back(std::move(*common));
    }
  rank(all);
  drop_what_is_said(all);
  return all;
}

std::vector<Explanation> explain(std::span<const WrongCase> cases, const std::function<bool()>& is_named) {
  std::vector<Explanation> all;
  for (const WrongCase& first : cases) {
    const std::string& tensor = first.output.tensor.name;
    if (std::any_of(all.begin(), all.end(), [&](const Explanation& e) { return e.tensor == tensor; }))
      continue;
    std::vector<const WrongCase*> of_tensor;
    for (const WrongCase& each : cases)
      if (each.output.tensor.name == tensor) of_tensor.push_back(&each);
    Fitting fitting(of_tensor);
    Explanation explanation{tensor, "", fitting.common(), {}, corner(first.output)};
    // Nothing holds in all: what the first case proves that proves anything is of that case alone.
    const bool look = explanation.patterns.empty() && !(is_named && is_named());
    for (std::size_t i = 0; look && i < of_tensor.size() && explanation.patterns.empty(); ++i) {
      explanation.patterns = proven_of(fitting.of(i));
      // A number that was taken from one wrong answer and that another refutes is an accident of that one.
      const auto could_refute = [&](const WrongCase* other) {
        return other != of_tensor[i] && Facts(other->output).wrong().size() >= kMinEvidence;
      };
      const auto has_sizes = [&](const WrongCase* other) {
        const Facts facts(other->output);
        return other != of_tensor[i] && !facts.wrong().empty() && facts.not_finite() == 0 &&
               facts.unwritten() == 0;
      };
      const bool refutable = std::any_of(of_tensor.begin(), of_tensor.end(), could_refute);
      std::erase_if(explanation.patterns, [&](const Pattern& pattern) {
        // Errors that are as large in another case were common to both, however few they are there;
        // infinities have no size.
        if (pattern.kind == Kind::error_size)
          return std::any_of(of_tensor.begin(), of_tensor.end(), has_sizes);
        return refutable && is_about_values(pattern) && pattern.fitted > 0;
      });
      if (!explanation.patterns.empty()) explanation.only_in = of_tensor[i]->name;
    }
    explanation.sentences = sentences(explanation.patterns);
    all.push_back(std::move(explanation));
  }
  return all;
}

}  // namespace fusebox::patterns
