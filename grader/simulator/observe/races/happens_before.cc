#include "grader/simulator/observe/races/happens_before.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

/// What looking at one release costs.
constexpr std::uint64_t kStep = 20;

void join(Epoch& known, Epoch epoch) { known = std::max(known, epoch); }

void join(VectorClock& clock, const SharedClock& other) {
  if (!other) return;
  for (std::size_t t = 0; t < clock.size(); ++t) join(clock[t], (*other)[t]);
}

/// Calls use(release) for those that it has and whoever came before at the same place has not.
template <class Use>
void each_new_release(const Acquired& known, Use use) {
  if (known.log == nullptr) return;
  const bool goes_on = known.before != nullptr && known.before->log == known.log;
  for (std::size_t i = goes_on ? known.before->count : 0; i < known.count; ++i) use(*(*known.log)[i]);
}

/// Calls use(acquired, loads_only) for all that is part of it.
template <class Use>
void each_part(const Acquired& known, Use use) {
  if (known.before != nullptr) use(*known.before, false);
  if (known.also != nullptr) use(*known.also, false);
  each_new_release(known, [&](const Release& release) {
    if (release.others != nullptr) use(*release.others, release.loads_only);
  });
}

void join(const Release*& known, const Release* other) {
  if (known == nullptr || (other != nullptr && known->latest < other->latest)) known = other;
}

/// Each the later of two, place by place.
template <class T>
void join(std::vector<T>& known, const std::vector<T>& more) {
  if (known.size() < more.size()) known.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) join(known[i], more[i]);
}

constexpr std::uint64_t kMaxBoundsSteps = 200'000'000, kMaxBoundsHeld = 4'000'000;

LaneMask lanes_of_warp(std::uint32_t threads, std::uint32_t warp) {
  const std::uint32_t count = threads - warp * kWarpSize;
  return count >= kWarpSize ? ~LaneMask{0} : (LaneMask{1} << count) - 1;
}

}  // namespace

bool Release::covers(std::uint32_t other, Epoch epoch) const {
  if (epoch < base || (other == thread && epoch < time)) return true;
  if (other / kWarpSize == thread / kWarpSize && epoch < met) return true;
  return std::any_of(clocks.begin(), clocks.end(),
                     [&](const SharedClock& clock) { return clock && epoch < (*clock)[other]; });
}

void Publications::clear() {
  global.clear();
  logs_.clear();
  acquired_.clear();
  views_.clear();
  bounds_.clear();
  spent_ = bounds_steps_ = bounds_held_ = 0;
}

const Acquired* Publications::join(const Acquired* a, const Acquired* b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  spend(sizeof(Acquired));
  return &acquired_.emplace_back(Acquired{nullptr, 0, a, b});
}

const Acquired* Publications::acquire(const ReleaseLog& log, std::size_t count, const Acquired* before) {
  spend(sizeof(Acquired));
  return &acquired_.emplace_back(Acquired{&log, count, before, nullptr});
}

/// Everything reachable, by block. Kept for the next questions, which mostly come from the same threads.
const Publications::View& Publications::view_of(const Acquired* known) {
  if (const auto kept = views_.find(known); kept != views_.end()) return kept->second;
  if (views_.size() >= 8) views_.clear();
  View& view = views_[known];
  std::unordered_set<const Acquired*> seen;
  std::unordered_map<const ReleaseLog*, std::size_t> read;
  std::vector<const Acquired*> open{known}, for_loads;
  // What is known of all accesses comes first; what is known of loads alone adds to that.
  for (bool loads_only : {false, true}) {
    if (loads_only) open.swap(for_loads);
    while (!open.empty()) {
      const Acquired* next = open.back();
      open.pop_back();
      if (next == nullptr || !seen.insert(next).second) continue;
      spend(kStep);
      open.push_back(next->before);
      open.push_back(next->also);
      if (next->log == nullptr) continue;
      std::size_t& done = read[next->log];
      if (done < next->count) spend(kStep * (next->count - done));
      for (; done < next->count; ++done) {
        const Release& release = *(*next->log)[done];
        const bool loads = loads_only || release.loads_only;
        view[release.block].push_back({&release, loads});
        (loads && !loads_only ? for_loads : open).push_back(release.others);
      }
    }
  }
  return view;
}

