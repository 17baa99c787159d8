#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

float finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? static_cast<float>(*value) : 0;
}

/// One budget: the learner's bar, the reference as a tick, the limit as a wall.
void draw_budget(Panel& p, const std::string& entry, const BudgetRow& row, float bars, float width,
                 const float* columns) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(15);
  ui.text_fit(Font::body, p.x, middle, bars - p.x - ui.px(12), ui.theme.ink, row.name);
  Axis axis{
      0,
      axis_end(std::max({finite(row.you), finite(row.reference), finite(row.limit), finite(row.before)}),
               1e-12),
      false, bars, bars + width};
  const float limit = axis.at(row.limit);
  const bool over = row.you && !row.within;
  ui.fill({bars, middle - ui.px(9), limit - bars, ui.px(18)}, faded(ui.theme.good, 0.10f));
  ui.fill({limit, middle - ui.px(9), bars + width - limit, ui.px(18)}, faded(ui.theme.bad, 0.10f));
  if (row.before && std::isfinite(*row.before) && *row.before > 0)
    ui.ghost({bars, middle - ui.px(7), axis.at(*row.before) - bars, ui.px(14)});
  if (row.you && *row.you > 0) {
    const Rect bar{bars, middle - ui.px(5), std::max(axis.at(*row.you) - bars, ui.px(2)), ui.px(10)};
    ui.fill(bar, over ? ui.theme.bad : ui.theme.you);
    if (over) ui.hatch(bar, faded(ui.theme.panel, 0.7f));
  }
  if (row.reference) {
    // A diamond, so that it is told from the limit's line without colour.
    const float at = axis.at(*row.reference), r = ui.px(5.5f);
    const ImVec2 points[] = {{at, middle - r}, {at + r, middle}, {at, middle + r}, {at - r, middle}};
    ui.draw().AddConvexPolyFilled(points, 4, ui.theme.reference);
    ui.draw().AddPolyline(points, 4, ui.theme.panel, ImDrawFlags_Closed, ui.px(1));
  }
  ui.vertical(limit, middle - ui.px(11), middle + ui.px(11), ui.theme.ink, 2);
  const auto number = [&](float right, std::optional<double> value, ImU32 colour) {
    ui.text_right(Font::body, right, middle, value ? colour : ui.theme.faint,
                  format_value(row.unit, value, Digits::narrow));
  };
  number(columns[0], row.you, over ? ui.theme.bad : ui.theme.ink);
  number(columns[1], row.reference, ui.theme.muted);
  ui.text_right(Font::body, columns[2], middle, ui.theme.muted,
                "≤ " + format_value(row.unit, row.limit, Digits::narrow));
  if (row.you)
    ui.text(Font::bold, columns[2] + ui.px(10), middle, over ? ui.theme.bad : ui.theme.good,
            over ? "✗" : "✓");
  const Rect whole{p.x, p.y, columns[2] - p.x + ui.px(26), ui.px(30)};
  if (ui.mark("budget", entry + "." + row.tag, whole)) {
    Tip tip{row.name, {}, row.description + " " + source_text(row.source, p.book.report) + "."};
    tip.lines = {{"you", format_value(row.unit, row.you)},
                 {"reference", format_value(row.unit, row.reference)},
                 {"allowed, at most", format_value(row.unit, row.limit)}};
    if (row.before) tip.lines.push_back({"the run before", format_value(row.unit, row.before)});
    ui.tip(std::move(tip));
  }
  p.y += ui.px(30);
}

void draw_budgets(Panel& p, const EntryVerdict& entry) {
  Ui& ui = p.ui;
  if (entry.budgets.empty()) return;
  float names = ui.px(90);
  for (const BudgetRow& row : entry.budgets)
    names = std::max(names, ui.width(Font::body, row.name) + ui.px(16));
  names = std::min(names, p.width * 0.3f);
  const float number = ui.px(92), sign = ui.px(26);
  const float bars = p.x + names;
  const float width = std::clamp(p.right() - bars - 3 * number - sign - ui.px(20), ui.px(80), ui.px(620));
  const float first = bars + width + ui.px(14) + number;
  const float columns[] = {first, first + number, first + 2 * number};
  const float head = p.y + ui.px(8);
  ui.text(Font::small, p.x, head, ui.theme.muted, "budget");
  float key = draw_key(ui, bars, head, ui.theme.you, Look::solid, "you");
  const float r = ui.px(5);
  const ImVec2 diamond[] = {{key + r, head - r}, {key + 2 * r, head}, {key + r, head + r}, {key, head}};
  ui.draw().AddConvexPolyFilled(diamond, 4, ui.theme.reference);
  ui.text(Font::small, key + ui.px(15), head, ui.theme.muted, "reference");
  key += ui.px(30) + ui.width(Font::small, "reference");
  ui.vertical(key, head - ui.px(7), head + ui.px(7), ui.theme.ink, 2);
  ui.text(Font::small, key + ui.px(7), head, ui.theme.muted, "limit");
  const char* names_of[] = {"you", "reference", "limit"};
  for (int i = 0; i < 3; ++i) ui.text_right(Font::small, columns[i], head, ui.theme.muted, names_of[i]);
  p.y += ui.px(20);
  ui.hairline(p.x, columns[2] + sign, p.y, ui.theme.hairline);
  p.space(4);
  for (const BudgetRow& row : entry.budgets) draw_budget(p, entry.entry, row, bars, width, columns);
  p.space(10);
}

/// What there is to say beyond the summary.
std::string detail_of(const CheckRow& check) {
  std::string detail = check.detail;
  if (detail.starts_with(check.summary + "\n")) detail.erase(0, check.summary.size() + 1);
  while (!detail.empty() && detail.back() == '\n') detail.pop_back();
  return detail;
}

