#include "grader/report/full_size.h"

#include <algorithm>

namespace fusebox {
namespace {

std::uint64_t count(const std::array<std::uint32_t, 3>& dim) {
  return std::uint64_t{dim[0]} * dim[1] * dim[2];
}

void add_terms(std::vector<ModelTerm>& sums, const std::vector<ModelTerm>& terms) {
  for (const ModelTerm& term : terms) {
    const auto known =
        std::find_if(sums.begin(), sums.end(), [&](const ModelTerm& t) { return t.name == term.name; });
    if (known != sums.end())
      known->seconds += term.seconds;
    else if (term.seconds > 0)
      sums.push_back(term);
  }
}

void sort_terms(std::vector<ModelTerm>& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const ModelTerm& a, const ModelTerm& b) { return a.seconds > b.seconds; });
}

}  // namespace

void sum_up(FullSizeRun& run, int sms) {
  run.requested_bytes = run.compulsory_bytes = run.dram_read_bytes = run.dram_write_bytes = 0;
  run.seconds = 0;
  run.terms.clear();
  const LaunchRecord* longest = nullptr;
  for (const LaunchRecord& launch : run.launches) {
    run.requested_bytes += launch.counters.requested_bytes();
    run.compulsory_bytes += launch.counters.compulsory_bytes();
    if (!launch.model) continue;
    const LaunchModel& model = *launch.model;
    run.dram_read_bytes += model.dram_read_bytes;
    run.dram_write_bytes += model.dram_write_bytes;
    run.seconds += model.seconds;
    add_terms(run.terms, model.terms);
    if (longest == nullptr || model.seconds > longest->model->seconds) longest = &launch;
  }
  sort_terms(run.terms);
  run.bound_by = run.next = "";
  run.fills = 0;
  if (longest == nullptr) return;
  std::vector<ModelTerm> terms = longest->model->terms;
  sort_terms(terms);
  run.bound_by = longest->model->bound_by;
  run.fills = share_of_gpu(*longest, sms);
  for (const ModelTerm& term : terms)
    if (term.name != run.bound_by && term.seconds > 0) {
      run.next = term.name;
      break;
    }
}

double share_of_gpu(const LaunchRecord& launch, int sms) {
  if (!launch.model || sms <= 0) return 0;
  const Occupancy& occupancy = launch.model->occupancy;
  const double held = static_cast<double>(occupancy.blocks_per_sm) * sms;
  if (held <= 0) return 0;
  return std::min(1.0, static_cast<double>(count(launch.grid)) / held);
}

}  // namespace fusebox