/// Of something all of whose parts have theirs.
void Publications::add_bounds(const Acquired& known, Bounds& bounds) {
  constexpr std::uint64_t kMaxBlocks = 1 << 16;
  each_part(known, [&](const Acquired& part, bool loads_only) {
    const Bounds& theirs = bounds_.at(&part);
    if (!loads_only) {
      sim::join(bounds.base, theirs.base);
      sim::join(bounds.last, theirs.last);
    }
    sim::join(bounds.latest, theirs.latest);
    bounds_steps_ += theirs.latest.size() + 1;
  });
  each_new_release(known, [&](const Release& release) {
    bounds_steps_ += release.block < kMaxBlocks ? 1 : kMaxBoundsSteps;
    if (!release.wide || bounds_steps_ >= kMaxBoundsSteps) return;
    const std::size_t blocks = std::max<std::size_t>(bounds.latest.size(), release.block + 1);
    bounds.base.resize(blocks);
    bounds.latest.resize(blocks);
    bounds.last.resize(blocks);
    sim::join(bounds.latest[release.block], release.latest);
    if (release.loads_only) return;
    sim::join(bounds.base[release.block], release.base);
    sim::join(bounds.last[release.block], &release);
  });
}

/// Null where so many blocks know of each other that this would take too long.
const Publications::Bounds* Publications::bounds_of(const Acquired* known) {
  if (const auto found = bounds_.find(known); found != bounds_.end()) return &found->second;
  std::vector<const Acquired*> open{known};
  while (!open.empty()) {
    if (bounds_steps_ >= kMaxBoundsSteps || bounds_held_ > kMaxBoundsHeld) return nullptr;
    const Acquired* const next = open.back();
    const std::size_t before = open.size();
    if (!bounds_.contains(next))
      each_part(*next, [&](const Acquired& part, bool) {
        if (!bounds_.contains(&part)) open.push_back(&part);
      });
    if (open.size() != before) continue;
    open.pop_back();
    if (bounds_.contains(next)) continue;
    Bounds bounds;
    add_bounds(*next, bounds);
    if (bounds_steps_ >= kMaxBoundsSteps) return nullptr;
    bounds_held_ += 4 * bounds.latest.size();
    bounds_.emplace(next, std::move(bounds));
  }
  return &bounds_.at(known);
}

bool Publications::reaches(const Acquired* known, std::uint64_t block, std::uint32_t thread, Epoch epoch,
                           bool load) {
  if (known == nullptr) return false;
  if (const Bounds* bounds = bounds_of(known); bounds != nullptr) {
    if (block < bounds->base.size() &&
        (epoch < bounds->base[block] ||
         (bounds->last[block] != nullptr && bounds->last[block]->covers(thread, epoch))))
      return true;
    if (block >= bounds->latest.size() || epoch >= bounds->latest[block]) return false;
  }
  const View& view = view_of(known);
  const auto found = view.find(block);
  return found != view.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Known& k) {
           return k.release->wide && (load || !k.loads_only) && k.release->covers(thread, epoch);
         });
}

bool Publications::reaches(const Acquired* known, std::uint64_t block) {
  return known != nullptr && view_of(known).contains(block);
}

void HappensBefore::begin(std::uint64_t block, std::uint32_t threads, Publications& publications) {
  block_ = block;
  threads_ = threads;
  publications_ = &publications;
  now_ = 1;
  base_ = 0;
  others_ = nullptr;
  knows_others_ = fenced_since_barrier_ = false;
  fenced_.reset();
  warps_.resize(warps_of(threads));
  for (Warp& warp : warps_) warp = {};
  for (auto& arrivals : arrivals_) arrivals.clear();
  shared_.clear();
  mbarriers_.clear();
}

HappensBefore::Lane& HappensBefore::lane_of(std::uint32_t warp, int lane) {
  std::vector<Lane>& lanes = warps_[warp].lanes;
  if (lanes.empty()) lanes.resize(kWarpSize);
  return lanes[static_cast<std::size_t>(lane)];
}

/// What `lanes` of a warp know together, and that they are here themselves, now.
void HappensBefore::collect_clock(VectorClock& clock, std::uint32_t index, LaneMask lanes,
                                  const Acquired*& others) {
  Warp& warp = warps_[index];
  join(clock, warp.clock);
  others = publications_->join(others, warp.others);
  const std::uint32_t first = index * kWarpSize;
  for_each_lane(lanes_of_warp(threads_, index),
                [&](int lane) { join(clock[first + static_cast<std::uint32_t>(lane)], warp.met); });
  for_each_lane(lanes, [&](int lane) {
    clock[first + static_cast<std::uint32_t>(lane)] = now_;
    if (!warp.lanes_know) return;
    const Lane& own = warp.lanes[static_cast<std::size_t>(lane)];
    join(clock, own.clock);
    others = publications_->join(others, own.others);
  });
}

