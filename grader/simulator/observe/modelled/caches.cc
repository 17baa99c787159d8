#include "grader/simulator/observe/modelled/caches.h"

#include <algorithm>
#include <utility>

#include "grader/report/hardware.h"
#include "grader/report/occupancy.h"
#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/observe/requests/sectors.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr unsigned kL1Ways = 4;
// Shared memory takes its part of the SM's memory; L1 never gets less than this.
constexpr std::uint64_t kMinL1Bytes = 16 << 10;
// What part of L2 may hold sectors that were written in parts before the oldest of them is filled. On an H200
// scattered 4-byte stores into 16 MB read nearly all of it from DRAM, though L2 could have held it until it
// was whole.
constexpr std::uint64_t kPartsOfL2 = 10;

std::uint64_t bytes_of(SectorCache::Sectors sectors) { return kSectorBytes * lane_count(sectors); }

/// Calls f(line, sectors touched, words touched whole) for the lines of [address, address + bytes).
template <class F>
void for_each_line(std::uint64_t address, std::uint64_t bytes, F f) {
  constexpr std::uint64_t kLine = SectorCache::kLineBytes;
  const auto low_bits = [](std::uint64_t n) { return n >= 32 ? ~0u : (1u << n) - 1; };
  const std::uint64_t end = address + bytes;
  for (std::uint64_t line = address / kLine; line * kLine < end; ++line) {
    const std::uint64_t first = std::max(address, line * kLine) - line * kLine,
                        behind = std::min(end, (line + 1) * kLine) - line * kLine;
    f(line, static_cast<SectorCache::Sectors>(low_bits((behind + 31) / 32) & ~low_bits(first / 32)),
      low_bits(behind / 4) & ~low_bits((first + 3) / 4));
  }
}

/// When what one of several users of a cache has used is gone: as soon as all together have brought in
/// `least` times the cache, or at last `most` times.
struct Kept {
  double least, most;
  bool of_ratios;  ///< see SectorCache::Reach
};
// Of L2, of which a line takes a place and a half on average: an H200 still has what 32 MiB back was read,
// half of what 50 MiB back was, and nothing of 64 (`bench/pipes/rereads.cu`).
constexpr Kept kOfL2{0.9, 1.55, false};
// Of L1: of rows that fill three eighths of it together four fifths are still there, of as much as it holds a
// fifth, and nothing of twice that (`bench/pipes/l1_keeps.cu`, an H200).
constexpr Kept kOfL1{0.25, 1.4, true};

/// Lines that one of `users` can bring in before what it used is gone; nothing for one who has all of the
/// cache.
SectorCache::Reach reach(std::uint64_t bytes, std::uint64_t users, const Kept& kept) {
  if (users < 2) return {};
  const double share = static_cast<double>(bytes) / SectorCache::kLineBytes / static_cast<double>(users);
  return {static_cast<std::uint64_t>(kept.least * share),
          std::max<std::uint64_t>(static_cast<std::uint64_t>(kept.most * share), 1), kept.of_ratios};
}

/// Local memory of a block, as its warps have it: whole ones. What functions have that are called is not
/// known.
std::uint64_t local_bytes(const LaunchInfo& launch) {
  if (launch.function == nullptr) return 0;
  std::uint64_t of_lane = 0;
  for (const ptx::Variable& variable : launch.function->local) of_lane += variable.bytes;
  return of_lane * kWarpSize * warps_of(launch.block.count());
}

}  // namespace

Caches::Caches(const GpuProfile& gpu, unsigned share)
    : gpu_(gpu),
      share_(share),
      sms_(
          std::max<std::uint64_t>((static_cast<std::uint64_t>(std::max(gpu.sms, 1)) + share / 2) / share, 1)),
      l2_(gpu.l2_bytes / share, gpu.l2_effective_bytes < gpu.l2_bytes),
      max_parts_(gpu.l2_effective_bytes / share / kPartsOfL2 / kSectorBytes),
      slices_(gpu.l2_slices) {
  l1_.resize(static_cast<std::size_t>(std::max(gpu.sms, 1)));
  l1_launch_.resize(l1_.size(), 0);
}

void Caches::flush() {
  l2_.clear();
  parts_.clear();
}

CacheTraffic Caches::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = 4096;  // is read, then written
  const CacheTraffic of_launch = std::exchange(traffic_, {});
  block_ = nullptr;
  for (std::uint64_t first = 0; first < bytes; first += kPiece) {
    const std::uint64_t size = std::min(kPiece, bytes - first);
    Level unused = Level::none;
    if (from != 0)
      for_each_line(from + first, size, [&](std::uint64_t line, SectorCache::Sectors touched, std::uint32_t) {
        load(line, touched, false, unused);
      });
    if (to != 0)
      for_each_line(to + first, size,
                    [&](std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words) {
                      store(line, touched, words, false);
                    });
  }
  return std::exchange(traffic_, of_launch);
}

