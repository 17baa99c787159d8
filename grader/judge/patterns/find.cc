#include "grader/judge/patterns/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "grader/judge/patterns/corner.h"
#include "grader/judge/patterns/families.h"

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

}  // namespace

std::vector<Pattern> fitting_patterns(const WrongOutput& output) {
  if (output.got.size() != output.tensor.expected.size()) return {};
  const Facts facts(output);
  std::vector<Pattern> all;
  for (const auto& family : {ratios, differences, equalities, table_rows, places, error_sizes, not_finite})
    for (Pattern& pattern : family(facts)) all.push_back(std::move(pattern));
  rank(all);
  return all;
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

namespace {

/// What fits each wrong case of one tensor, worked out when it is asked for: large cases take long.
class Fitting {
 public:
  explicit Fitting(std::vector<const WrongCase*> cases) : cases_(std::move(cases)), found_(cases_.size()) {}

  const std::vector<Pattern>& of(std::size_t i) {
    if (!found_[i]) found_[i] = fitting_patterns(cases_[i]->output);
    return *found_[i];
  }

  /// See common_patterns. What the smaller cases refute the larger ones are not asked for.
  std::vector<Pattern> common() {
    std::vector<std::size_t> order(cases_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) { return cases_[i]->output.got.size(); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
    std::set<std::string> left;
    for (const std::size_t i : order) {
      std::set<std::string> keys;
      for (const Pattern& pattern : of(i))
        if (i == order.front() || left.contains(pattern.key)) keys.insert(pattern.key);
      left = std::move(keys);
      if (left.empty()) return {};
    }
    std::vector<std::vector<Pattern>> all;
    all.reserve(found_.size());
    for (auto& found : found_) all.push_back(*found);
    return common_patterns(all);
  }

 private:
  std::vector<const WrongCase*> cases_;
  std::vector<std::optional<std::vector<Pattern>>> found_;
};

}  // namespace

std::vector<Explanation> explain(std::span<const WrongCase> cases) {
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
    for (std::size_t i = 0; i < of_tensor.size() && explanation.patterns.empty(); ++i) {
      explanation.patterns = proven_of(fitting.of(i));
      // A number that was taken from one wrong answer and that another refutes is an accident of that one.
      const auto could_refute = [&](const WrongCase* other) {
        return other != of_tensor[i] && Facts(other->output).wrong().size() >= kMinEvidence;
      };
      if (std::any_of(of_tensor.begin(), of_tensor.end(), could_refute))
        std::erase_if(explanation.patterns, [](const Pattern& pattern) {
          // How large errors are is no number that another case's infinities could refute.
          return is_about_values(pattern) && pattern.kind != Kind::error_size && pattern.fitted > 0;
        });
      if (!explanation.patterns.empty()) explanation.only_in = of_tensor[i]->name;
    }
    explanation.sentences = sentences(explanation.patterns);
    all.push_back(std::move(explanation));
  }
  return all;
}

}  // namespace fusebox::patterns
