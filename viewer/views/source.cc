#include <algorithm>
#include <cmath>
#include <set>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

/// One listing where it stands, and how its lines fall into rows: long ones go on in the next row.
struct Sheet {
  const Listing& listing;
  bool mine = true, hide = false;
  float x = 0, width = 0, code = 0, heat = 0;
  std::size_t columns = 80;         ///< of code in a row
  std::vector<float> tops;          ///< of each line, in rows from the first one; one more at the end
  std::vector<std::size_t> access;  ///< of each line, the worst one; none: accesses.size()
  std::set<int> touches;            ///< lines that touch the chosen tensor
};

float number_width(const Ui& ui) { return ui.px(50); }

Sheet sheet_of(Panel& p, const Listing& listing, bool mine, float x, float width, bool hide) {
  Ui& ui = p.ui;
  Sheet sheet{listing, mine, hide, x, width, 0, ui.px(width < ui.px(560) ? 84.0f : 130.0f), 80, {}, {}, {}};
  sheet.code = x + number_width(ui) + sheet.heat + ui.px(10);
  const float room = x + width - ui.px(8) - sheet.code;
  sheet.columns = static_cast<std::size_t>(std::max(room / ui.width(Font::mono, "0"), 8.0f));
  float row = 0;
  for (const ListingLine& line : listing.lines) {
    sheet.tops.push_back(row);
    const bool whole = line.columns <= sheet.columns || (line.hidden && hide);
    row += whole ? 1 : static_cast<float>(wrapped(line.text, sheet.columns).size());
  }
  sheet.tops.push_back(row);
  const auto& accesses = p.models.accesses;
  sheet.access.assign(listing.lines.size() + 1, accesses.size());
  for (std::size_t i = accesses.size(); i-- > 0;) {
    const StripAccess& a = accesses[i];
    if ((a.label == "you") != mine || a.line < 1 || a.file != listing.title) continue;
    if (static_cast<std::size_t>(a.line) < sheet.access.size())
      sheet.access[static_cast<std::size_t>(a.line)] = i;
    if (!a.tensor.empty() && a.tensor == p.selection().tensor) sheet.touches.insert(a.line);
  }
  return sheet;
}

std::string fault_text(const Fault& fault) {
  return fault.what + (fault.where.empty() ? "" : ", " + fault.where) + ". " + fault.hint;
}

void tip_of(Panel& p, const ListingLine& line, int number, const Listing& listing, bool can_jump) {
  Tip tip{"line " + std::to_string(number), {}, ""};
  const auto count = [](std::uint64_t value) { return format_count(value); };
  tip.lines = {{"bytes requested", format_bytes(32.0 * static_cast<double>(line.sectors))},
               {"sectors", count(line.sectors)},
               {"sectors, if every request were ideal", count(line.ideal_sectors)},
               {"requests of warps", count(line.requests)}};
  if (line.ideal_sectors > 0)
    tip.lines.push_back(
        {"sectors / ideal", format_value(Unit::per_request, static_cast<double>(line.sectors) /
                                                                static_cast<double>(line.ideal_sectors))});
  if (listing.all_sectors > 0)
    tip.lines.push_back({"share of the file's traffic",
                         format_value(Unit::ratio, static_cast<double>(line.sectors) /
                                                       static_cast<double>(listing.all_sectors))});
  if (line.bank_conflicts > 0) tip.lines.push_back({"bank conflicts", count(line.bank_conflicts)});
  tip.lines.push_back({"warp instructions", count(line.warp_instructions)});
  tip.note = "Counted, over all launches.";
  if (can_jump) tip.note += " Click, or Enter: its lanes in the warp strip.";
  if (!line.other_ends.empty())
    tip.note = "The other end of the race of line " + std::to_string(line.other_ends.front()->line) + ": " +
               fault_text(*line.other_ends.front());
  if (!line.faults.empty()) tip.note = fault_text(*line.faults.front());
  p.ui.tip(std::move(tip));
}

