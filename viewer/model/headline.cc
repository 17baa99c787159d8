#include "viewer/model/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/report/hardware.h"
#include "grader/report/text/format.h"

namespace fusebox::view {
namespace {

std::string counted(std::uint64_t count, const char* word, const char* ending = "s") {
  return fmt::format("{} {}{}", format_count(count), word, count == 1 ? "" : ending);
}

/// "your fused", "the reference's unfused"; of a puzzle with one entry "your file" and "the reference".
std::string whose(const std::string& name, const std::string& label) {
  const std::size_t cut = name.find(" · ");
  const std::string entry = cut == std::string::npos ? "" : name.substr(0, cut);
  if (label == "you") return entry.empty() ? "your file" : "your " + entry;
  return entry.empty() ? "the reference" : "the reference's " + entry;
}

/// The learner's one of the last entry, else the reference's.
template <class Row, class Label>
const Row* last_of(const std::vector<Row>& rows, Label label) {
  const Row* found = nullptr;
  for (const bool mine : {true, false}) {
    for (const Row& row : rows)
      if ((label(row) == "you") == mine) found = &row;
    if (found) return found;
  }
  return found;
}

}  // namespace

std::string headline_of_bytes(const Book& book) {
  const auto& full = book.report.full_size;
  if (!full) return "";
  return book.full_size || full->counted_sentence.empty() ? full->sentence : full->counted_sentence;
}

std::string headline_of(const Book& book, const LaunchesModel& launches) {
  const auto& entries = book.report.entries;
  const auto lane_of = [&](const std::string& entry) -> const Lane* {
    const Lane* found = nullptr;
    for (const Side& side : sides_of(book))
      for (const Lane& lane : launches.lanes)
        if (lane.name == side.name && side.entry == entry && (!found || lane.label == "you")) found = &lane;
    return found;
  };
  if (entries.empty()) return "";
  const Lane *last = lane_of(entries.back().entry), *first = lane_of(entries.front().entry);
  if (!last) return "";
  std::string text = fmt::format("{} makes {}", capitalised(whose(last->name, last->label)),
                                 counted(last->boxes.size(), "launch", "es"));
  const bool timed = launches.all_timed;
  if (timed) text += " in " + format_seconds(last->seconds);
  if (first && first != last) {
    text += fmt::format(", where {} makes {}", whose(first->name, first->label),
                        format_count(first->boxes.size()));
    if (timed) text += " in " + format_seconds(first->seconds);
    std::uint64_t between = 0;
    for (const BufferSpan& span : first->spans) between += span.bytes;
    if (between > 0)
      text += fmt::format(", with {} of tensors in between", format_bytes(static_cast<double>(between)));
  }
  return text + ".";
}

std::string headline_of(const std::vector<TimeRow>& times) {
  const TimeRow* row = last_of(times, [](const TimeRow& each) { return each.label; });
  if (!row || !row->seconds || !std::isfinite(*row->seconds) || !(row->floor_seconds > 0)) return "";
  const double floors = *row->seconds / row->floor_seconds;
  std::string text =
      fmt::format("{} takes {}, {}", capitalised(whose(row->name, row->label)), format_seconds(*row->seconds),
                  floors < 1.05 ? "which is its floor" : fmt::format("{:.1f} times its floor", floors));
  if (!row->bound_by.empty()) text += ": bound by " + row->bound_by;
  if (!row->next.empty()) text += ", and then by " + row->next;
  return text + ".";
}

std::string headline_of(const std::vector<StripAccess>& accesses) {
  if (accesses.empty()) return "";
  const StripAccess& worst = accesses.front();
  if (waste_of(worst) == 0) return "Every access that was sampled moves as little as it can.";
  if (worst.shared)
    return fmt::format("Line {} of {} makes {} of shared memory where {} would do.", worst.line, worst.kernel,
                       counted(worst.wavefronts, "wavefront"), worst.ideal_wavefronts);
  return fmt::format("Line {} of {} asks for {} of {} where {} would do.", worst.line, worst.kernel,
                     counted(worst.sectors.size(), "sector"), worst.tensor.empty() ? "memory" : worst.tensor,
                     worst.ideal_sectors);
}

std::string headline_of(const Listing& mine, const Listing& theirs) {
  const Listing& shown = mine.traffic ? mine : theirs;
  const auto most =
      std::max_element(shown.lines.begin(), shown.lines.end(),
                       [](const ListingLine& a, const ListingLine& b) { return a.sectors < b.sectors; });
  if (most == shown.lines.end() || most->sectors == 0) return "";
  std::string text = fmt::format(
      "Line {} of {} requests {}, {} of all bytes", most - shown.lines.begin() + 1,
      mine.traffic ? "your file" : "the reference", format_bytes(32.0 * static_cast<double>(most->sectors)),
      format_value(Unit::ratio, static_cast<double>(most->sectors) / static_cast<double>(shown.all_sectors)));
  if (most->ideal_sectors > 0 && most->sectors > most->ideal_sectors + most->ideal_sectors / 10)
    text += fmt::format(", {:.1f} times the ideal",
                        static_cast<double>(most->sectors) / static_cast<double>(most->ideal_sectors));
  return text + ".";
}

std::string headline_of(const RooflineModel& roofline) {
  const RooflinePoint* slowest = nullptr;
  for (const bool mine : {true, false}) {
    for (const RooflinePoint& point : roofline.points)
      if ((point.label == "you") == mine && point.seconds && point.rate && point.roof > 0 &&
          (!slowest || *point.seconds > *slowest->seconds))
        slowest = &point;
    if (slowest) break;
  }
  if (!slowest || !std::isfinite(*slowest->rate)) return "";
  const bool memory = slowest->intensity < roofline.ridge;
  std::string text =
      fmt::format("{} does {:.3g} operations per byte, so {} is its roof; it reaches {} of that",
                  slowest->kernel, slowest->intensity, memory ? "the memory" : "the arithmetic",
                  format_value(Unit::ratio, *slowest->rate / slowest->roof));
  if (!slowest->bound_by.empty()) text += ", bound by " + slowest->bound_by;
  return text + ".";
}

std::string headline_of(const std::vector<OccupancyRow>& rows, const GpuNumbers& gpu) {
  const OccupancyRow* row =
      last_of(rows, [](const OccupancyRow& each) { return each.run.ends_with("you") ? "you" : ""; });
  if (!row || gpu.sms <= 0 || row->blocks == 0) return "";
  if (row->occupancy.blocks_per_sm == 0)
    return fmt::format("{} does not fit on an SM: {}.", row->kernel, row->occupancy.limited_by);
  const std::string warps =
      fmt::format("{} of {} warps", row->resident_warps, gpu.max_threads_per_sm / kWarpSize);
  if (row->sms < static_cast<std::uint64_t>(gpu.sms))
    return fmt::format("{} has blocks for {} of {} SMs, with {} on each: the others have nothing to do.",
                       row->kernel, row->sms, gpu.sms, warps);
  return fmt::format("{} fills all {} SMs with {} each, {:.1f} times over.", row->kernel, gpu.sms, warps,
                     row->waves);
}

}  // namespace fusebox::view
