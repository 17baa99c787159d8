#include "grader/judge/cause/origin_of_nan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/cause/outputs.h"
#include "grader/judge/faults/fault_line.h"
#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

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
  for (const Fault& fault : result->faults) {
    if (!is_one_of(fault, {FaultKey::not_a_number})) continue;
    if (!is_line_of(fault, suspect.student) || (first != nullptr && fault.line != first->line))
      return std::nullopt;
    if (first == nullptr) first = &fault;
  }
  if (first == nullptr) return std::nullopt;
  return NanOrigin{fmt::format("NaN begins in line {}, where {} is worked out",
                               first->line + suspect.line_shift, first->what),
                   first->line};
}

}  // namespace fusebox