/// What stands before the code: the number, the bytes, the sign of a fault.
void draw_margin(Panel& p, const Sheet& sheet, const ListingLine& line, int number, float y, float height) {
  Ui& ui = p.ui;
  const float row = ui.line(Font::mono), middle = y + row / 2, left = sheet.x + number_width(ui);
  const double share = sheet.listing.max_sectors ? static_cast<double>(line.sectors) /
                                                       static_cast<double>(sheet.listing.max_sectors)
                                                 : 0;
  const bool wrong = !line.faults.empty() || line.told, end = !line.other_ends.empty();
  if (wrong || end)
    ui.fill({sheet.x, y, sheet.width, height}, faded(ui.theme.bad, wrong ? 0.16f : 0.10f));
  else if (line.sectors > 0)
    ui.fill({left, y, sheet.width - number_width(ui), height},
            faded(ui.theme.heat, 0.05f + 0.20f * static_cast<float>(std::sqrt(share))));
  ui.text_right(Font::small, left - ui.px(8), middle, ui.theme.faint, std::to_string(number));
  if (line.sectors > 0) {
    const float length = std::max(ui.px(1), (sheet.heat - ui.px(66)) * static_cast<float>(share));
    ui.fill({left, y + row * 0.25f, length, row * 0.5f}, ui.theme.heat);
    ui.text_right(Font::small, left + sheet.heat, middle, ui.theme.ink,
                  format_bytes(32.0 * static_cast<double>(line.sectors)));
  } else if (end) {
    ui.text_right(Font::small, left + sheet.heat, middle, ui.theme.bad,
                  "race, line " + std::to_string(line.other_ends.front()->line));
  } else if (line.bank_conflicts > 0) {
    ui.text_right(Font::small, left + sheet.heat, middle, ui.theme.bad,
                  format_count(line.bank_conflicts, Digits::narrow) + " conflicts");
  }
  if (wrong || end) ui.text(Font::bold, sheet.x + ui.px(1), middle, ui.theme.bad, wrong ? "✗" : "↔");
  if (sheet.touches.contains(number)) ui.fill({sheet.code - ui.px(7), y, ui.px(3), height}, ui.theme.accent);
}

void draw_line(Panel& p, const Sheet& sheet, std::size_t i, float y, float height, bool was_hidden) {
  Ui& ui = p.ui;
  const ListingLine& line = sheet.listing.lines[i];
  const int number = static_cast<int>(i) + 1;
  const float row = ui.line(Font::mono);
  draw_margin(p, sheet, line, number, y, height);
  const bool hidden = line.hidden && sheet.hide;
  if (hidden) {
    if (!was_hidden)
      ui.text(Font::small, sheet.code + ui.px(14), y + row / 2, ui.theme.faint,
              "hidden until you have solved it");
  } else {
    const std::size_t first = line.text.find_first_not_of(' ');
    const bool comment = first != std::string::npos && line.text.compare(first, 2, "//") == 0;
    const ImU32 ink = comment ? ui.theme.muted : ui.theme.ink;
    float at = y + row / 2;
    for (const std::string_view piece : wrapped(line.text, sheet.columns)) {
      if (at > y + row) ui.text(Font::small, sheet.code - ui.px(13), at, ui.theme.faint, "→");
      ui.text(Font::mono, sheet.code, at, ink, piece);
      at += row;
    }
  }
  const Selection& chosen = p.selection();
  const bool here = chosen.line == number && (chosen.label == "you") == sheet.mine;
  if (here) ui.frame({sheet.x, y, sheet.width - 1, height - 1}, ui.theme.accent, ui.px(2), ui.px(2));
  if (line.sectors == 0 && line.bank_conflicts == 0 && line.faults.empty() && line.other_ends.empty() &&
      !line.told)
    return;
  const std::size_t access = sheet.access[i + 1];
  const bool hot = ui.mark("line", (sheet.mine ? "mine." : "theirs.") + std::to_string(number),
                           {sheet.x, y, sheet.width, height});
  const bool jump = access < p.models.accesses.size() && !hidden;
  if (ui.clicked())
    p.state.choose(select_line(p.models.accesses, sheet.mine ? "you" : "reference", number),
                   jump ? "warp" : "");
  if (hot) {
    ui.frame({sheet.x, y, sheet.width - 1, height - 1}, ui.theme.heat);
    tip_of(p, line, number, sheet.listing, jump);
  }
}

void draw_sheet(Panel& p, const Sheet& sheet, float top) {
  const float row = p.ui.line(Font::mono), from = ImGui::GetWindowPos().y,
              to = from + ImGui::GetWindowHeight();
  const auto& tops = sheet.tops;
  // The lines that can be seen: the last one that begins above, to the first one that begins below.
  const float above = std::max(0.0f, (from - top) / row), below = std::max(0.0f, (to - top) / row);
  const auto begin = std::upper_bound(tops.begin(), tops.end(), above);
  std::size_t i = begin == tops.begin() ? 0 : static_cast<std::size_t>(begin - tops.begin()) - 1;
  bool was_hidden =
      i > 0 && i <= sheet.listing.lines.size() && sheet.listing.lines[i - 1].hidden && sheet.hide;
  for (; i < sheet.listing.lines.size() && tops[i] < below; ++i) {
    draw_line(p, sheet, i, top + row * tops[i], row * (tops[i + 1] - tops[i]), was_hidden);
    was_hidden = sheet.listing.lines[i].hidden && sheet.hide;
  }
}

