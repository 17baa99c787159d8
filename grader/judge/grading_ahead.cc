#include <atomic>
#include <functional>
#include <thread>

#include "grader/judge/grading.h"

namespace fusebox {

void Grading::record_ahead(const std::vector<std::pair<const Entry*, const Case*>>& cases) {
  prepare();
  if (!error_ && file_check_.outcome == Outcome::passed) start_references();
  struct Job {
    RecordRequest request;
    std::function<void(RecordResult)> keep;
    std::optional<Result<RecordResult>> result = std::nullopt;
  };
  std::vector<Job> jobs;
  const auto [first, second] = cases_in_a_row();
  for (const auto& [entry, which] : cases) {
    const Key key(entry->name, which->name);
    if (obstacle(*entry) || recorded_.contains(key)) continue;
    const std::size_t function = *states_[entry->name].student_function;
    auto call = prepare_call(services_, *student_, function, *entry, *problem_for(*which));
    if (!call) continue;
    call->counted = which->counted;
    jobs.push_back({call->request, [this, key, call = std::move(*call)](RecordResult result) mutable {
                      recorded_.emplace(key, Recorded{std::move(call), std::move(result)});
                    }});
    if (second && which->name == second->name)
      for (const CallsInARow& row : calls_before(*first, *second))
        if (auto calls = prepare_second_call(services_, *student_, function, *entry, row.before,
                                             *problem_for(*second)))
          jobs.push_back(
              {calls->call.request, [this, row_key = Key(entry->name, row.same),
                                     calls = std::move(*calls)](RecordResult result) mutable {
                 recorded_twice_.emplace(row_key, RecordedTwice{std::move(calls), std::move(result)});
               }});
    if (const auto growing = growing_case(*which))
      for (const Case& large : {growing->largest(), growing->quarter()})
        if (auto there =
                prepare_call(services_, *student_, function, *entry, puzzle_.full_size->arguments(large)))
          jobs.push_back(
              {there->request, [this, large_key = Key(entry->name, shape_of(large))](RecordResult result) {
                 recorded_large_.emplace(large_key, std::move(result));
               }});
  }
  std::atomic<std::size_t> next = 0;
  // One host function that hangs costs its time limit; the rest are then left to be asked for one by one.
  std::atomic<bool> hung = false;
  const auto work = [&] {
    for (std::size_t i; !hung && (i = next++) < jobs.size();) {
      auto& result = jobs[i].result;
      result = services_.record(jobs[i].request);
      if (!*result) continue;
      const auto* failure = std::get_if<RecordFailure>(&result->value());
      if (failure && failure->kind == FailureKind::hang) hung = true;
    }
  };
  std::thread second_thread(work);
  work();
  second_thread.join();
  for (Job& job : jobs)
    if (job.result && *job.result) job.keep(std::move(job.result->value()));
}

}  // namespace fusebox
