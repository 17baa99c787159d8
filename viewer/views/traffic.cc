#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

struct Series {
  const char* name;
  const char* id;
  const char* description;
  ImU32 colour;
  std::optional<double> TrafficRow::*value;
  std::optional<double> TrafficRow::*before;
};

/// Which of the learner's runs are missing, and why.
void say_missing(Panel& p) {
  for (const EntryReport& entry : p.book.report.entries) {
    const std::string why = why_not_counted(p.book, entry.entry);
    if (why.empty() || p.book.origin == Origin::recording) continue;
    p.muted((p.book.report.entries.size() > 1 ? entry.entry + ": " : std::string()) +
            "no numbers of yours yet: " + why + ".");
    p.space(12);
  }
}

/// The three numbers of each run.
std::array<Series, 3> series_of(const Theme& theme) {
  return {
      {{"requested", "requested", "32 bytes for every sector that a warp asked for, caches or not. Counted.",
        theme.requested, &TrafficRow::requested, &TrafficRow::before_requested},
       {"compulsory", "compulsory",
        "32 bytes for every distinct sector of each launch: what no cache can save. Counted.",
        theme.compulsory, &TrafficRow::compulsory, &TrafficRow::before_compulsory},
       {"DRAM", "dram", "Read and written, by the cache model.", theme.dram, &TrafficRow::dram,
        &TrafficRow::before_dram}}};
}

void draw_totals_key(Panel& p, const TrafficModel& model) {
  Ui& ui = p.ui;
  float key = p.x;
  for (const Series& s : series_of(ui.theme))
    key = draw_key(ui, key, p.y, s.colour, Look::solid,
                   s.id == std::string("dram") ? std::string("DRAM, ") + model.dram_source
                                               : std::string(s.name) + ", counted");
  if (model.least) {
    ui.vertical(key + ui.px(2), p.y - ui.px(7), p.y + ui.px(7), ui.theme.ink, 2);
    ui.text(Font::small, key + ui.px(10), p.y, ui.theme.muted, "what any kernel must move");
    key += ui.px(26) + ui.width(Font::small, "what any kernel must move");
  }
  if (p.book.before) {
    ui.ghost({key, p.y - ui.px(5), ui.px(16), ui.px(10)});
    ui.text(Font::small, key + ui.px(22), p.y, ui.theme.muted, "the run before");
  }
  p.space(18);
}

void draw_total(Panel& p, const TrafficModel& model, const TrafficRow& row, const Series& s, const Axis& axis,
                float y, const std::string& kind) {
  Ui& ui = p.ui;
  const Rect rect = draw_bar(ui, axis, y, ui.px(13),
                             {row.*s.value, Unit::bytes, s.colour, side_look(row.label), row.*s.before});
  if (!ui.mark(kind, row.name + "." + s.id, rect)) return;
  Tip tip{row.name + ": " + s.name, {}, s.description};
  tip.lines = {{"bytes", format_value(Unit::bytes, row.*s.value)}};
  if (row.*s.value && std::isfinite(*(row.*s.value)))
    tip.lines.push_back({"exactly", format_value(Unit::count, row.*s.value)});
  if (model.least && row.*s.value && *model.least > 0)
    tip.lines.push_back(
        {"of what any kernel must move", format_value(Unit::per_request, *(row.*s.value) / *model.least)});
  if (row.*s.before) tip.lines.push_back({"the run before", format_value(Unit::bytes, row.*s.before)});
  if (s.id == std::string("dram")) tip.note += " " + model.dram_source + ".";
  ui.tip(std::move(tip));
}

/// Three bars for each run, on one axis. `kind`: of the marks.
void draw_totals(Panel& p, const TrafficModel& model, const std::string& kind) {
  Ui& ui = p.ui;
  float names = 0;
  for (const TrafficRow& row : model.rows) names = std::max(names, ui.width(Font::body, row.name));
  names = std::min(names + ui.px(18), p.width * 0.42f);
  const Axis axis{0, axis_end(model.largest), false, p.x + names, p.right() - ui.px(76)};
  const float group = 3 * ui.px(16) + ui.px(12), bottom = p.y + group * static_cast<float>(model.rows.size());
  draw_axis(ui, axis, p.y, bottom, axis_format(Unit::bytes), true);
  const float top = p.y;
  for (const TrafficRow& row : model.rows) {
    ui.text_fit(Font::body, p.x, p.y + group / 2 - ui.px(3), names - ui.px(8), ui.theme.ink, row.name);
    float y = p.y + ui.px(3);
    for (const Series& s : series_of(ui.theme)) {
      draw_total(p, model, row, s, axis, y, kind);
      y += ui.px(16);
    }
    p.y += group;
  }
  if (model.least) ui.vertical(axis.at(*model.least), top, bottom, ui.theme.ink);
  p.space(34);
}