void HappensBefore::barrier_arrive(std::uint32_t warp, std::uint32_t id, LaneMask lanes) {
  ++now_;
  Arrival arrival;
  arrival.clock.resize(threads_);
  collect_clock(arrival.clock, warp, lanes, arrival.others);
  arrivals_[id].push_back(std::move(arrival));
  warps_[warp].epoch = now_;
  warps_[warp].meetings = 0;
}

/// Behind a barrier of all threads, one thread's atomic publishes what every thread had fenced before it: not
/// what the memory model promises to the letter, but what hardware does and programs rely on.
void HappensBefore::pool_fences() {
  auto clock = fenced_ ? std::make_shared<VectorClock>(*fenced_) : std::make_shared<VectorClock>(threads_);
  Epoch base = 0;
  for (const Warp& warp : warps_)
    for (const Lane& lane : warp.lanes) {
      const Release& fence = lane.fences[1];
      if (fence.time == 0) continue;
      join(base, fence.base);
      const std::uint32_t first = fence.thread / kWarpSize * kWarpSize;
      for (std::uint32_t t = first; t < std::min(first + kWarpSize, threads_); ++t)
        join((*clock)[t], fence.met);
      for (const SharedClock& known : fence.clocks) join(*clock, known);
      join((*clock)[fence.thread], fence.time);
    }
  for (Epoch& epoch : *clock) join(epoch, base);
  fenced_ = std::move(clock);
  fenced_since_barrier_ = false;
}

void HappensBefore::barrier_complete(std::uint32_t id, std::span<const BarrierParty> parties, bool whole) {
  std::vector<Arrival> arrived = std::exchange(arrivals_[id], {});
  if (whole) {
    if (fenced_since_barrier_) pool_fences();
    base_ = ++now_;
    for (Warp& warp : warps_) {
      warp.epoch = base_;
      warp.clock.reset();
      warp.meetings = 0;
      others_ = publications_->join(others_, std::exchange(warp.others, nullptr));
      if (!warp.lanes_know) continue;
      for (Lane& lane : warp.lanes) {
        lane.clock.reset();
        others_ = publications_->join(others_, std::exchange(lane.others, nullptr));
      }
      warp.lanes_know = false;
    }
    for (const Arrival& arrival : arrived) others_ = publications_->join(others_, arrival.others);
    return;
  }
  join_parties(parties, arrived);
}

void HappensBefore::join_parties(std::span<const BarrierParty> parties, std::span<const Arrival> arrived) {
  ++now_;
  auto clock = std::make_shared<VectorClock>(threads_);
  const Acquired* others = nullptr;
  for (const Arrival& arrival : arrived) {
    for (std::uint32_t t = 0; t < threads_; ++t) join((*clock)[t], arrival.clock[t]);
    others = publications_->join(others, arrival.others);
  }
  for (const BarrierParty& party : parties)
    if (party.waited) collect_clock(*clock, party.warp, party.lanes, others);
  for (const BarrierParty& party : parties) {
    if (!party.waited) continue;
    Warp& warp = warps_[party.warp];
    warp.epoch = now_;
    warp.meetings = 0;
    join_clock(party.warp, party.lanes, party.lanes == lanes_of_warp(threads_, party.warp), clock, others);
  }
}

/// From now on `lanes` of a warp know what `clock` and `others` say; `whole`: all of them, together.
void HappensBefore::join_clock(std::uint32_t index, LaneMask lanes, bool whole,
                               const std::shared_ptr<VectorClock>& clock, const Acquired* others) {
  Warp& warp = warps_[index];
  warp.lanes_know = !whole;
  if (whole) {
    warp.clock = clock;
    warp.others = others;
    for (Lane& lane : warp.lanes) lane.clock.reset(), lane.others = nullptr;
    return;
  }
  for_each_lane(lanes, [&](int lane) {
    Lane& own = lane_of(index, lane);
    own.clock = clock;
    own.others = others;
  });
}

void HappensBefore::warp_sync(std::uint32_t index, LaneMask lanes, bool whole) {
  Warp& warp = warps_[index];
  for (int i = 0; i < warp.meetings; ++i)
    if ((lanes & ~warp.met_masks[static_cast<std::size_t>(i)]) == 0) return;
  ++now_;
  if (whole && !warp.lanes_know) {
    warp.met = now_;
  } else {
    auto clock = std::make_shared<VectorClock>(threads_);
    const Acquired* others = nullptr;
    collect_clock(*clock, index, lanes, others);
    if (whole) warp.met = now_;
    join_clock(index, lanes, whole, clock, others);
  }
  warp.epoch = now_;
  const int slot = std::min<int>(warp.meetings, static_cast<int>(warp.met_masks.size()) - 1);
  warp.met_masks[static_cast<std::size_t>(slot)] = lanes;
  warp.meetings = slot + 1;
}

