#include "grader/simulator/observe/requests/sectors.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

constexpr int kSectorShift = 5;
constexpr int kLineShift = 7;

/// The lanes' addresses as 32-bit offsets from a line, because twice as many of those fit a vector register.
/// The base lies 1 GiB before the first active lane, so that lanes before it have an offset too.
struct Offsets {
  std::uint64_t base = 0;
  alignas(16) std::uint32_t value[kWarpSize];

  /// False: the active lanes are too far apart, or one is not a multiple of `bytes` (a power of two).
  /// Lanes that are not active get the offset of the active lane before them (or the first), which changes no
  /// union.
  bool load(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
    const int first = std::countr_zero(lanes);
    base = (address[first] - (std::uint64_t{1} << 30)) & ~std::uint64_t{kLineBytes - 1};
    std::uint64_t all = 0;
    if (lanes == kAllLanes) {
      for (int i = 0; i < kWarpSize; ++i) {
        const std::uint64_t offset = address[i] - base;
        all |= offset;
        value[i] = static_cast<std::uint32_t>(offset);
      }
    } else {
      std::uint64_t offset = address[first] - base;
      for (int i = 0; i < kWarpSize; ++i) {
        offset = (lanes >> i) & 1 ? address[i] - base : offset;
        all |= offset;
        value[i] = static_cast<std::uint32_t>(offset);
      }
    }
    return (all >> 31) == 0 && (all & (bytes - 1)) == 0;
  }
};

/// Offsets that never fall: one pass over neighbours. Aligned lanes of one width overlap only when they are
/// equal, and none crosses a sector. Returns false at addresses that fall.
bool measure_rising(const Offsets& offsets, std::uint32_t bytes, Footprint& out) {
  const auto* value = reinterpret_cast<const std::int32_t*>(offsets.value);
  std::int32_t sectors = 1, lines = 1, distinct = 1, falls = 0;
  const auto step = [&](int i) {
    const std::int32_t changed = value[i] ^ value[i - 1];
    falls |= value[i] < value[i - 1];
    distinct += changed != 0;
    sectors += (changed >> kSectorShift) != 0;
    lines += (changed >> kLineShift) != 0;
  };
  // 28 steps in fours of a vector, then the rest.
  for (int i = 1; i < 29; ++i) step(i);
  for (int i = 29; i < kWarpSize; ++i) step(i);
  if (falls) return false;
  out.sectors = sectors;
  out.lines = lines;
  out.useful_bytes = distinct * bytes;
  out.begin = offsets.base + offsets.value[0];
  out.end = offsets.base + offsets.value[kWarpSize - 1] + bytes;
  out.contiguous = out.end - out.begin == out.useful_bytes;
  return true;
}

/// Offsets in any order within a few lines (a permutation, two rows, a small table): a bit per byte.
bool measure_near(const Offsets& offsets, std::uint32_t bytes, Footprint& out) {
  constexpr std::uint32_t kWindow = 2048;
  std::uint32_t lowest = ~0u, highest = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    lowest = std::min(lowest, offsets.value[i]);
    highest = std::max(highest, offsets.value[i]);
  }
  const std::uint32_t origin = lowest & ~(kLineBytes - 1);
  if (highest - origin >= kWindow) return false;
  const std::uint32_t words = (highest - origin) / 64 + 1;
  // Four copies that lanes use in turn, so that a lane need not wait for its neighbour's store into the same
  // word.
  std::uint64_t touched[kWindow / 64][4];
  std::memset(touched, 0, words * sizeof touched[0]);
  const std::uint64_t run = (std::uint64_t{1} << bytes) - 1;
  for (int i = 0; i < kWarpSize; ++i) {
    const std::uint32_t at = offsets.value[i] - origin;
    touched[at / 64][i % 4] |= run << (at % 64);
  }
  bool upper_half = false, lower_touched = false;
  for (std::uint32_t i = 0; i < words; ++i, upper_half = !upper_half) {
    const std::uint64_t word = touched[i][0] | touched[i][1] | touched[i][2] | touched[i][3];
    const auto low = static_cast<std::uint32_t>(word), high = static_cast<std::uint32_t>(word >> 32);
    out.useful_bytes += lane_count(low) + lane_count(high);
    out.sectors += (low != 0) + (high != 0);
    out.lines += word && !(upper_half && lower_touched);
    lower_touched = word != 0;
  }
  out.begin = offsets.base + lowest;
  out.end = offsets.base + highest + bytes;
  out.contiguous = out.end - out.begin == out.useful_bytes;
  return true;
}

/// Whether no two of these lanes have the same address, `shift` low bits aside. False may be wrong: then it
/// has to be found out by comparing each with each.
bool surely_different(const std::uint64_t* address, LaneMask lanes, int shift) {
  constexpr std::size_t kWords = 32;
  std::uint64_t seen[kWords] = {};
  bool different = lanes != 0;
  for_each_lane(lanes, [&](int lane) {
    const std::uint64_t hash = (address[lane] >> shift) * 0x9e3779b97f4a7c15ull;
    std::uint64_t& word = seen[hash >> 59];
    const std::uint64_t bit = std::uint64_t{1} << (hash >> 53 & 63);
    different = different && (word & bit) == 0;
    word |= bit;
  });
  return different;
}