void draw_name(Panel& p, const Sheet& sheet, const char* name) {
  Ui& ui = p.ui;
  const Listing& listing = sheet.listing;
  ui.fill({sheet.x, p.y, sheet.width, ui.px(2)}, sheet.mine ? ui.theme.you : ui.theme.reference);
  ui.text(Font::bold, sheet.x, p.y + ui.px(16), ui.theme.ink, name);
  const std::string note = !listing.problem.empty() ? listing.problem
                           : listing.traffic        ? listing.title
                                                    : listing.title + ", nothing counted";
  const float behind = sheet.x + ui.width(Font::bold, name) + ui.px(10);
  ui.text_fit(Font::small, behind, p.y + ui.px(16.5f), sheet.x + sheet.width - behind, ui.theme.muted, note);
}

/// Which listings are shown: what was asked for, or both where their code has room, or the one that says
/// most.
int shown(const Panel& p) {
  if (p.state.listing >= 0) return p.state.listing;
  if (p.width > p.ui.px(1700)) return 0;
  const Listing& mine = p.models.mine;
  const bool something = mine.traffic || std::any_of(mine.lines.begin(), mine.lines.end(), [](const auto& l) {
                           return l.told || !l.faults.empty();
                         });
  return something ? 1 : 2;
}

void draw_choices(Panel& p, bool solved) {
  Ui& ui = p.ui;
  float at = p.x;
  const int now = shown(p);
  const int chosen = ui.choice("listing", {"side by side", "you", "reference"}, now, at, p.y + ui.px(8), &at);
  if (chosen != now) p.state.listing = chosen, p.state.listing_fresh = true;
  if (!solved)
    p.state.reveal = ui.choice("reference", {"answers hidden", "show them"}, p.state.reveal, at + ui.px(16),
                               p.y + ui.px(8), &at) == 1;
  if (p.book.full_size || has_full_size(p.book.report)) {
    const int size = ui.choice("size", {"full size", "counted case"}, p.state.counted ? 1 : 0, at + ui.px(16),
                               p.y + ui.px(8));
    if ((size == 1) != p.state.counted) p.state.counted = size == 1, p.state.remodel = true;
  }
  p.space(34);
}

/// Where to begin: at the chosen line, else at the fault, else where the bytes are. In rows.
float row_to_open(const Panel& p, const std::vector<Sheet>& sheets) {
  const Selection& chosen = p.selection();
  for (const Sheet& sheet : sheets)
    if (chosen.line > 0 && (chosen.label == "you") == sheet.mine &&
        static_cast<std::size_t>(chosen.line) < sheet.tops.size())
      return sheet.tops[static_cast<std::size_t>(chosen.line) - 1];
  for (const Sheet& sheet : sheets)
    if (const std::size_t line = line_to_open(sheet.listing); line > 0) return sheet.tops[line];
  return 0;
}

}  // namespace

void draw_source(Panel& p) {
  Ui& ui = p.ui;
  const Listing &mine = p.models.mine, &theirs = p.models.theirs;
  if (mine.lines.empty() && theirs.lines.empty()) {
    p.nothing("No source to show", mine.problem.empty() ? theirs.problem : mine.problem);
    return;
  }
  draw_headline(p, p.models.of_source);
  p.heading("Where the bytes come from",
            "bytes requested by each line over all launches, counted; " + size_text(p.book));
  const bool solved = p.book.report.verdict == Outcome::passed || p.book.other;
  const int which = shown(p);
  draw_choices(p, solved);
  const bool both = which == 0;
  const float gap = both ? ui.px(20) : 0, width = both ? (p.width - gap) / 2 : p.width;
  std::vector<Sheet> sheets;
  if (both || which == 1) sheets.push_back(sheet_of(p, mine, true, p.x, width, false));
  if (both || which == 2)
    sheets.push_back(
        sheet_of(p, theirs, false, both ? p.x + width + gap : p.x, width, !solved && !p.state.reveal));
  for (const Sheet& sheet : sheets)
    draw_name(p, sheet, sheet.mine ? "you" : p.book.other ? "the other report" : "reference");
  p.space(30);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight(), row = ui.line(Font::mono);
  const Rect area{p.x - ui.px(6), p.y, p.width + ui.px(28), bottom - p.y};
  const float top = ui.begin_scroll("##listing", area, true);
  if (p.state.listing_fresh) {
    p.state.listing_fresh = false;
    ImGui::SetScrollY(std::max(0.0f, row * row_to_open(p, sheets) - area.h * 0.35f));
  }
  float rows = 0;
  for (const Sheet& sheet : sheets) {
    draw_sheet(p, sheet, top);
    rows = std::max(rows, sheet.tops.back());
  }
  ui.end_scroll(top + row * rows + ui.px(20));
  p.y = bottom;
}

}  // namespace fusebox::view