void Caches::watch(std::span<const NamedRange> ranges) {
  watched_begins_.clear();
  for (const NamedRange& range : ranges) watched_begins_.push_back(range.address / SectorCache::kLineBytes);
  watched_reads_.assign(ranges.size(), 0);
}

void Caches::begin_launch(const LaunchInfo& launch) {
  ++launch_;
  traffic_ = {};
  slices_.clear();
  dram_ = {};
  std::fill(watched_reads_.begin(), watched_reads_.end(), 0);
  // Blocks that share an SM share its L1, less what their shared memory takes of the SM's one memory.
  launch_blocks_ = launch.grid.count();
  const std::uint64_t per_sm = (launch_blocks_ + l1_.size() - 1) / l1_.size();
  const std::uint64_t threads = std::max<std::uint64_t>(launch.block.count(), 1);
  const auto fit = tightest(block_limits(gpu_, {threads, launch.registers, launch.shared_bytes})).blocks;
  resident_ = std::clamp<std::uint64_t>(fit, 1, std::max<std::uint64_t>(per_sm, 1));
  const std::uint64_t shared = resident_ * launch.shared_bytes;
  const auto whole = static_cast<std::uint64_t>(gpu_.l1_and_shared_bytes_per_sm);
  l1_bytes_ = shared + kMinL1Bytes > whole ? kMinL1Bytes : whole - shared;
  const std::uint64_t local = resident_ * local_bytes(launch);
  local_stays_ = local > 0 && local + kMinL1Bytes <= l1_bytes_;
  if (local_stays_) l1_bytes_ -= local;
  sm_ = 0;
  warps_.fill({});
  traffic_.warps = launch_blocks_ * warps_of(threads);
  blocks_.clear();
  block_ = nullptr;
  // Of the whole GPU: a share of it has a share of both.
  const std::uint64_t at_once = std::min<std::uint64_t>(launch_blocks_, resident_ * l1_.size());
  l2_.begin_users(users_, reach(gpu_.l2_bytes, at_once, kOfL2));
  l1_reach_ = reach(l1_bytes_, resident_, kOfL1);
  l1_above_ = users_++;
}

/// About so long a warp takes for it. Which of a block's warps finds in L2 what another has brought is no
/// difference between them.
double Caches::cycles_of(const CacheTraffic::WarpWork& work) const {
  return static_cast<double>(work.instructions) * gpu_.instruction_cycles +
         static_cast<double>(work.shared_waits) * gpu_.shared_latency_cycles +
         static_cast<double>(work.l1_waits) * gpu_.l1_latency_cycles +
         static_cast<double>(work.outside_waits) * gpu_.l2_latency_cycles +
         static_cast<double>(work.loop_cycles);
}

/// All warps have come to a barrier, or have left.
void Caches::end_stretch(Stretch stretch) {
  if (block_ == nullptr) return;
  CacheTraffic::BlockWork& block = block_->work;
  const CacheTraffic::WarpWork* slowest = &warps_.front().work;
  double longest = 0;
  for (const Waiting& warp : warps_) {
    block.warps += warp.work;
    if (stretch == Stretch::to_the_end) block.last += warp.work;
    if (const double cycles = cycles_of(warp.work); cycles > longest) longest = cycles, slowest = &warp.work;
  }
  (stretch == Stretch::to_the_end ? block.last_slowest : block.slowest) += *slowest;
  for (Waiting& warp : warps_) warp.work = {};
}

CacheTraffic::WarpWork& CacheTraffic::WarpWork::operator+=(const WarpWork& more) {
  instructions += more.instructions;
  shared_waits += more.shared_waits;
  l1_waits += more.l1_waits;
  outside_waits += more.outside_waits;
  loop_cycles += more.loop_cycles;
  return *this;
}

void Caches::begin_block(std::uint64_t block) {
  end_stretch(Stretch::to_a_barrier);  // of a block that waits for this one
  sm_ = block % sms_;
  if (block >= blocks_.size()) blocks_.resize(block + 1);
  block_ = &blocks_[block];
  if (block_->in_l2.id == 0) {
    block_->in_l1.id = block_->in_l2.id = ++users_;
    traffic_.waits_within += waits_within();
    for (Waiting& warp : warps_) warp.within = 0;
  }
  if (l1_launch_[sm_] == launch_) return;
  l1_launch_[sm_] = launch_;
  if (!l1_[sm_] || l1_made_for_ != l1_bytes_) {
    if (l1_made_for_ != l1_bytes_)
      for (auto& cache : l1_) cache.reset();
    l1_made_for_ = l1_bytes_;
    l1_[sm_] = std::make_unique<SectorCache>(l1_bytes_, kL1Ways);
  } else {
    l1_[sm_]->clear();
  }
  l1_[sm_]->begin_users(l1_above_, l1_reach_);
}

