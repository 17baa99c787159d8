#include "grader/judge/workshop/answers_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "grader/judge/source/source_file.h"

namespace fusebox {
namespace {

const char kHead[] =
    "# How many of the wrong answers of a puzzle and class are named, at least; those that are held are not\n"
    "# among them. `./fusebox dev answers --record` writes this file, `--check` holds the judge to it.\n";

}  // namespace

int Tally::all() const { return std::accumulate(of.begin(), of.end(), 0); }

Result<NamedAtLeast> read_named(const std::filesystem::path& file) {
  const auto source = read_source(file);
  if (!source) return source.error();
  NamedAtLeast named;
  std::istringstream lines(source->text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string puzzle, kind, rest;
    int count = 0;
    if (!(words >> puzzle >> kind >> count) || words >> rest)
      return Error{ErrorKind::missing_part,
                   fmt::format("{}:{}: a puzzle, a class and a number are wanted", file.string(), number),
                   "./fusebox dev answers --record writes the file anew"};
    named[{puzzle, kind}] = count;
  }
  return named;
}

std::string named_text(const NamedAtLeast& named) {
  std::string text = kHead;
  for (const auto& [which, count] : named)
    text += fmt::format("{} {} {}\n", which.first, which.second, count);
  return text;
}

NamedAtLeast named_of(const TallyOfClasses& classes) {
  NamedAtLeast named;
  for (const auto& [which, tally] : classes) named[which] = tally[Fared::named];
  return named;
}

std::vector<std::string> fallen(const TallyOfClasses& classes, const NamedAtLeast& recorded,
                                const std::vector<std::string>& puzzles) {
  std::vector<std::string> sentences;
  for (const auto& [which, least] : recorded) {
    if (std::find(puzzles.begin(), puzzles.end(), which.first) == puzzles.end()) continue;
    const auto found = classes.find(which);
    const int now = found == classes.end() ? 0 : found->second[Fared::named];
    if (now < least)
      sentences.push_back(fmt::format("{}, {}: {} of {} are named, {} were", which.first, which.second, now,
                                      found == classes.end() ? 0 : found->second.all(), least));
  }
  return sentences;
}

bool is_fair(Fared how) { return how == Fared::named || how == Fared::symptom || how == Fared::right; }

}  // namespace fusebox