/// `open`: with its detail from the start; otherwise a click shows it.
void draw_check(Panel& p, const std::string& entry, const CheckRow& check, bool open) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(12);
  const std::string name = entry + "." + check.name, detail = detail_of(check);
  const bool foldable = check.outcome == Outcome::failed && !detail.empty();
  const bool unfolded = foldable && open != p.state.turned.contains(name);
  ui.text(Font::body, p.x, middle, colour_of(ui.theme, check.outcome), sign_of(check.outcome));
  ui.text_fit(Font::body, p.x + ui.px(22), middle, ui.px(186), ui.theme.ink, check.name);
  const float summary = p.x + ui.px(216), more = foldable ? ui.px(60) : 0;
  const bool cut =
      ui.text_fit(Font::body, summary, middle, p.right() - summary - more, ui.theme.muted, check.summary);
  const Rect row{p.x, p.y, p.width, ui.px(24)};
  const bool hot = ui.mark("check", name, row);
  if (ui.clicked() && foldable && !p.state.turned.erase(name)) p.state.turned.insert(name);
  if (foldable) {
    const float behind =
        std::min(summary + ui.width(Font::body, check.summary) + ui.px(16), p.right() - ui.px(34));
    ui.text(Font::small, behind, middle, hot ? ui.theme.ink : ui.theme.faint, unfolded ? "less" : "more");
  }
  if (hot && cut) ui.tip({check.name, {}, check.summary});
  p.y += ui.px(24);
  if (!unfolded) return;
  const float inner = std::min(p.width - ui.px(48), ui.px(900));
  const float height = ui.paragraph_height(Font::mono, inner, detail) + ui.px(14);
  ui.fill({p.x + ui.px(22), p.y, inner + ui.px(20), height}, faded(ui.theme.bad, 0.07f), ui.px(4));
  ui.fill({p.x + ui.px(22), p.y, ui.px(3), height}, ui.theme.bad);
  ui.paragraph(Font::mono, p.x + ui.px(36), p.y + ui.px(7), inner, ui.theme.ink, detail);
  p.y += height + ui.px(6);
}

void draw_entry(Panel& p, const EntryVerdict& entry, bool many, bool recorded) {
  Ui& ui = p.ui;

  const std::string title = many || entry.entry != "default" ? entry.entry : "Budgets";
  ui.text(Font::bold, p.x, p.y + ui.px(12), colour_of(ui.theme, entry.outcome), sign_of(entry.outcome));
  ui.text(Font::bold, p.x + ui.px(20), p.y + ui.px(12), ui.theme.ink, title);
  std::string note = recorded ? "" : entry.tally;
  if (!entry.counted_case.empty())
    note += (note.empty() ? "counted on " : " · counted on ") + entry.counted_case;
  ui.text(Font::small, p.x + ui.px(34) + ui.width(Font::bold, title), p.y + ui.px(12.5f), ui.theme.muted,
          note);
  p.space(30);
  draw_budgets(p, entry);
  if (!recorded) {
    bool first = true;  // the first thing that is wrong is what to look at
    for (const bool wrong : {true, false})
      for (const CheckRow& check : entry.checks)
        if ((check.outcome == Outcome::failed) == wrong)
          draw_check(p, entry.entry, check, std::exchange(first, false));
    p.space(18);
  }
}

}  // namespace

void draw_verdict(Panel& p) {
  Ui& ui = p.ui;
  const VerdictModel& model = p.models.verdict;
  const bool recorded = p.book.origin == Origin::recording;
  const ImU32 colour = recorded ? ui.theme.muted : colour_of(ui.theme, model.outcome);
  const float text_x = p.x + ui.px(58), text_width = std::min(p.right() - text_x - ui.px(16), ui.px(900));
  const float sentence = ui.paragraph_height(Font::body, text_width, model.sentence);
  const Rect box{p.x, p.y, p.width, ui.px(56) + sentence};
  ui.fill(box, faded(colour, 0.09f), ui.px(6));
  ui.fill({box.x, box.y, ui.px(4), box.h}, colour, ui.px(2));
  ui.draw().AddCircleFilled({box.x + ui.px(32), box.y + ui.px(26)}, ui.px(14), colour, 32);
  ui.text_center(Font::bold, box.x + ui.px(32), box.y + ui.px(25.5f), ui.theme.panel,
                 recorded ? "○" : sign_of(model.outcome));
  ui.text(Font::title, text_x, box.y + ui.px(26), ui.theme.ink, model.word);
  ui.paragraph(Font::body, text_x, box.y + ui.px(45), text_width, ui.theme.ink, model.sentence);
  p.y = box.bottom() + ui.px(18);

  if (!model.compiler_messages.empty()) {
    p.heading("The compiler says");
    for (const std::string& message : model.compiler_messages) {
      p.y += ui.paragraph(Font::mono, p.x, p.y, p.width, ui.theme.ink, message);
      p.space(4);
    }
    p.space(12);
  }
  // Where there is room, entries stand beside each other: unfused left, fused right.
  const bool beside = model.entries.size() > 1 && p.width > ui.px(1500);
  const float gap = ui.px(56), top = p.y;
  float bottom = top;
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    Panel part{p.ui, p.book, p.models, p.state, p.history};
    part.width = beside ? (p.width - gap) / 2 : p.width;
    part.x = p.x + (beside && i % 2 ? part.width + gap : 0);
    part.y = beside && i % 2 ? p.y : bottom;
    p.y = part.y;
    draw_entry(part, model.entries[i], model.entries.size() > 1, recorded);
    bottom = std::max(bottom, part.y);
  }
  p.y = bottom;
  if (model.entries.empty()) p.nothing("Nothing was checked", "This report holds no entry of the puzzle.");
}

}  // namespace fusebox::view