/// Full size first, the counted case beside it on an axis of its own.
void draw_both_totals(Panel& p) {
  const bool two = !p.models.counted.rows.empty();
  const bool beside = two && p.width > p.ui.px(900);
  const float gap = p.ui.px(40), large = beside ? (p.width - gap) * 0.62f : p.width;
  Panel left = p.part(p.x, p.y, large);
  left.heading("Bytes", two ? size_text(p.book) : "your bars are solid, the reference's hatched");
  say_missing(left);
  const float top = p.y;
  draw_totals_key(left, p.models.traffic);
  draw_totals(left, p.models.traffic, "bar");
  p.y = left.y;
  if (!two) return;
  Panel right = p.part(beside ? left.right() + gap : p.x, beside ? top : left.y,
                       beside ? p.width - large - gap : p.width);
  right.heading("The counted case", "an axis of its own");
  if (beside) right.y = std::max(right.y, top + p.ui.px(48));
  draw_totals(right, p.models.counted, "counted");
  p.y = std::max(left.y, right.y);
}

void draw_cell(Panel& p, const LedgerRow& row, const Side& side, const LedgerCell& cell, float x, float width,
               std::uint64_t largest) {
  Ui& ui = p.ui;
  const float half = width / 2;
  const struct {
    const char* id;
    std::uint64_t requested, compulsory;
  } parts[] = {{"read", cell.requested_read, cell.compulsory_read},
               {"written", cell.requested_write, cell.compulsory_write}};
  for (int i = 0; i < 2; ++i) {
    const float left = x + half * static_cast<float>(i) + ui.px(8), right = left + half - ui.px(18);
    const auto& part = parts[i];
    const std::uint64_t bytes = p.state.bytes == 0 ? part.compulsory : part.requested;
    ui.text_right(Font::body, right, p.y + ui.px(12), bytes ? ui.theme.ink : ui.theme.faint,
                  passes_text(bytes, row.bytes));
    if (bytes && largest) {
      const double share = static_cast<double>(bytes) / static_cast<double>(largest);
      const float length = std::max(ui.px(2), (right - left) * static_cast<float>(share));
      ui.fill({right - length, p.y + ui.px(22), length, ui.px(5)},
              p.state.bytes == 0 ? ui.theme.compulsory : ui.theme.requested);
    }
    if (!cell.touched) continue;
    const std::string id = p.book.report.entries.size() > 1 || side.label != "you"
                               ? row.tensor + "." + side.entry + "." + side.label + "." + part.id
                               : row.tensor + "." + part.id;
    const bool hot = ui.mark("bar", id, {left, p.y, half - ui.px(12), ui.px(30)});
    if (ui.clicked()) p.state.choose(select_tensor(p.models.accesses, row.tensor, side.name));
    if (hot) {
      Tip tip{row.tensor + " " + part.id + ", " + side.name,
              {},
              "In bytes, and as passes over the tensor. Counted."};
      tip.lines = {{"requested", format_bytes(static_cast<double>(part.requested)) + ", " +
                                     passes_text(part.requested, row.bytes)},
                   {"compulsory", format_bytes(static_cast<double>(part.compulsory)) + ", " +
                                      passes_text(part.compulsory, row.bytes)},
                   {"the tensor's size", format_bytes(static_cast<double>(row.bytes))}};
      ui.tip(std::move(tip));
    }
  }
}

/// Where the ledger's columns stand; those of the sides begin at `begin`, `side` apart.
struct LedgerColumns {
  float names, size, remark, begin, side, end;
  float at(std::size_t i) const { return begin + side * static_cast<float>(i); }
};

LedgerColumns columns_of(const Panel& p, const Ledger& ledger) {
  const Ui& ui = p.ui;
  float names = ui.px(70);
  for (const LedgerRow& row : ledger.rows)
    names = std::max(names, ui.width(Font::body, row.tensor) + ui.px(14));
  names = std::min(names, p.width * 0.2f);
  const float size = ui.px(80), remark = ui.px(160);
  const float sides = static_cast<float>(std::max<std::size_t>(ledger.columns.size(), 1));
  const float side = std::clamp((p.width - names - size - remark) / sides, ui.px(96), ui.px(220));
  const float begin = p.x + names + size + ui.px(14);
  return {names, size, remark, begin, side, begin + side * sides};
}

