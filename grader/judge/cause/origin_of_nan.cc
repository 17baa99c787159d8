#include "grader/judge/cause/origin_of_nan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "grader/judge/cause/outputs.h"
#include "grader/judge/faults/fault_line.h"
#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

/// In which the same is worked out: of some it may do no harm.
constexpr std::size_t kMaxNanLines = 2;

bool has_nan(const Suspect& suspect, const CaseAnswer& answer) {
  const auto outputs = outputs_of(suspect, answer);
  return std::any_of(outputs.begin(), outputs.end(), [](const OutputOfCase& of) {
    const auto& got = of.output.got;
    for (std::size_t i = 0; i < got.size(); ++i)
      if ((of.output.written.empty() || of.output.written[i]) && std::isnan(got[i]) &&
          !std::isnan(of.output.tensor.expected[i]))
        return true;
    return false;
  });
}

}  // namespace

std::optional<NanOrigin> origin_of_nan(const Suspect& suspect) {
  const auto wrong = suspect.wrong();
  const auto with_nan = std::find_if(wrong.begin(), wrong.end(),
                                     [&](const CaseAnswer* answer) { return has_nan(suspect, *answer); });
  if (with_nan == wrong.end()) return std::nullopt;
  Suspect watched = suspect;
  watched.services.watch_nan = true;
  const auto result = watched.run(*suspect.student_program, **with_nan);
  if (!result) return std::nullopt;
  const Fault* first = nullptr;
  std::set<int> lines;
  for (const Fault& fault : result->faults) {
    if (!is_one_of(fault, {FaultKey::not_a_number})) continue;
    if (!is_line_of(fault, suspect.student)) return std::nullopt;
    if (first == nullptr) first = &fault;
    if (fault.line != first->line && fault.what != first->what) return std::nullopt;
    lines.insert(fault.line);
  }
  if (first == nullptr || lines.size() > kMaxNanLines) return std::nullopt;
  std::vector<int> shown;
  shown.reserve(lines.size());
  for (const int line : lines) shown.push_back(line + suspect.line_shift);
  return NanOrigin{fmt::format("NaN begins in line {}, where {}", fmt::join(shown, " or "), first->what),
                   first->line};
}

}  // namespace fusebox
