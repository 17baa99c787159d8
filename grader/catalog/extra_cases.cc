#include "grader/catalog/extra_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

namespace fusebox {
namespace {

constexpr std::size_t kMaxExtra = 20;

using Largest = std::map<std::string, std::int64_t>;

// What the puzzle's cases are told apart by; a seed may draw them.
Largest largest_sizes(const Puzzle& puzzle) {
  Largest largest;
  for (const Case& each : puzzle.cases) {
    for (const auto& [name, size] : each.sizes) largest[name] = std::max(largest[name], size);
    for (const auto& [name, range] : each.drawn) largest[name] = std::max(largest[name], range.max);
  }
  return largest;
}

std::string example_of(const Largest& largest) {
  std::vector<std::string> words;
  for (const auto& [name, size] : largest) words.push_back(fmt::format("{}={}", name, size));
  return fmt::format("{}", fmt::join(words, " "));
}

// Empty: it is one of `largest`, and is in `sizes` now.
std::string take_size(const std::string& word, const Largest& largest, Sizes& sizes) {
  const std::size_t at = word.find('=');
  const std::string name = word.substr(0, at);
  if (at == word.npos) return fmt::format("`{}` is no size", word);
  const auto found = largest.find(name);
  if (found == largest.end()) return fmt::format("`{}` is no size of this puzzle", name);
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(word.data() + at + 1, word.data() + word.size(), size);
  if (error != std::errc() || end != word.data() + word.size() || size < 1 || size > found->second)
    return fmt::format("{} is a whole number from 1 to {}", name, found->second);
  if (!sizes.emplace(name, size).second) return fmt::format("{} is there twice", name);
  return {};
}

}  // namespace

Result<std::vector<Case>> extra_cases(const Puzzle& puzzle, const std::string& text) {
  const Largest largest = largest_sizes(puzzle);
  const auto wrong = [&](const std::string& what) {
    return Error{ErrorKind::wrong_usage, fmt::format("a case of {}: {}", puzzle.id, what),
                 fmt::format("as in: {}", example_of(largest))};
  };
  std::vector<Case> cases;
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ';');) {
    Case extra;
    std::istringstream words(one);
    for (std::string word; words >> word;)
      if (const std::string problem = take_size(word, largest, extra.sizes); !problem.empty())
        return wrong(problem);
    if (extra.sizes.empty()) return wrong("it has no sizes");
    for (const auto& [name, size] : largest)
      if (!extra.sizes.contains(name)) return wrong(fmt::format("{} is missing", name));
    extra.name = fmt::format("extra_{}", cases.size() + 1);
    extra.purpose = fmt::format("asked for by its sizes: {}", example_of(extra.sizes));
    cases.push_back(std::move(extra));
  }
  if (cases.size() > kMaxExtra) return wrong(fmt::format("there are more than {}", kMaxExtra));
  return cases;
}

}  // namespace fusebox
