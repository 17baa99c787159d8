#include <algorithm>
#include <cmath>

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
  const Rect whole{p.x, p.y, columns[2] - p.x + ui.px(26), ui.px(30)};
  if (p.selection().budget == row.tag) ui.chosen({whole.x - ui.px(8), whole.y, whole.w + ui.px(8), whole.h});
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
    draw_ghost(ui, axis, middle - ui.px(7), ui.px(14), *row.before, row.unit);
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
  if (ui.mark("budget", entry + "." + row.tag, whole)) {
    Tip tip{row.name,
            {},
            row.description + " " + source_text(row.source, p.book.report) + ". Click: what it counts."};
    tip.lines = {{"you", format_value(row.unit, row.you)},
                 {"reference", format_value(row.unit, row.reference)},
                 {"allowed, at most", format_value(row.unit, row.limit)}};
    if (row.before) tip.lines.push_back({"the run before", format_value(row.unit, row.before)});
    ui.tip(std::move(tip));
  }
  if (ui.clicked()) {
    BudgetLead lead = lead_of_budget(p.book, p.models.accesses, entry, row.tag);
    p.state.choose(std::move(lead.selection), lead.tab);
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

void draw_detail(Panel& p, const std::string& detail) {
  Ui& ui = p.ui;
  const float inner = std::min(p.width - ui.px(48), ui.px(900));
  const float height = ui.paragraph_height(Font::mono, inner, detail) + ui.px(14);
  ui.fill({p.x, p.y, inner + ui.px(20), height}, faded(ui.theme.bad, 0.07f), ui.px(4));
  ui.fill({p.x, p.y, ui.px(3), height}, ui.theme.bad);
  ui.paragraph(Font::mono, p.x + ui.px(14), p.y + ui.px(7), inner, ui.theme.ink, detail);
  p.y += height + ui.px(6);
}

/// A row of the list; a click unfolds what stands behind it. `open`: it is unfolded from the start.
void draw_check(Panel& p, const std::string& entry, const CheckRow& check, bool open) {
  Ui& ui = p.ui;
  const float middle = p.y + ui.px(12);
  const std::string name = entry + "." + check.name, detail = detail_of(check);
  const bool foldable = !check.rows.empty() || (check.outcome == Outcome::failed && !detail.empty());
  const bool unfolded = foldable && open != p.state.turned.contains(name);
  ui.text(Font::body, p.x, middle, colour_of(ui.theme, check.outcome), sign_of(check.outcome));
  ui.text_fit(Font::body, p.x + ui.px(22), middle, ui.px(150), ui.theme.ink, check.name);
  const float summary = p.x + ui.px(180), more = foldable ? ui.px(60) : 0;
  const bool cut =
      ui.text_fit(Font::body, summary, middle, p.right() - summary - more, ui.theme.muted, check.summary);
  const bool hot = ui.mark("check", name, {p.x, p.y, p.width, ui.px(24)});
  if (ui.clicked() && foldable && !p.state.turned.erase(name)) p.state.turned.insert(name);
  if (foldable) {
    const float behind =
        std::min(summary + ui.width(Font::body, check.summary) + ui.px(16), p.right() - ui.px(34));
    ui.text(Font::small, behind, middle, hot ? ui.theme.ink : ui.theme.faint, unfolded ? "less" : "more");
  }
  if (hot && cut) ui.tip({check.name, {}, check.summary});
  p.y += ui.px(24);
  if (!unfolded) return;
  Panel inside = p.part(p.x + ui.px(22), p.y, p.width - ui.px(22));
  for (const CheckRow& row : check.rows)
    draw_check(inside, entry, row, open && &row == check.rows.data() && row.outcome == Outcome::failed);
  if (check.rows.empty()) draw_detail(inside, detail);
  p.y = inside.y;
}

/// The line that a cause is about; a click shows it in its file.
void draw_cause_line(Panel& p, const std::string& entry, const Cause& cause) {
  Ui& ui = p.ui;
  const Rect row{p.x + ui.px(16), p.y, p.width - ui.px(24), ui.line(Font::mono) + ui.px(8)};
  const bool hot = ui.mark("cause", entry + ".line", row);
  ui.fill(row, hot ? ui.theme.hairline : ui.theme.raised, ui.px(4));
  const std::string number = std::to_string(cause.line);
  ui.text(Font::mono, row.x + ui.px(10), row.middle(), ui.theme.bad, number);
  const float code = row.x + ui.px(24) + ui.width(Font::mono, number);
  ui.text_fit(Font::mono, code, row.middle(), row.right() - code - ui.px(90), ui.theme.ink, cause.code);
  ui.text_right(Font::small, row.right() - ui.px(10), row.middle(), ui.theme.accent, "show in Source");
  if (ui.clicked()) p.state.choose(select_line(p.models.accesses, "you", cause.line), "source");
  p.y = row.bottom() + ui.px(8);
}

/// Why the entry did not pass: what the terminal says, in the same words.
void draw_cause(Panel& p, const std::string& entry, const Cause& cause) {
  Ui& ui = p.ui;
  const float top = p.y, inner = std::min(p.width - ui.px(40), ui.px(980));
  p.space(8);
  const float x = p.x + ui.px(16);
  const auto say = [&](Font font, ImU32 colour, const std::string& text) {
    if (text.empty()) return;
    p.y += ui.paragraph(font, x, p.y, inner, colour, text) + ui.px(5);
  };
  // What the verdict above says already is not said twice.
  if (p.models.verdict.sentence.find(cause.sentence) == std::string::npos)
    say(Font::body, ui.theme.ink, cause.sentence);
  if (!cause.evidence.empty()) say(Font::small, ui.theme.muted, "(" + cause.evidence + ")");
  say(Font::mono, ui.theme.ink, cause.corner);
  for (const std::string& detail : cause.details) say(Font::body, ui.theme.ink, detail);
  if (cause.line > 0) draw_cause_line(p, entry, cause);
  if (!cause.again.empty()) say(Font::small, ui.theme.muted, "again: " + cause.again);
  p.space(4);
  ui.fill({p.x, top, p.width, p.y - top}, faded(ui.theme.bad, 0.06f), ui.px(4));
  ui.fill({p.x, top, ui.px(3), p.y - top}, ui.theme.bad);
  p.space(10);
}

void draw_blanks(Panel& p, const std::vector<BlankReport>& blanks) {
  std::string text;
  for (const BlankReport& blank : blanks)
    text += (text.empty() ? "Each blank alone: `" : ", `") + blank.blank + "` " +
            (blank.verdict == "unknown" ? "cannot be tried alone" : blank.verdict);
  if (text.empty()) return;
  p.muted(text + ".");
  p.space(6);
}

/// What was checked. Of an entry that passed it is a line, which a click unfolds.
void draw_checks(Panel& p, const EntryVerdict& entry) {
  const bool wrong = entry.outcome == Outcome::failed;
  if (!wrong && entry.outcome == Outcome::passed) {
    CheckRow all{"checks", "", "", Outcome::passed, 0, entry.checks};
    for (const CheckRow& check : entry.checks) all.summary += (all.summary.empty() ? "" : ", ") + check.name;
    draw_check(p, entry.entry, all, false);
    return;
  }
  bool first = !entry.cause;  // the cause is the first thing to look at; without one the first wrong check
  for (const CheckRow& check : entry.checks) {
    draw_check(p, entry.entry, check, first && check.outcome == Outcome::failed);
    if (check.outcome == Outcome::failed) first = false;
  }
}

void draw_entry(Panel& p, const EntryVerdict& entry, bool many, bool recorded) {
  Ui& ui = p.ui;

  const std::string title = many ? entry.entry : "Budgets";
  ui.text(Font::bold, p.x, p.y + ui.px(12), colour_of(ui.theme, entry.outcome), sign_of(entry.outcome));
  ui.text(Font::bold, p.x + ui.px(20), p.y + ui.px(12), ui.theme.ink, title);
  std::string note = recorded ? "" : entry.tally;
  if (!entry.counted_case.empty())
    note += (note.empty() ? "counted on " : " · counted on ") + entry.counted_case;
  ui.text(Font::small, p.x + ui.px(34) + ui.width(Font::bold, title), p.y + ui.px(12.5f), ui.theme.muted,
          note);
  p.space(30);
  if (entry.cause) draw_cause(p, entry.entry, *entry.cause);
  if (!recorded) draw_blanks(p, entry.blanks);
  draw_budgets(p, entry);
  if (!recorded) draw_checks(p, entry);
  p.space(18);
}

}  // namespace

void draw_verdict(Panel& p) {
  Ui& ui = p.ui;
  const VerdictModel& model = p.models.verdict;
  const bool recorded = p.book.origin == Origin::recording || p.book.origin == Origin::unseen;
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

  if (p.book.report.full_size) draw_headline(p, p.book.report.full_size->sentence);
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
    const float width = beside ? (p.width - gap) / 2 : p.width;
    Panel part = p.part(p.x + (beside && i % 2 ? width + gap : 0), beside && i % 2 ? p.y : bottom, width);
    p.y = part.y;
    draw_entry(part, model.entries[i], model.entries.size() > 1, recorded);
    bottom = std::max(bottom, part.y);
  }
  p.y = bottom;
  if (model.entries.empty()) p.nothing("Nothing was checked", why_empty(p.book));
}

}  // namespace fusebox::view