CacheTraffic Caches::traffic() const {
  CacheTraffic traffic = traffic_;
  traffic.waits_within += waits_within();
  traffic.atomic_turns = slices_.all_turns();
  traffic.busiest_atomic_turns = slices_.busiest_turns();
  if (blocks_.empty()) return traffic;
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(launch_blocks_, blocks_.size()); ++i)
    traffic.of_blocks.push_back(blocks_[i % blocks_.size()].work);
  return traffic;
}

void Caches::apply(std::span<const CacheEvent> events) {
  using Kind = CacheEvent::Kind;
  // The caches' own state is megabytes: waiting for it would take longer than all the rest.
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const CacheEvent& event = events[i];
    if (i + kAhead < events.size()) {
      const CacheEvent& soon = events[i + kAhead];
      if (soon.kind == Kind::load || soon.kind == Kind::bulk_load || soon.kind == Kind::store ||
          soon.kind == Kind::atomic || soon.kind == Kind::float_atomic) {
        l2_.prefetch(soon.where, half());
        if (l1_[sm_]) l1_[sm_]->prefetch(soon.where);
      }
    }
    access(event, warps_[event.warp]);
  }
}

void Caches::access(const CacheEvent& event, Waiting& warp) {
  using Kind = CacheEvent::Kind;
  Level& slowest = warp.slowest;
  switch (event.kind) {
    case Kind::block:
      begin_block(event.where);
      return;
    case Kind::shared:
      slowest = std::max(slowest, Level::shared);
      return;
    case Kind::wait:
      wait(warp);
      return;
    case Kind::loop:
      traffic_.loop_rounds += event.where, traffic_.loop_cycles += event.words;
      warp.work.loop_cycles += event.words;
      return;
    case Kind::issued:
      warp.work.instructions += event.where;
      return;
    case Kind::barrier:
      end_stretch(Stretch::to_a_barrier);
      return;
    case Kind::end:
      end_stretch(Stretch::to_the_end);
      return;
    case Kind::load:
      load(event.where, event.touched, true, slowest);
      break;
    case Kind::bulk_load:
      load(event.where, event.touched, false, slowest);
      break;
    case Kind::store:
      store(event.where, event.touched, event.words, true);
      break;
    case Kind::atomic:
    case Kind::float_atomic:
      load(event.where, event.touched, false, slowest);
      change_l2(event.where, event.touched, event.words);
      traffic_.l2_atomic_bytes += bytes_of(event.touched);
      slices_.change(event.where, event.touched, event.words, event.turns, event.kind == Kind::float_atomic);
      break;
    case Kind::local_load:
      if (local_stays_)
        ask_l1(event.touched, 0), slowest = std::max(slowest, Level::l1);
      else
        load(local_line(event), event.touched, true, slowest);
      break;
    case Kind::local_store:
      if (!local_stays_) store(local_line(event), event.touched, event.words, true);
      break;
  }
  if (block_ != nullptr) ++block_->work.lines;
}

/// Somewhere no buffer is, the same for all blocks that follow one another in one place of one SM.
std::uint64_t Caches::local_line(const CacheEvent& event) const {
  constexpr std::uint64_t kBehindAll = std::uint64_t{1} << 60;
  const auto index = static_cast<std::uint64_t>(block_ == nullptr ? 0 : block_ - blocks_.data());
  const std::uint64_t place = index % (resident_ * sms_);
  return kBehindAll + ((place * kMaxWarps + event.warp) << 24) + event.where;
}

void Caches::wait(Waiting& warp) {
  switch (warp.slowest) {
    case Level::none:
      return;
    case Level::shared:
      ++traffic_.shared_waits, ++warp.work.shared_waits, ++warp.within;
      break;
    case Level::l1:
      ++traffic_.l1_waits, ++warp.work.l1_waits, ++warp.within;
      break;
    case Level::l2:
      ++traffic_.l2_waits, ++warp.work.outside_waits, warp.within = 0;
      break;
    case Level::dram:
      ++traffic_.dram_waits, ++warp.work.outside_waits, warp.within = 0;
      break;
  }
  warp.slowest = Level::none;
}

