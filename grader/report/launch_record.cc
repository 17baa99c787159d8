#include "grader/report/launch_record.h"

#include <algorithm>
#include <cmath>

namespace fusebox {

namespace {

bool takes_time(const ModelTerm& term) { return std::isfinite(term.seconds) && term.seconds > 0; }

/// What comes from DRAM comes through L2: of the two only the slower one takes time.
std::vector<double> beside_one_another(const std::vector<ModelTerm>& terms) {
  std::vector<double> parts = {0};
  for (const ModelTerm& term : terms) {
    if (!takes_time(term) || term.name == kFillAndDrain) continue;
    if (term.name == "DRAM" || term.name == "L2")
      parts[0] = std::max(parts[0], term.seconds);
    else
      parts.push_back(term.seconds);
  }
  return parts;
}

}  // namespace

double overlapped(const std::vector<ModelTerm>& terms) {
  constexpr double kNorm = 3.2;
  const std::vector<double> parts = beside_one_another(terms);
  const double longest = *std::max_element(parts.begin(), parts.end());
  double sum = 0, alone = 0;
  for (const double seconds : parts) sum += std::pow(seconds / std::max(longest, 1e-30), kNorm);
  for (const ModelTerm& term : terms)
    if (takes_time(term) && term.name == kFillAndDrain) alone += term.seconds;
  return longest * std::pow(sum, 1 / kNorm) + alone;
}

void LaunchModel::decide(double launch_overhead_s) {
  const auto longest =
      std::max_element(terms.begin(), terms.end(),
                       [](const ModelTerm& a, const ModelTerm& b) { return a.seconds < b.seconds; });
  bound_by = longest->name;
  seconds = launch_overhead_s + overlapped(terms);
}

}  // namespace fusebox
