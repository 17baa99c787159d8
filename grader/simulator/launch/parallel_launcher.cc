#include "grader/simulator/launch/parallel_launcher.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

namespace fusebox::sim {
namespace {

// Below this a launch is over before a second thread has begun; with the model, before its L2 has been
// copied.
constexpr std::uint64_t kMinWarps = 128, kMinModelledWarps = 1024;
// More than this is not kept to undo a launch, nor of the cache model's events.
constexpr std::uint64_t kMaxUndoBytes = 1ull << 30;
constexpr std::uint64_t kMaxEvents = 8 << 20, kMinLog = 1 << 20;

/// Chunks' events, put in as they come and taken out in order.
class OrderedEvents {
 public:
  explicit OrderedEvents(std::uint64_t chunks) : chunks_(chunks) {}

  /// Waits while too much is waiting before it, unless everyone waits for this chunk. False: closed.
  bool put(std::uint64_t chunk, std::vector<CacheEvent> events) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || chunk == next_ || held_ < kMaxEvents; });
    if (closed_) return false;
    held_ += events.size();
    waiting_.emplace(chunk, std::move(events));
    changed_.notify_all();
    return true;
  }
  /// The next chunk's; nothing behind the last one, or when closed.
  std::optional<std::vector<CacheEvent>> take() {
    std::unique_lock lock(mutex_);
    if (next_ == chunks_) return std::nullopt;
    changed_.wait(lock, [&] { return closed_ || waiting_.contains(next_); });
    if (closed_) return std::nullopt;
    std::vector<CacheEvent> events = std::move(waiting_.extract(next_++).mapped());
    held_ -= events.size();
    changed_.notify_all();
    return events;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::vector<CacheEvent>> waiting_;
  std::uint64_t chunks_, next_ = 0, held_ = 0;
  bool closed_ = false;
};

}  // namespace

struct ParallelLauncher::Share {
  explicit Share(const GlobalMemory& memory) : races(memory.range()) {}
  std::map<const LoadedModule*, Traffic> traffic;
  Races races;
  UnfencedWrites unfenced_writes;
  CacheLog log;
  std::optional<Samples> samples;
  std::vector<Observer*> observers;
};

ParallelLauncher::ParallelLauncher(GlobalMemory& memory, unsigned cores)
    : memory_(memory), cores_(cores), undo_log_(memory), workers_(cores) {}
ParallelLauncher::~ParallelLauncher() = default;

void ParallelLauncher::forget_code() {
  independent_.clear();
  ordered_.clear();
  shares_.clear();
}

bool ParallelLauncher::is_worth_it(const Launch& launch, bool modelled) {
  const std::uint64_t blocks = launch.end_block() - launch.first_block,
                      warps = warps_of(launch.info.block.count());
  if (cores_ < 2 || !undo_log_.usable() || launch.cooperative || launch.grid_workspace != 0 ||
      launch.schedule || launch.info.cluster.count() > 1 || blocks < 2 ||
      blocks * warps < (modelled ? kMinModelledWarps : kMinWarps) || ordered_.contains(launch.program))
    return false;
  if (independent_.contains(launch.program)) return true;
  const bool independent = ties_of_blocks(*launch.module, *launch.program) != BlockTies::any;
  (independent ? independent_ : ordered_).insert(launch.program);
  return independent;
}

bool ParallelLauncher::run(Launch& launch, const LaunchLimits& limits, const std::vector<NamedRange>& ranges,
                           const LaunchObservers& observers, bool races, bool undo_log) {
  const auto& [traffic, caches, samples] = observers;
  if (!is_worth_it(launch, caches != nullptr)) return false;
  if (caches != nullptr) before_ = caches->left();
  prepare(launch, ranges, observers, races, undo_log);
  if (!share_out(launch, limits, caches)) {
    undo_log_.restore();
    if (caches != nullptr) caches->set_left(*before_);
    // A kernel whose blocks met once will do so again.
    ordered_.insert(launch.program);
    return false;
  }
  undo_log_.clear();
  launch.work = 0;
  for (const Worker& worker : workers_) launch.work += worker.launch.work;
  traffic.launch_begin(launch.info);
  for (const auto& share : shares_) traffic.merge(share->traffic.at(launch.module));
  traffic.launch_end();
  if (samples != nullptr) {
    samples->launch_begin(launch.info);
    for (const auto& share : shares_) samples->merge(*share->samples);
  }
  return true;
}

void ParallelLauncher::prepare(const Launch& launch, const std::vector<NamedRange>& ranges,
                               const LaunchObservers& observers, bool races, bool undo_log) {
  while (shares_.size() < cores_) shares_.push_back(std::make_unique<Share>(memory_));
  for (std::size_t i = 0; i < cores_; ++i) {
    Share& share = *shares_[i];
    Traffic& traffic =
        share.traffic.try_emplace(launch.module, launch.module->module(), Traffic::Reductions::apart)
            .first->second;
    traffic.set_ranges(ranges);
    share.observers = {&traffic};
    if (races) share.observers.push_back(&share.races);
    if (races && reads_asynchronously(*launch.program)) share.observers.push_back(&share.unfenced_writes);
    if (observers.caches != nullptr) share.observers.push_back(&share.log);
    if (observers.samples != nullptr) share.observers.push_back(&share.samples.emplace(*observers.samples));
    share.log.begin(std::max(kMaxEvents / cores_, kMinLog));
    workers_[i].launch = launch;
    workers_[i].launch.observers = share.observers;
    workers_[i].launch.output = nullptr;
    workers_[i].launch.undo_log = undo_log ? &undo_log_ : nullptr;
    workers_[i].faults = {};
    share.races.set_log(&workers_[i].faults);
    share.unfenced_writes.set_log(&workers_[i].faults);
  }
}

bool ParallelLauncher::threads_met(const Launch& launch) const {
  for (std::size_t i = 0; i < cores_; ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (shares_[i]->traffic.at(launch.module).meets_writes_of(shares_[k]->traffic.at(launch.module)))
        return true;
  return false;
}

bool ParallelLauncher::share_out(const Launch& launch, const LaunchLimits& limits, Caches* caches) {
  const std::uint64_t blocks = launch.end_block() - launch.first_block,
                      chunk_blocks = choose_chunk_blocks(blocks, cores_);
  OrderedEvents events((blocks + chunk_blocks - 1) / chunk_blocks);
  const auto chunk_done = [&](std::size_t worker, std::uint64_t chunk) {
    std::vector<CacheEvent>& mine = shares_[worker]->log.events();
    if (shares_[worker]->log.overflowed()) return false;
    if (caches != nullptr && !events.put(chunk, std::exchange(mine, {}))) return false;
    return undo_log_.bytes() < kMaxUndoBytes;
  };
  const auto model = [&] {
    if (caches == nullptr) return;
    caches->begin_launch(launch.info);
    while (const auto next = events.take()) caches->apply(*next);
  };
  const Ending ending = execute_speculatively(
      workers_, limits, chunk_blocks, chunk_done, [&] { return threads_met(launch); },
      [&] { events.close(); }, model);
  return ending == Ending::complete && !threads_met(launch);
}

}  // namespace fusebox::sim