void HappensBefore::mbarrier_arrive(std::uint32_t index, LaneMask lanes, std::uint64_t address) {
  ++now_;
  Arrival& arrivals = mbarriers_[address];
  arrivals.clock.resize(threads_);
  for (Epoch& epoch : arrivals.clock) join(epoch, base_);
  collect_clock(arrivals.clock, index, lanes, arrivals.others);
  arrivals.others = publications_->join(arrivals.others, others_);
  warps_[index].epoch = now_;
  warps_[index].meetings = 0;
}

void HappensBefore::mbarrier_wait(std::uint32_t index, LaneMask lanes, std::uint64_t address) {
  const auto found = mbarriers_.find(address);
  if (found == mbarriers_.end()) return;
  const Arrival& arrivals = found->second;
  Warp& warp = warps_[index];
  ++now_;
  SharedClock last_old, last_new;
  const auto with_arrivals = [&](const SharedClock& old) {
    if (last_new && old == last_old) return last_new;
    auto clock = std::make_shared<VectorClock>(arrivals.clock);
    join(*clock, old);
    last_old = old;
    return last_new = std::move(clock);
  };
  if (lanes == lanes_of_warp(threads_, index)) {
    warp.clock = with_arrivals(warp.clock);
    warp.others = publications_->join(warp.others, arrivals.others);
  } else {
    warp.lanes_know = true;
    for_each_lane(lanes, [&](int lane) {
      Lane& own = lane_of(index, lane);
      own.clock = with_arrivals(own.clock);
      own.others = publications_->join(own.others, arrivals.others);
    });
  }
  knows_others_ = knows_others_ || arrivals.others != nullptr;
  warp.epoch = now_;
  warp.meetings = 0;
}

void HappensBefore::fence(std::uint32_t index, LaneMask lanes, Order order, Scope scope) {
  if (order == Order::weak) return;
  Warp& warp = warps_[index];
  ++now_;
  const bool wide = scope != Scope::block;
  for_each_lane(lanes, [&](int lane) {
    Lane& own = lane_of(index, lane);
    Release& fence = own.fences[wide];
    fence.block = block_;
    fence.thread = index * kWarpSize + static_cast<std::uint32_t>(lane);
    fence.wide = wide;
    fence.time = now_;
    fence.base = base_;
    fence.met = warp.met;
    fence.clocks = {warp.clock, own.clock, nullptr};
    fence.others = publications_->join(publications_->join(others_, warp.others), own.others);
  });
  fenced_since_barrier_ = fenced_since_barrier_ || wide;
  warp.epoch = now_;
  warp.meetings = 0;
}