void draw_ledger_head(Panel& p, const Ledger& ledger, const LedgerColumns& columns) {
  Ui& ui = p.ui;
  ui.text(Font::small, p.x, p.y + ui.px(22), ui.theme.muted, "tensor");
  ui.text_right(Font::small, p.x + columns.names + columns.size, p.y + ui.px(22), ui.theme.muted, "size");
  for (std::size_t i = 0; i < ledger.columns.size(); ++i) {
    const float left = columns.at(i), right = left + columns.side - ui.px(10);
    const float room = columns.side - ui.px(16), full = ui.width(Font::small, ledger.columns[i].name);
    ui.text_fit(Font::small, right - std::min(full, room), p.y + ui.px(6), room, ui.theme.ink,
                ledger.columns[i].name);
    ui.text_right(Font::small, left + columns.side / 2 - ui.px(10), p.y + ui.px(22), ui.theme.muted, "read");
    ui.text_right(Font::small, right, p.y + ui.px(22), ui.theme.muted, "written");
  }
  p.space(34);
}

/// `largest`: bytes of the longest bar.
void draw_ledger_row(Panel& p, const Ledger& ledger, const LedgerRow& row, const LedgerColumns& columns,
                     std::uint64_t largest) {
  Ui& ui = p.ui;
  const float right = std::min(columns.end + columns.remark, p.right());
  ui.hairline(p.x, right, p.y - ui.px(1), ui.theme.hairline);
  if (!row.remark.empty())
    ui.fill({p.x, p.y, right - p.x, ui.px(32)}, faded(row.good ? ui.theme.good : ui.theme.bad, 0.10f));
  if (row.tensor == p.selection().tensor) ui.chosen({p.x - ui.px(8), p.y, right - p.x + ui.px(8), ui.px(32)});
  const bool cut =
      ui.text_fit(Font::body, p.x, p.y + ui.px(15), columns.names - ui.px(6), ui.theme.ink, row.tensor);
  if (ui.mark("tensor", row.tensor, {p.x, p.y, columns.names, ui.px(30)}))
    ui.tip({cut ? row.tensor : "", {}, "Click: its launches, accesses and lines are marked in every panel."});
  if (ui.clicked()) p.state.choose(select_tensor(p.models.accesses, row.tensor));
  ui.text_right(Font::body, p.x + columns.names + columns.size, p.y + ui.px(15), ui.theme.muted,
                format_bytes(static_cast<double>(row.bytes)));
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    draw_cell(p, row, ledger.columns[i], row.cells[i], columns.at(i), columns.side, largest);
  if (!row.remark.empty())
    ui.text_fit(Font::small, columns.end + ui.px(4), p.y + ui.px(15), columns.remark,
                row.good ? ui.theme.good : ui.theme.bad, "← " + row.remark);
  p.y += ui.px(33);
}

void draw_ledger(Panel& p) {
  Ui& ui = p.ui;
  const Ledger& ledger = p.models.traffic.ledger;
  if (ledger.rows.empty()) return;
  p.heading("Ledger", p.state.bytes == 0
                          ? "passes over each tensor that no cache can save; bars: bytes"
                          : "passes over each tensor that the warps asked for, caches or not; bars: bytes");
  p.state.bytes = ui.choice("bytes", {"compulsory", "requested"}, p.state.bytes, p.x, p.y + ui.px(8));
  p.space(30);
  const LedgerColumns columns = columns_of(p, ledger);
  draw_ledger_head(p, ledger, columns);
  std::uint64_t largest = 0;
  for (const LedgerRow& row : ledger.rows)
    for (const LedgerCell& cell : row.cells)
      largest = p.state.bytes == 0 ? std::max({largest, cell.compulsory_read, cell.compulsory_write})
                                   : std::max({largest, cell.requested_read, cell.requested_write});
  for (const LedgerRow& row : ledger.rows) draw_ledger_row(p, ledger, row, columns, largest);
  p.space(22);
}

