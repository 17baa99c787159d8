#include "grader/judge/repair/learners_lines.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "grader/judge/repair/edits/read_code.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/source_lines.h"

namespace fusebox {
namespace {

/// Lines of functions of the learner's own: each of their lines may stand somewhere in the solution too.
std::vector<LineRange> own_functions(const Suspect& suspect) {
  const std::string own = code_of(suspect.student.text), given = code_of(suspect.reference.text);
  const ReadCode read = read_device_code(own), known = read_device_code(given);
  std::vector<LineRange> ranges;
  for (const ReadFunction& function : read.functions) {
    const auto has_its_name = [&](const ReadFunction& other) { return other.name == function.name; };
    if (std::none_of(known.functions.begin(), known.functions.end(), has_its_name))
      ranges.push_back({read.tokens[function.open].line, read.tokens[function.close].line});
  }
  return ranges;
}

/// Lines outside of all blanks that the solution does not have.
std::vector<int> lines_made_over(const Suspect& suspect) {
  const auto lines = trimmed_lines(suspect.student.text), given = trimmed_lines(suspect.reference.text);
  const std::set<std::string_view> known(given.begin(), given.end());
  std::vector<LineRange> in_blanks;
  for (const Blank& blank : blanks_of(suspect)) in_blanks.push_back({blank.first_line, blank.last_line});
  std::vector<int> own;
  for (int line = 1; line <= static_cast<int>(lines.size()); ++line)
    if (!known.contains(lines[static_cast<std::size_t>(line) - 1]) && !is_in(line, in_blanks))
      own.push_back(line);
  return own;
}

}  // namespace

std::vector<LineRange> functions_made_over(const Suspect& suspect) {
  if (blanks_of(suspect).empty()) return {};
  const std::string code = code_of(suspect.student.text);
  const ReadCode read = read_device_code(code);
  const std::vector<int> own = lines_made_over(suspect);
  std::vector<LineRange> ranges;
  for (const ReadFunction& function : read.functions) {
    const LineRange range{read.tokens[function.open].line, read.tokens[function.close].line};
    const auto is_here = [&](int line) { return is_in(line, std::vector{range}); };
    if (std::any_of(own.begin(), own.end(), is_here)) ranges.push_back(range);
  }
  return ranges;
}

LineRange all_lines(const Suspect& suspect) {
  return {1, static_cast<int>(trimmed_lines(suspect.student.text).size())};
}

std::vector<Blank> blanks_of(const Suspect& suspect) {
  auto found = find_blanks(suspect.student.text);
  if (!found) return {};
  return std::move(*found);
}

std::vector<LineRange> lines_to_change(const Suspect& suspect, const std::vector<std::string>& blanks) {
  const auto& names = blanks.empty() ? suspect.entry.blanks : blanks;
  std::vector<LineRange> ranges;
  for (const Blank& blank : blanks_of(suspect))
    if (std::find(names.begin(), names.end(), blank.name) != names.end())
      ranges.push_back({blank.first_line, blank.last_line});
  for (const LineRange& function : own_functions(suspect)) ranges.push_back(function);
  for (const int line : lines_made_over(suspect)) ranges.push_back({line, line});
  return ranges.empty() ? std::vector{all_lines(suspect)} : ranges;
}

}  // namespace fusebox
