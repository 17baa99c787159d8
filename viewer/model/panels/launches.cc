#include "viewer/model/panels/launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "grader/report/text/format.h"

namespace fusebox::view {
namespace {

LaunchBox box_of(const LaunchRecord& launch, std::size_t index, double start) {
  LaunchBox box;
  box.index = index;
  box.kernel = launch.kernel;
  box.grid = launch.grid;
  box.block = launch.block;
  box.start = start;
  box.source = launch.time.source;
  box.requested = launch.counters.requested_bytes();
  box.compulsory = launch.counters.compulsory_bytes();
  if (launch.model) box.bound_by = launch.model->bound_by;
  const double seconds = launch.time.value.value_or(NAN);
  if (!std::isfinite(seconds) || seconds < 0) return box;
  box.timed = true;
  box.duration = seconds;
  if (launch.model && launch.time.source == Source::modelled) {
    box.overhead = launch.model->overhead();
    box.duration = seconds - box.overhead;
  }
  return box;
}

void place_spans(Lane& lane, const SideRun& run) {
  struct Use {
    std::uint64_t bytes = 0;
    std::size_t written = SIZE_MAX, read = 0;
    bool read_first = false;
  };
  std::map<std::string, Use> uses;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    for (const TensorTraffic& t : run.launches[i].tensors) {
      auto [use, fresh] = uses.try_emplace(t.tensor);
      if (fresh)
        order.push_back(t.tensor), use->second.bytes = t.buffer_bytes,
                                   use->second.read_first = t.requested_read > 0 && t.requested_write == 0;
      if (t.requested_write > 0 && use->second.written == SIZE_MAX) use->second.written = i;
      if (t.requested_read > 0) use->second.read = std::max(use->second.read, i);
    }
  }
  std::vector<double> row_ends;
  for (const std::string& name : order) {
    const Use& use = uses[name];
    if (use.read_first || use.written == SIZE_MAX || use.read <= use.written) continue;
    BufferSpan span{name, use.bytes, use.written, use.read};
    span.from = lane.boxes[use.written].start + lane.boxes[use.written].overhead;
    span.to = lane.boxes[use.read].end();
    while (span.row < row_ends.size() && row_ends[span.row] > span.from) ++span.row;
    if (span.row == row_ends.size()) row_ends.push_back(0);
    row_ends[span.row] = span.to;
    lane.spans.push_back(std::move(span));
  }
  lane.span_rows = row_ends.size();
}

}  // namespace

LaunchesModel launches_model(const Book& book) {
  LaunchesModel model;
  for (const Side& side : sides_of(book)) {
    Lane lane;
    lane.name = side.name;
    lane.label = side.label;
    for (std::size_t i = 0; i < side.run->launches.size(); ++i) {
      lane.boxes.push_back(box_of(side.run->launches[i], i, lane.seconds));
      lane.seconds = lane.boxes.back().end();
      model.all_timed &= lane.boxes.back().timed;
      if (lane.boxes.back().timed && model.time_source.empty())
        model.time_source = source_text(lane.boxes.back().source, book.report);
    }
    place_spans(lane, *side.run);
    model.longest = std::max(model.longest, lane.seconds);
    model.lanes.push_back(std::move(lane));
  }
  return model;
}

std::string extent_text(const std::array<std::uint32_t, 3>& extent) {
  std::string text = fmt::format("{}", extent[0]);
  if (extent[1] != 1 || extent[2] != 1) text += fmt::format(" × {}", extent[1]);
  if (extent[2] != 1) text += fmt::format(" × {}", extent[2]);
  return text;
}

std::string to_text(const LaunchesModel& model) {
  std::string text;
  for (const Lane& lane : model.lanes) {
    text += fmt::format("{}: {} launches, {}\n", lane.name, lane.boxes.size(), format_seconds(lane.seconds));
    for (const LaunchBox& box : lane.boxes)
      text += fmt::format("  {} <<<{}, {}>>> {}\n", box.kernel, extent_text(box.grid), extent_text(box.block),
                          box.timed ? fmt::format("{} after {}, {}", format_seconds(box.duration),
                                                  format_seconds(box.start + box.overhead), box.bound_by)
                                    : "time n/a");
    for (const BufferSpan& span : lane.spans)
      text += fmt::format("  {}: launch {} to {}, row {}\n", span.tensor, span.written_by + 1,
                          span.read_by + 1, span.row);
  }
  return text;
}

}  // namespace fusebox::view