void draw_waterfall(Panel& p) {
  Ui& ui = p.ui;
  const Waterfall& waterfall = p.models.waterfall[p.state.bytes];
  if (waterfall.from.empty()) return;
  p.heading("From " + waterfall.from + " to " + waterfall.to,
            std::string(p.state.bytes == 0 ? "compulsory" : "requested") +
                " bytes that each tensor adds or saves; the steps sum exactly");
  float names = std::max(ui.width(Font::body, waterfall.from), ui.width(Font::body, waterfall.to));
  for (const Step& step : waterfall.steps) names = std::max(names, ui.width(Font::body, step.tensor));
  names = std::min(names + ui.px(18), p.width * 0.3f);
  double largest = static_cast<double>(waterfall.start), running = largest;
  for (const Step& step : waterfall.steps)
    largest = std::max(largest, running += static_cast<double>(step.delta));
  const Axis axis{0, axis_end(largest), false, p.x + names, p.right() - ui.px(100)};
  const float row = ui.px(24), bar = ui.px(15);
  draw_axis(ui, axis, p.y, p.y + row * static_cast<float>(waterfall.steps.size() + 2),
            axis_format(Unit::bytes), true);
  const auto total = [&](const std::string& name, const char* id, std::uint64_t value) {
    ui.text_fit(Font::body, p.x, p.y + row / 2, names - ui.px(8), ui.theme.ink, name);
    const Rect rect = draw_bar(ui, axis, p.y + (row - bar) / 2, bar,
                               {static_cast<double>(value), Unit::bytes,
                                p.state.bytes == 0 ? ui.theme.compulsory : ui.theme.requested});
    if (ui.mark("step", id, rect))
      ui.tip({name,
              {{"bytes", format_bytes(static_cast<double>(value))}, {"exactly", format_count(value)}},
              ""});
    p.y += row;
  };
  total(waterfall.from, "start", waterfall.start);
  std::uint64_t at = waterfall.start;
  for (const Step& step : waterfall.steps) {
    const float before = axis.at(static_cast<double>(at));
    at += static_cast<std::uint64_t>(step.delta);
    const float after = axis.at(static_cast<double>(at)), left = std::min(before, after);
    const Rect rect{left, std::floor(p.y + (row - bar) / 2), std::max(std::abs(after - before), ui.px(2)),
                    bar};
    const ImU32 colour = step.delta < 0 ? ui.theme.good : ui.theme.bad;
    ui.fill(rect, faded(colour, 0.85f));
    if (step.delta > 0) ui.hatch(rect, faded(ui.theme.panel, 0.6f));
    ui.vertical(after, rect.bottom(), rect.bottom() + row - bar, ui.theme.faint);
    if (step.tensor == p.selection().tensor) ui.chosen({p.x - ui.px(8), p.y, p.width + ui.px(8), row});
    ui.text_fit(Font::body, p.x, p.y + row / 2, names - ui.px(8), ui.theme.ink, step.tensor);
    const std::string sign = step.delta < 0 ? "−" : "+";
    ui.text(Font::small, rect.right() + ui.px(6), p.y + row / 2, colour,
            sign + format_bytes(std::abs(static_cast<double>(step.delta))));
    if (ui.mark("step", step.tensor, {rect.x, rect.y, std::max(rect.w, ui.px(24)), rect.h}))
      ui.tip({step.tensor,
              {{step.delta < 0 ? "saved" : "added", format_bytes(std::abs(static_cast<double>(step.delta)))},
               {"exactly", format_value(Unit::count, std::abs(static_cast<double>(step.delta)))}},
              ""});
    if (ui.clicked()) p.state.choose(select_tensor(p.models.accesses, step.tensor));
    p.y += row;
  }
  total(waterfall.to, "end", waterfall.end);
  p.space(34);
}

}  // namespace

void draw_traffic(Panel& p) {
  if (p.models.traffic.rows.empty()) {
    p.nothing("No traffic was counted", why_empty(p.book));
    return;
  }
  draw_size_choice(p);
  draw_headline(p, p.models.of_bytes);
  draw_both_totals(p);
  // Where there is room the waterfall stands beside the ledger.
  const bool beside = p.width > p.ui.px(1700);
  const float gap = p.ui.px(56);
  Panel ledger = beside ? p.part(p.x, p.y, (p.width - gap) / 2) : p;
  draw_ledger(ledger);
  Panel waterfall = beside ? p.part(ledger.right() + gap, p.y, ledger.width) : p.part(p.x, ledger.y, p.width);
  draw_waterfall(waterfall);
  p.y = std::max(ledger.y, waterfall.y);
}

}  // namespace fusebox::view
