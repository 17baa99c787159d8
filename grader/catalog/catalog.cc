#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>

#include "grader/catalog/all_specs.h"
#include "grader/catalog/puzzle.h"

namespace fusebox {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// "p4", "04" and "4" mean p04; anything else is left alone.
std::string with_two_digits(const std::string& name) {
  const std::string digits = name.starts_with('p') ? name.substr(1) : name;
  const bool number =
      !digits.empty() && digits.size() <= 2 &&
      std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); });
  if (!number) return name;
  return "p" + std::string(2 - digits.size(), '0') + digits;
}

/// Levenshtein's: single letters inserted, deleted or replaced.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

const std::vector<Puzzle>& puzzles() {
  static const std::vector<Puzzle> all = [] {
    std::vector<Puzzle> specs = specs::all();
    std::stable_sort(specs.begin(), specs.end(),
                     [](const Puzzle& a, const Puzzle& b) { return a.id < b.id; });
    return specs;
  }();
  return all;
}

const Puzzle* find_puzzle(const std::string& name) {
  std::string wanted = lower_case(name);
  if (wanted.ends_with(".cu")) wanted.resize(wanted.size() - 3);
  wanted = with_two_digits(wanted);
  for (const Puzzle& puzzle : puzzles())
    if (wanted == puzzle.id || wanted == puzzle.slug || wanted == puzzle.id + "_" + puzzle.slug)
      return &puzzle;
  return nullptr;
}

std::vector<std::string> nearest_puzzles(const std::string& name) {
  constexpr std::size_t kMaxNames = 3;
  const std::string wanted = with_two_digits(lower_case(name));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const Puzzle& puzzle : puzzles()) {
    const std::size_t by_id = edit_distance(wanted, puzzle.id);
    // Someone who types the beginning or a part of a slug is as near as one wrong letter.
    const bool part = wanted.size() >= 3 && puzzle.slug.find(wanted) != std::string::npos;
    const std::size_t by_slug = part ? 1 : edit_distance(wanted, puzzle.slug);
    ranked.emplace_back(std::min(by_id, by_slug), by_id < by_slug ? puzzle.id : puzzle.slug);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (ranked.size() > kMaxNames) ranked.resize(kMaxNames);
  std::vector<std::string> names;
  for (auto& [distance, nearest] : ranked) names.push_back(std::move(nearest));
  return names;
}

}  // namespace fusebox
