#include "grader/judge/cause/where_it_shows.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/judge/patterns/recompute/condition.h"

namespace fusebox {
namespace {

/// So many pairs of a case where it shows and one where it does not: sizes part two from two by accident, and
/// one from all others, which may be the only one of many sizes.
constexpr std::size_t kMinPairs = 9, kMinCases = 2;

/// The cases that `shows` is true of, parted from the others by their sizes.
template <class Shows>
std::string parted(const Suspect& suspect, Shows shows) {
  std::vector<patterns::Numbers> shown, not_shown;
  for (const CaseAnswer& answer : suspect.cases) {
    patterns::Numbers numbers;
    for (const auto& [name, size] : answer.which->sizes) numbers[name] = static_cast<double>(size);
    (shows(*answer.result) ? shown : not_shown).push_back(std::move(numbers));
  }
  if (std::min(shown.size(), not_shown.size()) < kMinCases || shown.size() * not_shown.size() < kMinPairs)
    return {};
  if (const std::string size = patterns::what_parts(shown, not_shown); !size.empty())
    return fmt::format("it shows where {}, and in no other case", size);
  if (const std::string two = patterns::relation_that_parts(shown, not_shown); !two.empty())
    return fmt::format("it shows where {}, and in no other case, as when one is taken for the other", two);
  return {};
}

}  // namespace

std::string where_it_shows(const Suspect& suspect) {
  if (!suspect.patterns) return {};
  bool any_fault = false;
  for (const CaseAnswer& answer : suspect.cases) {
    const Outcome outcome = answer.result->check.outcome;
    if (outcome != Outcome::passed && outcome != Outcome::failed) return {};
    any_fault |= !answer.result->faults.empty();
  }
  std::string where =
      parted(suspect, [](const CaseResult& result) { return result.check.outcome == Outcome::failed; });
  if (where.empty() && any_fault)
    where = parted(suspect, [](const CaseResult& result) { return !result.faults.empty(); });
  return where;
}

}  // namespace fusebox