std::uint64_t Caches::waits_within() const {
  std::uint64_t sum = 0;
  for (const Waiting& warp : warps_) sum += warp.within;
  return sum;
}

void CacheTap::run_ended(const WarpId& warp) {
  CacheLog::run_ended(warp);
  constexpr std::size_t kBatch = 4096;
  if (events().size() >= kBatch) pass_on();
}

void CacheTap::pass_on() {
  caches_.apply(events());
  events().clear();
}

/// Sectors that L2 has not are fetched from DRAM in pairs: what stands beside one comes with it, and stays.
void Caches::fetch(std::uint64_t line, SectorCache::Sectors missed) {
  const auto pairs = static_cast<SectorCache::Sectors>(((missed & 0b0011) != 0 ? 0b0011 : 0) |
                                                       ((missed & 0b1100) != 0 ? 0b1100 : 0));
  if (pairs != missed) {
    const SectorCache::Effect beside =
        l2_.read(line, static_cast<SectorCache::Sectors>(pairs & ~missed), half(), user(&Block::in_l2));
    cast_out(beside);
    missed |= beside.missed;
  }
  traffic_.dram_read_bytes += bytes_of(missed);
  traffic_.dram_extra_bytes += dram_.read(line, bytes_of(missed));
  if (watched_begins_.empty()) return;
  const auto behind = std::upper_bound(watched_begins_.begin(), watched_begins_.end(), line);
  if (behind == watched_begins_.begin()) return;
  watched_reads_[static_cast<std::size_t>(behind - watched_begins_.begin() - 1)] += bytes_of(missed);
}

void Caches::fill_from_dram(std::uint64_t line, unsigned sector) {
  traffic_.dram_read_bytes += kSectorBytes;
  traffic_.dram_extra_bytes += static_cast<std::uint64_t>(dram_.filled(line, sector));  // less, it may be
}

void Caches::cast_out(const SectorCache::Effect& effect) {
  for (const SectorCache::CastOut& cast : effect.cast_out()) {
    for (unsigned sector = 0; sector < 4; ++sector)
      if ((cast.filled >> sector & 1) != 0) fill_from_dram(cast.line, sector);
    traffic_.dram_write_bytes += bytes_of(cast.dirty);
    traffic_.dram_extra_bytes += dram_.written(cast.line, bytes_of(cast.dirty));
  }
}

void Caches::ask_l1(SectorCache::Sectors sectors, SectorCache::Sectors missed) {
  traffic_.l1_sectors += lane_count(sectors);
  traffic_.l1_hit_sectors += lane_count(static_cast<SectorCache::Sectors>(sectors & ~missed));
}

void Caches::load(std::uint64_t line, SectorCache::Sectors sectors, bool through_l1, Level& slowest) {
  SectorCache::Sectors missed = sectors;
  if (through_l1 && l1_[sm_]) {
    missed = l1_[sm_]->read(line, sectors, user(&Block::in_l1)).missed;
    ask_l1(sectors, missed);
  }
  slowest = std::max(slowest, Level::l1);
  if (missed == 0) return;
  traffic_.l2_read_bytes += bytes_of(missed);
  ++traffic_.l2_requests, ++traffic_.port_cycles;
  const SectorCache::Effect effect = l2_.read(line, missed, half(), user(&Block::in_l2));
  slowest = std::max(slowest, effect.missed != 0 ? Level::dram : Level::l2);
  cast_out(effect);
  if (effect.missed != 0) fetch(line, effect.missed);
}

void Caches::store(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words, bool through_l1) {
  if (through_l1 && l1_[sm_]) l1_[sm_]->write(line, touched, words, user(&Block::in_l1));
  const SectorCache::Sectors partial = partly_written(touched, words);
  traffic_.l2_partial_sectors += lane_count(partial);
  traffic_.l2_partial_lines += partial != 0;
  traffic_.port_cycles += lane_count(touched) + (partial != 0);
  ++traffic_.l2_requests;
  change_l2(line, touched, words);
}

void Caches::change_l2(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words) {
  traffic_.l2_write_bytes += bytes_of(touched);
  const SectorCache::Effect effect = l2_.write(line, touched, words, half(), user(&Block::in_l2));
  cast_out(effect);
  for (unsigned sector = 0; sector < 4; ++sector) {
    if ((effect.parted >> sector & 1) == 0) continue;
    parts_.push_back(line * 4 + sector);
    if (parts_.size() <= max_parts_) continue;
    const unsigned in_line = parts_.front() % 4;
    if (l2_.fill(parts_.front() / 4, in_line)) fill_from_dram(parts_.front() / 4, in_line);
    parts_.pop_front();
  }
}

}  // namespace fusebox::sim