/// Any addresses: a small open-addressed table of the lines touched, each with a bit per byte.
class LineTable {
 public:
  void add(std::uint64_t address, std::uint32_t bytes) {
    const std::uint32_t offset = address & (kLineBytes - 1);
    const std::uint32_t here = std::min(bytes, kLineBytes - offset);
    mark(address >> kLineShift, offset, here);
    if (here < bytes) mark((address >> kLineShift) + 1, 0, bytes - here);
  }

  void fill(Footprint& out) const {
    out.lines = count_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        const LaneMask touched = entries_[i].bytes[quarter / 2] >> (quarter % 2 * 32);
        out.sectors += touched != 0;
        out.useful_bytes += lane_count(touched);
      }
    }
  }

 private:
  struct Entry {
    std::uint64_t line;
    std::uint64_t bytes[2];
  };

  void mark(std::uint64_t line, std::uint32_t offset, std::uint32_t bytes) {
    Entry& entry = find(line);
    const std::uint64_t run = (std::uint64_t{1} << bytes) - 1;
    if (offset >= 64) {
      entry.bytes[1] |= run << (offset - 64);
    } else {
      entry.bytes[0] |= run << offset;
      if (offset + bytes > 64) entry.bytes[1] |= run >> (64 - offset);
    }
  }

  Entry& find(std::uint64_t line) {
    if (count_ && entries_[last_].line == line) return entries_[last_];
    std::uint32_t at = (line * 0x9E3779B97F4A7C15u) >> 57;
    while (slots_[at] && entries_[slots_[at] - 1].line != line) at = (at + 1) % kSlots;
    if (!slots_[at]) {
      entries_[count_] = {line, {0, 0}};
      slots_[at] = ++count_;
    }
    last_ = slots_[at] - 1;
    return entries_[last_];
  }

  static constexpr std::uint32_t kSlots = 128;  // twice the lines that 32 lanes can touch
  std::uint8_t slots_[kSlots] = {};             // 1 + index into entries_; 0: free
  Entry entries_[2 * kWarpSize];
  std::uint32_t count_ = 0, last_ = 0;
};

Footprint measure_any(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  Footprint out;
  LineTable table;
  out.begin = ~std::uint64_t{0};
  for_each_lane(lanes, [&](int lane) {
    out.begin = std::min(out.begin, address[lane]);
    out.end = std::max(out.end, address[lane] + bytes);
    table.add(address[lane], bytes);
  });
  table.fill(out);
  return out;
}

/// Everything but the plainest shapes; apart, so that those pay for no frame.
[[gnu::noinline]] Footprint measure_irregular(const std::uint64_t* address, LaneMask lanes,
                                              std::uint32_t bytes) {
  Offsets offsets;
  Footprint out;
  const bool power_of_two = (bytes & (bytes - 1)) == 0;
  if (power_of_two && offsets.load(address, lanes, bytes) &&
      (measure_rising(offsets, bytes, out) || measure_near(offsets, bytes, out))) {
    return out;
  }
  return measure_any(address, lanes, bytes);
}

/// Which of the shapes it is; all but ideal_sectors.
Footprint measure_shape(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  if (lanes == kAllLanes) {
    const std::uint64_t stride = address[1] - address[0];
    if ((stride == bytes || stride == 0) && has_stride(address, stride)) {
      return measure_run(address[0], address[kWarpSize - 1] + bytes);
    }
  }
  return measure_irregular(address, lanes, bytes);
}

}  // namespace

Footprint measure(const std::uint64_t* address, LaneMask lanes, std::uint32_t bytes) {
  Footprint out = measure_shape(address, lanes, bytes);
  out.ideal_sectors = (out.useful_bytes + kSectorBytes - 1) / kSectorBytes;
  return out;
}

Footprint measure_closely(const WarpAccess& access) {
  Footprint out = measure(access.address, access.lanes, access.bytes);
  if (access.kind == AccessKind::atomic) out.sectors = atomic_sectors(access.address, access.lanes);
  return out;
}

std::uint32_t atomic_sectors(const std::uint64_t* address, LaneMask lanes) {
  if (surely_different(address, lanes, kSectorShift)) return lane_count(lanes);
  std::uint32_t sectors = 0;
  for_each_group(
      lanes, [&](int lane) { return address[lane] >> kSectorShift; },
      [&](LaneMask here) { sectors += max_lanes_on_one_address(address, here); });
  return sectors;
}

std::uint32_t max_lanes_on_one_address(const std::uint64_t* address, LaneMask lanes) {
  if (surely_different(address, lanes, 0)) return 1;
  std::uint32_t most = 0;
  while (lane_count(lanes) > most) {
    const std::uint64_t wanted = address[std::countr_zero(lanes)];
    std::uint32_t here = 0;
    for_each_lane(lanes, [&](int lane) {
      if (address[lane] != wanted) return;
      ++here;
      lanes &= ~(LaneMask{1} << lane);
    });
    most = std::max(most, here);
  }
  return most;
}

std::uint32_t bulk_sectors(std::uint64_t address, std::uint32_t bytes) {
  std::uint32_t sectors = 0;
  for (const std::uint64_t end = address + bytes; address < end; address += kLineBytes)
    sectors += static_cast<std::uint32_t>((std::min(address + kLineBytes, end) - 1) / kSectorBytes -
                                          address / kSectorBytes + 1);
  return sectors;
}

}  // namespace fusebox::sim
