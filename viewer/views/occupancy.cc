#include <fmt/format.h>

#include <algorithm>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

constexpr const char* kHeads[] = {"blocks", "SMs used",    "threads", "registers",
                                  "shared", "blocks / SM", "waves"};
constexpr int kColumns = 7;

/// Where things stand in a row: the name, the bar with its words, the numbers.
struct Columns {
  float bars = 0, bar_width = 0, words = 0, first = 0, column = 0, end = 0;
  int columns = kColumns;  ///< for which there is room
};

Columns places_of(Panel& p) {
  Ui& ui = p.ui;
  float names = ui.px(120);
  for (const OccupancyRow& row : p.models.occupancy)
    names = std::max(names, ui.width(Font::body, row.kernel) + ui.px(16));
  names = std::min(names, p.width * 0.24f);
  Columns at;
  at.column = ui.px(p.width > ui.px(1300) ? 92.0f : 72.0f);
  at.bars = p.x + names;
  at.words = ui.px(176);
  at.bar_width = std::clamp(p.width - names - at.column * kColumns - at.words, ui.px(60), ui.px(620));
  at.first = at.bars + at.bar_width + at.words;
  at.columns = std::clamp(static_cast<int>((p.right() - at.first) / at.column), 2, kColumns);
  at.end = at.first + at.column * static_cast<float>(at.columns);
  return at;
}

/// Filled: the warps that are there; outlined: those that would fit.
void draw_warps(Panel& p, const OccupancyRow& row, const Columns& at, float middle, double most) {
  Ui& ui = p.ui;
  const bool mine = row.run.ends_with("you");
  const ImU32 colour = mine ? ui.theme.you : ui.theme.reference;
  const Axis axis{0, most, false, at.bars, at.bars + at.bar_width};
  ui.fill({at.bars, middle - ui.px(8), at.bar_width, ui.px(16)}, ui.theme.raised, ui.px(2));
  const float fits = axis.at(static_cast<double>(row.occupancy.warps_per_sm)) - at.bars;
  const Rect bar{at.bars, middle - ui.px(8), axis.at(static_cast<double>(row.resident_warps)) - at.bars,
                 ui.px(16)};
  ui.fill({bar.x, bar.y, fits, bar.h}, faded(colour, 0.14f));
  ui.fill(bar, faded(colour, mine ? 1 : 0.45f));
  if (!mine) ui.hatch(bar, ui.theme.reference);
  if (fits > 1) ui.frame({bar.x, bar.y, fits - 1, bar.h - 1}, colour);
  const float words = at.bars + at.bar_width + ui.px(10);
  ui.text(Font::body, words, middle - ui.px(7), ui.theme.ink,
          fmt::format("{} of {:.0f} warps", row.resident_warps, most));
  ui.text(Font::small, words, middle + ui.px(9), ui.theme.muted,
          row.occupancy.blocks_per_sm == 0
              ? "does not fit: " + row.occupancy.limited_by
              : fmt::format("{} fit, by {}", row.occupancy.warps_per_sm, row.occupancy.limited_by));
}

void draw_row(Panel& p, const OccupancyRow& row, const Columns& at, const GpuNumbers& gpu, double most) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(18);
  const Rect whole{p.x, p.y, std::min(at.end, p.right()) - p.x, ui.px(36)};
  if (row.run == p.selection().run && row.kernel == p.selection().kernel)
    ui.chosen({whole.x - ui.px(8), whole.y, whole.w + ui.px(8), whole.h});
  ui.text_fit(Font::body, p.x, middle, at.bars - p.x - ui.px(10), ui.theme.ink, row.kernel);
  draw_warps(p, row, at, middle, most);
  const std::string values[kColumns] = {format_count(row.blocks, Digits::narrow),
                                        fmt::format("{} / {}", row.sms, gpu.sms),
                                        std::to_string(row.threads),
                                        row.registers ? std::to_string(*row.registers) : "n/a",
                                        format_bytes(static_cast<double>(row.shared_bytes)),
                                        std::to_string(row.occupancy.blocks_per_sm),
                                        fmt::format("{:.2f}", row.waves)};
  for (int i = 0; i < at.columns; ++i) {
    const bool idle = i == 1 && row.sms < static_cast<std::uint64_t>(std::max(gpu.sms, 0));
    ui.text_right(Font::body, at.first + at.column * static_cast<float>(i + 1) - ui.px(6), middle,
                  values[i] == "n/a" ? ui.theme.faint
                  : idle             ? ui.theme.bad
                                     : ui.theme.ink,
                  values[i]);
  }
  const bool hot = ui.mark("occupancy", row.run + "." + row.kernel, whole);
  if (ui.clicked()) p.state.choose(select_launch(p.book, p.models.accesses, row.run, row.launch));
  if (hot) {
    Tip tip{
        row.kernel,
        {},
        "Blocks that each limit allows on an SM; the smallest counts. A wave fills the GPU once. With fewer blocks than SMs some have nothing to do, whatever would fit."};
    for (const BlockLimit& limit : row.limits)
      tip.lines.push_back(
          {"by " + limit.name, limit.known ? std::to_string(limit.blocks) + " blocks" : "n/a"});
    tip.lines.push_back(
        {"warps that fit on an SM", fmt::format("{} of {:.0f}", row.occupancy.warps_per_sm, most)});
    tip.lines.push_back({"resident on the SM with most", std::to_string(row.resident_warps)});
    tip.lines.push_back({"SMs with a block", fmt::format("{} of {}", row.sms, gpu.sms)});
    ui.tip(std::move(tip));
  }
  p.space(36);
}

}  // namespace

void draw_occupancy(Panel& p) {
  Ui& ui = p.ui;
  const auto& rows = p.models.occupancy;
  if (p.book.report.gpus.empty() || rows.empty()) {
    p.nothing("No launch occupies an SM", why_empty(p.book));
    return;
  }
  draw_size_choice(p);
  draw_gpu_choice(p);
  draw_headline(p, p.models.of_occupancy);
  const GpuNumbers& gpu = p.book.report.gpus[p.state.gpu];
  const double most = gpu.max_threads_per_sm / 32.0;
  p.heading(
      "Occupancy on " + gpu.full_name,
      fmt::format("filled: the warps on the busiest of {} SMs; outlined: those that would fit, of {:.0f}",
                  gpu.sms, most));
  const Columns at = places_of(p);
  ui.text(Font::small, at.bars, p.y + ui.px(6), ui.theme.muted, "resident warps, and what allows no more");
  for (int i = 0; i < at.columns; ++i)
    ui.text_right(Font::small, at.first + at.column * static_cast<float>(i + 1) - ui.px(6), p.y + ui.px(6),
                  ui.theme.muted, kHeads[i]);
  p.space(18);
  std::string run;
  for (const OccupancyRow& row : rows) {
    if (row.run != run) {
      run = row.run;
      p.space(6);
      ui.text(Font::bold, p.x, p.y + ui.px(12), ui.theme.ink, run);
      p.space(26);
      ui.hairline(p.x, std::min(at.end, p.right()), p.y, ui.theme.hairline);
    }
    draw_row(p, row, at, gpu, most);
  }
  p.space(24);
}

}  // namespace fusebox::view
