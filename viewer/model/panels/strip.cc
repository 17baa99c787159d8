#include "viewer/model/panels/strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "grader/report/hardware.h"
#include "viewer/model/panels/listing.h"

namespace fusebox::view {
namespace {

void take_apart(StripAccess& access) {
  std::set<std::int64_t> sectors, lines, touched;
  for (const std::int64_t offset : access.offsets) {
    if (offset < 0) continue;
    ++access.active;
    for (std::int64_t byte = offset; byte < offset + access.bytes; ++byte) {
      touched.insert(byte);
      sectors.insert(byte / kSectorBytes);
      lines.insert(byte / 128);
    }
  }
  access.useful_bytes = touched.size();
  access.sectors.assign(sectors.begin(), sectors.end());
  access.lines.assign(lines.begin(), lines.end());
  access.ideal_sectors = (touched.size() + kSectorBytes - 1) / kSectorBytes;
  if (!access.shared) return;

  const std::size_t group = access.bytes > 8 ? 8 : access.bytes > 4 ? 16 : kWarpSize;
  access.words_of_bank.assign(32, 0);
  for (std::size_t first = 0; first < access.offsets.size(); first += group) {
    std::vector<std::set<std::int64_t>> words(32);
    for (std::size_t lane = first; lane < std::min(first + group, access.offsets.size()); ++lane) {
      if (access.offsets[lane] < 0) continue;
      for (std::int64_t word = access.offsets[lane] / 4; word * 4 < access.offsets[lane] + access.bytes;
           ++word)
        words[static_cast<std::size_t>(word % 32)].insert(word);
    }
    std::size_t busiest = 0;
    for (std::size_t bank = 0; bank < 32; ++bank) {
      busiest = std::max(busiest, words[bank].size());
      access.words_of_bank[bank] = std::max(access.words_of_bank[bank], static_cast<int>(words[bank].size()));
    }
    access.wavefronts += busiest;
    access.ideal_wavefronts += busiest > 0;
  }
}

}  // namespace

std::vector<StripAccess> accesses_of(const Book& book) {
  std::vector<StripAccess> accesses;
  std::unordered_map<std::string, std::size_t> seen;
  const Listing mine = listing_of(book, true), theirs = listing_of(book, false);
  for (const Side& side : sides_of(book)) {
    const Listing& listing = side.label == "you" ? mine : theirs;
    for (std::size_t index = 0; index < side.run->launches.size(); ++index) {
      const LaunchRecord& launch = side.run->launches[index];
      for (const AccessSample& sample : launch.samples) {
        if (sample.offsets.empty() || sample.offsets.size() > kWarpSize || sample.bytes == 0 ||
            sample.bytes > 64)
          continue;
        StripAccess access;
        access.run = side.name, access.label = side.label, access.entry = side.entry;
        access.kernel = launch.kernel, access.launch = index;
        access.file = std::filesystem::path(sample.file).filename().string();
        access.line = sample.line;
        access.shared = sample.space == "shared";
        access.kind = sample.kind;
        access.tensor = sample.tensor;
        access.bytes = sample.bytes;
        access.block = sample.block, access.warp = sample.warp, access.requests = sample.requests;
        access.offsets = sample.offsets;
        // No memory is this large: a damaged report.
        for (std::int64_t& offset : access.offsets)
          if (offset < 0 || offset > std::int64_t{1} << 56) offset = -1;
        if (access.file == listing.title && sample.line >= 1 &&
            sample.line <= static_cast<int>(listing.lines.size())) {
          const ListingLine& line = listing.lines[static_cast<std::size_t>(sample.line) - 1];
          const std::size_t begin = line.text.find_first_not_of(' ');
          access.code = begin == std::string::npos ? "" : line.text.substr(begin);
          access.reveals = side.label != "you" && !book.other && line.hidden;
        }
        take_apart(access);
        // A loop that the compiler unrolled makes one instruction many.
        const auto [known, fresh] = seen.try_emplace(
            fmt::format("{}\n{}\n{}\n{} {} {} {} {} {} {} {}", access.run, access.kernel, access.tensor,
                        access.line, access.kind, access.shared, access.bytes, access.active,
                        access.sectors.size(), access.lines.size(), access.wavefronts),
            accesses.size());
        if (!fresh) {
          accesses[known->second].requests += access.requests;
          continue;
        }
        accesses.push_back(std::move(access));
      }
    }
  }
  // Among equals the learner's own, then global memory with all its lanes, says most.
  const auto order = [](const StripAccess& a) {
    const double waste = waste_of(a);
    return waste > 0 ? std::tuple(waste, a.label == "you", !a.shared, a.active)
                     : std::tuple(0.0, a.label == "you", !a.shared, 0);
  };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](const auto& a, const auto& b) { return order(a) > order(b); });
  return accesses;
}

double waste_of(const StripAccess& access) {
  const std::size_t made = access.shared ? access.wavefronts : access.sectors.size();
  const std::size_t ideal = access.shared ? access.ideal_wavefronts : access.ideal_sectors;
  return made > ideal ? static_cast<double>(made - ideal) * static_cast<double>(access.requests) : 0;
}

std::string advice_for(const StripAccess& access) {
  if (access.shared) {
    if (access.wavefronts <= access.ideal_wavefronts)
      return "No bank conflict: every bank gives at most one word at a time.";
    const auto busiest = std::max_element(access.words_of_bank.begin(), access.words_of_bank.end());
    return fmt::format(
        "Bank {} has to give {} different words, one after the other: pad the rows, or let the lanes of a warp walk along a row.",
        busiest - access.words_of_bank.begin(), *busiest);
  }
  if (access.sectors.size() <= access.ideal_sectors)
    return "As few sectors as these bytes can be fetched with.";
  if (access.active == 1)
    return "One lane alone moves a whole sector for its few bytes: let neighbouring lanes do this together.";
  if (access.sectors.size() == access.ideal_sectors + 1)
    return "The bytes do not begin at a sector: one more than needed is moved.";
  return fmt::format("{:.1f} times the sectors needed: let neighbouring lanes take neighbouring elements.",
                     static_cast<double>(access.sectors.size()) /
                         static_cast<double>(std::max<std::size_t>(access.ideal_sectors, 1)));
}

std::string to_text(const std::vector<StripAccess>& accesses) {
  std::string text;
  for (const StripAccess& a : accesses) {
    text += fmt::format("{} {}:{} {} {} of {} bytes, {} lanes, {} like it: ", a.run, a.kernel, a.line,
                        a.shared ? "shared" : a.tensor, a.kind, a.bytes, a.active, a.requests);
    text += a.shared ? fmt::format("{} wavefronts, ideal {}\n", a.wavefronts, a.ideal_wavefronts)
                     : fmt::format("{} sectors in {} lines, ideal {}\n", a.sectors.size(), a.lines.size(),
                                   a.ideal_sectors);
  }
  return text;
}

}  // namespace fusebox::view
