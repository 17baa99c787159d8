#include "grader/report/launch_record.h"

#include <algorithm>

namespace fusebox {

void LaunchModel::decide(double launch_overhead_s) {
  const auto longest =
      std::max_element(terms.begin(), terms.end(),
                       [](const ModelTerm& a, const ModelTerm& b) { return a.seconds < b.seconds; });
  bound_by = longest->name;
  seconds = launch_overhead_s + longest->seconds;
}

}  // namespace fusebox