void HappensBefore::synchronise(std::uint32_t index, int lane, bool reads, bool writes, bool replaces,
                                Space space, std::uint64_t address) {
  auto& places = space == Space::shared ? shared_ : publications_->global;
  Warp& warp = warps_[index];
  const bool may_publish =
      writes && (!warp.lanes.empty() || fenced_ || (replaces && space == Space::global && base_ != 0));
  if (places.empty() && !may_publish) return;
  const auto found = places.find(address);
  ReleaseLog* log = found == places.end() ? nullptr : found->second;
  if (reads && log != nullptr && !log->empty()) {
    Lane& own = lane_of(index, lane);
    if (own.last_log != log || own.last_count != log->size()) {
      ++now_;
      auto clock =
          own.clock ? std::make_shared<VectorClock>(*own.clock) : std::make_shared<VectorClock>(threads_);
      bool mine = false;
      const std::size_t from = own.last_log == log ? own.last_count : 0;
      for (std::size_t i = from; i < log->size(); ++i) {
        const Release& release = *(*log)[i];
        publications_->spend(kStep + threads_);
        if (release.block != block_ || release.loads_only) continue;
        mine = true;
        for (std::uint32_t t = 0; t < threads_; ++t)
          for (const SharedClock& known : release.clocks)
            if (known) join((*clock)[t], (*known)[t]);
        const std::uint32_t first = release.thread / kWarpSize * kWarpSize;
        for (std::uint32_t t = first; t < std::min(first + kWarpSize, threads_); ++t)
          join((*clock)[t], std::max(release.met, release.base));
        join((*clock)[release.thread], release.time);
      }
      if (mine) own.clock = std::move(clock);
      own.others = publications_->acquire(*log, log->size(), own.others);
      own.last_log = log;
      own.last_count = log->size();
      knows_others_ = warp.lanes_know = true;
      warp.epoch = now_;
      warp.meetings = 0;
    }
  }
  if (!writes) return;
  if (replaces && log != nullptr) {
    places.erase(found);
    log = nullptr;
  }
  const auto publish = [&](Release release) {
    if (log == nullptr) places[address] = log = publications_->new_log();
    release.latest = now_;
    log->push_back(std::make_unique<const Release>(std::move(release)));
    publications_->spend(sizeof(Release));
  };
  const Lane* own = warp.lanes.empty() ? nullptr : &warp.lanes[static_cast<std::size_t>(lane)];
  if (own != nullptr && own->fences[0].time > own->fences[1].time) publish(own->fences[0]);
  if (own != nullptr && own->fences[1].time != 0) {
    Release release = own->fences[1];
    release.clocks[2] = fenced_;
    publish(std::move(release));
  } else if (fenced_) {
    Release release;
    release.block = block_;
    release.thread = index * kWarpSize + static_cast<std::uint32_t>(lane);
    release.wide = true;
    release.clocks[2] = fenced_;
    release.others = others_;
    publish(std::move(release));
  } else if (replaces && space == Space::global && base_ != 0) {
    Release release;
    release.block = block_;
    release.thread = index * kWarpSize + static_cast<std::uint32_t>(lane);
    release.wide = release.loads_only = true;
    release.base = base_;
    release.others = publications_->join(publications_->join(others_, warp.others),
                                         own != nullptr ? own->others : nullptr);
    publish(std::move(release));
  }
}

bool HappensBefore::happened_before(std::uint32_t index, int lane, std::uint64_t block, std::uint32_t thread,
                                    Epoch epoch, bool load) {
  const Warp& warp = warps_[index];
  const Lane* own = warp.lanes_know ? &warp.lanes[static_cast<std::size_t>(lane)] : nullptr;
  if (block == block_) {
    if (epoch < base_ || (thread / kWarpSize == index && epoch < warp.met)) return true;
    if (warp.clock && epoch < (*warp.clock)[thread]) return true;
    if (own != nullptr && own->clock && epoch < (*own->clock)[thread]) return true;
  }
  return knows_others_ &&
         (publications_->reaches(others_, block, thread, epoch, load) ||
          publications_->reaches(warp.others, block, thread, epoch, load) ||
          (own != nullptr && publications_->reaches(own->others, block, thread, epoch, load)));
}

bool HappensBefore::knows_block(std::uint32_t index, int lane, std::uint64_t block) {
  if (!knows_others_) return false;
  const Warp& warp = warps_[index];
  return publications_->reaches(others_, block) || publications_->reaches(warp.others, block) ||
         (warp.lanes_know &&
          publications_->reaches(warp.lanes[static_cast<std::size_t>(lane)].others, block));
}

bool HappensBefore::someone_knows(std::uint64_t block, std::uint32_t thread, Epoch epoch) {
  const auto reach = [&](const Acquired* known) {
    return publications_->reaches(known, block, thread, epoch, true);
  };
  return knows_others_ && (reach(others_) || std::any_of(warps_.begin(), warps_.end(), [&](const Warp& warp) {
                             return reach(warp.others) ||
                                    std::any_of(warp.lanes.begin(), warp.lanes.end(),
                                                [&](const Lane& lane) { return reach(lane.others); });
                           }));
}

bool HappensBefore::all_happened_before(std::uint32_t index, std::uint64_t block, std::uint32_t of_warp,
                                        LaneMask lanes, Epoch epoch, bool load) {
  const Warp& warp = warps_[index];
  if (block == block_) {
    if (epoch < base_ || (of_warp == index && epoch < warp.met)) return true;
    if (!warp.clock) return false;
  } else if (!knows_others_) {
    return false;
  }
  for (const int lane : lanes_in(lanes)) {
    const std::uint32_t thread = of_warp * kWarpSize + static_cast<std::uint32_t>(lane);
    if (block == block_ ? epoch >= (*warp.clock)[thread]
                        : !publications_->reaches(others_, block, thread, epoch, load) &&
                              !publications_->reaches(warp.others, block, thread, epoch, load))
      return false;
  }
  return true;
}

}  // namespace fusebox::sim
