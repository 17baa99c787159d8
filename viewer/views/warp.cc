#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

std::string several(std::uint64_t count, const std::string& word) {
  return format_count(count) + " " + word + (count == 1 ? "" : "s");
}

/// Cells of memory on one row, with a gap where addresses jump. `shown` says which sector each cell is.
struct Strip {
  std::vector<std::int64_t> sectors;  ///< as drawn, left to right
  std::vector<float> at;              ///< left edge of each
  float cell = 0;
};

Strip lay_out(const std::vector<std::int64_t>& touched, float x, float width, float gap) {
  Strip strip;
  // Whole lines where the access stays close together: what it leaves unused is seen as well.
  std::vector<std::int64_t> cells;
  for (const std::int64_t sector : touched) {
    const std::int64_t first = sector / 4 * 4;
    if (touched.size() <= 10)
      for (std::int64_t s = first; s < first + 4; ++s) cells.push_back(s);
    else
      cells.push_back(sector);
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) jumps += cells[i] != cells[i - 1] + 1;
  strip.cell =
      std::max(3.0f, std::min(width / 16, (width - gap * static_cast<float>(jumps)) /
                                              static_cast<float>(std::max<std::size_t>(cells.size(), 1))));
  float at = x;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0 && cells[i] != cells[i - 1] + 1) at += gap;
    strip.sectors.push_back(cells[i]);
    strip.at.push_back(at);
    at += strip.cell;
  }
  return strip;
}

void draw_lanes(Panel& p, const StripAccess& a, float x, float cell, float top, float height,
                const std::string& id) {
  Ui& ui = p.ui;
  for (int lane = 0; lane < 32; ++lane) {
    const bool active =
        lane < static_cast<int>(a.offsets.size()) && a.offsets[static_cast<std::size_t>(lane)] >= 0;
    const Rect rect{x + cell * static_cast<float>(lane), top, cell - ui.px(2), height};
    if (active)
      ui.fill(rect, side_colour(ui.theme, a.label), ui.px(2));
    else
      ui.frame({rect.x, rect.y, rect.w - 1, rect.h - 1}, ui.theme.faint, ui.px(2));
    if (cell > ui.px(17))
      ui.text_center(Font::small, rect.x + rect.w / 2, rect.middle(),
                     active ? ui.theme.panel : ui.theme.faint, std::to_string(lane));
    if (ui.mark("lane", id + std::to_string(lane), rect)) {
      Tip tip{fmt::format("lane {}", lane), {}, active ? "" : "Takes no part in this instruction."};
      if (active) {
        const std::int64_t offset = a.offsets[static_cast<std::size_t>(lane)];
        tip.lines = {
            {a.shared ? "offset in shared memory" : "offset in " + (a.tensor.empty() ? "memory" : a.tensor),
             fmt::format("{} B", offset)},
            {"bytes", std::to_string(a.bytes)}};
        if (a.shared)
          tip.lines.push_back({"bank", std::to_string(offset / 4 % 32)});
        else
          tip.lines.push_back({"sector", std::to_string(offset / 32)}),
              tip.lines.push_back({"line", std::to_string(offset / 128)});
      }
      ui.tip(std::move(tip));
    }
  }
}

/// Where the two ends of the links are: the width of a lane, the lanes' lower edge, the sectors' upper one.
struct Links {
  float cell = 0, lanes = 0, memory = 0;
};

/// From each active lane to the bytes that it asks for.
void draw_links(Panel& p, const StripAccess& a, const Strip& strip, const Links& at) {
  Ui& ui = p.ui;
  for (std::size_t lane = 0; lane < a.offsets.size(); ++lane) {
    if (a.offsets[lane] < 0) continue;
    const std::int64_t sector = a.offsets[lane] / 32;
    const auto found = std::lower_bound(strip.sectors.begin(), strip.sectors.end(), sector);
    if (found == strip.sectors.end() || *found != sector) continue;
    const float share = (static_cast<float>(a.offsets[lane] % 32) + static_cast<float>(a.bytes) / 2) / 32;
    const float to = strip.at[static_cast<std::size_t>(found - strip.sectors.begin())] +
                     strip.cell * std::min(share, 1.0f);
    const float from = p.x + at.cell * static_cast<float>(lane) + (at.cell - ui.px(2)) / 2;
    ui.draw().AddBezierCubic({from, at.lanes}, {from, at.lanes + ui.px(40)}, {to, at.memory - ui.px(40)},
                             {to, at.memory}, faded(side_colour(ui.theme, a.label), 0.75f), ui.px(1.2f));
  }
}

void draw_sectors(Panel& p, const StripAccess& a, const Strip& strip, float memory) {
  Ui& ui = p.ui;
  for (std::size_t i = 0; i < strip.sectors.size(); ++i) {
    const std::int64_t sector = strip.sectors[i];
    const bool touched = std::binary_search(a.sectors.begin(), a.sectors.end(), sector);
    const Rect rect{strip.at[i], memory, strip.cell - ui.px(1), ui.px(26)};
    ui.fill(rect, touched ? faded(ui.theme.heat, 0.30f) : ui.theme.raised);
    if (touched) {
      ui.frame({rect.x, rect.y, rect.w - 1, rect.h - 1}, ui.theme.heat);
      for (const std::int64_t offset : a.offsets) {
        if (offset < 0 || (offset + a.bytes - 1) / 32 < sector || offset / 32 > sector) continue;
        const float from = static_cast<float>(std::max<std::int64_t>(offset - sector * 32, 0)) / 32;
        const float to = static_cast<float>(std::min<std::int64_t>(offset + a.bytes - sector * 32, 32)) / 32;
        ui.fill({rect.x + rect.w * from, rect.y + ui.px(3), rect.w * (to - from), rect.h - ui.px(6)},
                ui.theme.heat);
      }
    }
    if (sector % 4 == 0)
      ui.vertical(rect.x - ui.px(1), memory - ui.px(4), memory + ui.px(34), ui.theme.faint);
    if (ui.mark("sector", std::to_string(sector), rect))
      ui.tip({fmt::format("sector {} of {}", sector, a.tensor.empty() ? "memory" : a.tensor),
              {{"bytes", fmt::format("{} to {}", sector * 32, sector * 32 + 31)},
               {"line", std::to_string(sector / 4)}},
              touched ? "Moved as a whole: 32 bytes, however few of them were asked for." : "Not touched."});
  }
}

/// As few sectors as the same bytes fill.
void draw_ideal(Panel& p, const StripAccess& a, const Strip& strip) {
  Ui& ui = p.ui;
  for (std::size_t i = 0; i < a.ideal_sectors; ++i) {
    const Rect rect{p.x + static_cast<float>(i) * strip.cell, p.y, strip.cell - ui.px(1), ui.px(20)};
    const float share = std::min(1.0f, static_cast<float>(a.useful_bytes - i * 32) / 32);
    ui.fill(rect, faded(ui.theme.good, 0.25f));
    ui.fill({rect.x, rect.y + ui.px(3), rect.w * share, rect.h - ui.px(6)}, ui.theme.good);
    ui.frame({rect.x, rect.y, rect.w - 1, rect.h - 1}, ui.theme.good);
  }
}

void draw_global(Panel& p, const StripAccess& a) {
  Ui& ui = p.ui;
  const float width = p.width, cell = std::min(width / 32, ui.px(44));
  ui.text(Font::small, p.x, p.y + ui.px(6), ui.theme.muted, "lanes of the warp");
  p.space(18);
  const float lanes = p.y, height = ui.px(24);
  draw_lanes(p, a, p.x, cell, lanes, height, "");
  p.y += height + ui.px(78);
  const Strip strip = lay_out(a.sectors, p.x, std::min(width, cell * 32), ui.px(10));
  const float memory = p.y;
  draw_links(p, a, strip, {cell, lanes + height, memory});
  draw_sectors(p, a, strip, memory);
  p.y += ui.px(46);
  p.y -= ui.px(6);
  p.muted(fmt::format(
      "memory of {}: boxes are sectors of 32 bytes, long strokes begin lines of 128; filled is what was asked for",
      a.tensor.empty() ? "the launch" : a.tensor));
  p.space(14);
  ui.text(Font::small, p.x, p.y, ui.theme.muted,
          fmt::format("the ideal: the same {} bytes side by side", a.useful_bytes));
  p.space(12);
  draw_ideal(p, a, strip);
  p.space(40);
}

void draw_shared(Panel& p, const StripAccess& a) {
  Ui& ui = p.ui;
  const float cell = std::min(p.width / 32, ui.px(44)), height = ui.px(24);
  ui.text(Font::small, p.x, p.y + ui.px(6), ui.theme.muted, "lanes of the warp");
  p.space(18);
  const float lanes = p.y;
  draw_lanes(p, a, p.x, cell, lanes, height, "");
  p.y += height + ui.px(78);
  const float banks = p.y;
  for (std::size_t lane = 0; lane < a.offsets.size(); ++lane) {
    if (a.offsets[lane] < 0) continue;
    const float from = p.x + cell * static_cast<float>(lane) + (cell - ui.px(2)) / 2;
    const float to = p.x + cell * static_cast<float>(a.offsets[lane] / 4 % 32) + (cell - ui.px(2)) / 2;
    ui.draw().AddBezierCubic({from, lanes + height}, {from, lanes + height + ui.px(40)},
                             {to, banks - ui.px(40)}, {to, banks},
                             faded(side_colour(ui.theme, a.label), 0.75f), ui.px(1.2f));
  }
  int most = 1;
  for (const int words : a.words_of_bank) most = std::max(most, words);
  const float unit = std::min(ui.px(16), ui.px(200) / static_cast<float>(most));
  for (int bank = 0; bank < 32; ++bank) {
    const int words = a.words_of_bank[static_cast<std::size_t>(bank)];
    const float x = p.x + cell * static_cast<float>(bank);
    const ImU32 colour = words > 1 ? ui.theme.bad : ui.theme.good;
    ui.frame({x, banks, cell - ui.px(2) - 1, unit - 1}, ui.theme.hairline);
    for (int word = 0; word < words; ++word) {
      const Rect box{x, banks + unit * static_cast<float>(word), cell - ui.px(2),
                     std::max(unit - ui.px(2), 1.0f)};
      ui.fill(box, faded(colour, 0.85f));
      if (words > 1) ui.hatch(box, faded(ui.theme.panel, 0.5f));
    }
    if (cell > ui.px(17))
      ui.text_center(Font::small, x + cell / 2, banks + unit * static_cast<float>(most) + ui.px(12),
                     ui.theme.muted, std::to_string(bank));
    if (ui.mark("bank", std::to_string(bank),
                {x, banks, cell - ui.px(2), unit * static_cast<float>(std::max(words, 1))}))
      ui.tip({fmt::format("bank {}", bank),
              {{"different words", std::to_string(words)}},
              "A bank gives one word of 4 bytes at a time; lanes that ask for the same word share it."});
  }
  p.y += unit * static_cast<float>(most) + ui.px(32);
  p.muted("the 32 banks of shared memory: a box for each word that a bank has to give; one high is ideal");
  p.space(36);
}

bool is_ideal(const StripAccess& a) { return waste_of(a) == 0; }

/// The code, the verdict in a sentence, and the diagram of the chosen access.
void draw_access(Panel& p, const StripAccess& a, bool solved) {
  Ui& ui = p.ui;
  p.heading(a.shared ? "shared memory, " + a.kind : (a.tensor.empty() ? "memory" : a.tensor) + ", " + a.kind,
            fmt::format("{} · {} · line {}", a.run, a.kernel, a.line));
  if (!a.code.empty() && !(a.reveals && !solved)) {
    const Rect code{p.x, p.y, p.width, ui.px(28)};
    const bool hot = ui.mark("code", std::to_string(a.line), code);
    ui.fill(code, hot ? ui.theme.hairline : ui.theme.raised, ui.px(4));
    const bool cut =
        ui.text_fit(Font::mono, p.x + ui.px(10), code.middle(), p.width - ui.px(20), ui.theme.ink, a.code);
    if (hot) ui.tip({cut ? a.code : "", {}, "Click: this line in its file."});
    if (ui.clicked()) p.state.choose(select_access(p.models.accesses, p.access()), "source");
    p.space(40);
  }
  const std::string number =
      a.shared ? fmt::format("{}, ideal {}", several(a.wavefronts, "wavefront"), a.ideal_wavefronts)
               : fmt::format("{} in {}, ideal {}", several(a.sectors.size(), "sector"),
                             several(a.lines.size(), "line"), a.ideal_sectors);
  const bool ideal = is_ideal(a);
  ui.text(Font::bold, p.x, p.y + ui.px(10), ideal ? ui.theme.good : ui.theme.bad, ideal ? "✓" : "✗");
  ui.text(Font::bold, p.x + ui.px(20), p.y + ui.px(10), ui.theme.ink, number);
  p.space(24);
  p.paragraph(advice_for(a));
  p.muted(fmt::format(
      "{} of {} each, {} in all. Block {}, warp {}; {} of the three blocks looked at were like this. Counted.",
      several(static_cast<std::size_t>(a.active), "lane"), several(a.bytes, "byte"),
      several(a.useful_bytes, "byte"), a.block, a.warp, several(a.requests, "instruction")));
  p.space(14);
  if (a.shared)
    draw_shared(p, a);
  else
    draw_global(p, a);
}

void draw_access_row(Panel& p, const StripAccess& a, const Rect& rect) {
  Ui& ui = p.ui;
  const bool fine = is_ideal(a);
  ui.text(Font::body, rect.x + ui.px(8), rect.y + ui.px(12), fine ? ui.theme.good : ui.theme.bad,
          fine ? "✓" : "✗");
  const std::string number =
      a.shared ? fmt::format("{}, ideal {}", several(a.wavefronts, "wavefront"), a.ideal_wavefronts)
               : fmt::format("{}, ideal {}", several(a.sectors.size(), "sector"), a.ideal_sectors);
  const float numbers = ui.width(Font::small, number) + ui.px(16);
  ui.text_fit(Font::body, rect.x + ui.px(28), rect.y + ui.px(12), rect.w - ui.px(28) - numbers, ui.theme.ink,
              (a.shared           ? "shared"
               : a.tensor.empty() ? "memory"
                                  : a.tensor) +
                  " " + a.kind);
  ui.text_right(Font::small, rect.right() - ui.px(8), rect.y + ui.px(12), ui.theme.ink, number);
  const std::string times = "× " + format_count(a.requests, Digits::narrow);
  ui.text_right(Font::small, rect.right() - ui.px(8), rect.y + ui.px(28), ui.theme.muted, times);
  ui.text_fit(Font::small, rect.x + ui.px(28), rect.y + ui.px(28),
              rect.w - ui.px(44) - ui.width(Font::small, times), ui.theme.muted,
              fmt::format("line {} · {} · {}", a.line, a.kernel, a.run));
}

/// All accesses, the worst one first; those of the chosen tensor have a stroke.
void draw_accesses(Panel& p, float bottom) {
  Ui& ui = p.ui;
  const auto& accesses = p.models.accesses;
  const float row = ui.px(44);
  p.heading("Accesses", "sampled, by shape; the most wasteful first");
  const Rect area{p.x, p.y, p.width + ui.px(16), bottom - p.y};
  float y = ui.begin_scroll("##accesses", area, false);
  const float from = ImGui::GetWindowPos().y, to = from + ImGui::GetWindowHeight();
  for (std::size_t i = 0; i < accesses.size(); ++i, y += row) {
    const StripAccess& each = accesses[i];
    const Rect rect{p.x, y, p.width, row - ui.px(3)};
    const bool hot = ui.mark("access", std::to_string(i + 1), rect);
    if (ui.clicked()) p.state.choose(select_access(accesses, i));
    if (rect.bottom() < from || rect.y > to) continue;
    if (i == p.access())
      ui.fill(rect, faded(ui.theme.accent, 0.14f), ui.px(4));
    else if (hot)
      ui.fill(rect, ui.theme.raised, ui.px(4));
    if (!each.tensor.empty() && each.tensor == p.selection().tensor)
      ui.fill({rect.x, rect.y, ui.px(3), rect.h}, ui.theme.accent);
    draw_access_row(p, each, rect);
  }
  ui.end_scroll(y + ui.px(20));
}

}  // namespace

void draw_warp(Panel& p) {
  Ui& ui = p.ui;
  const auto& accesses = p.models.accesses;
  if (accesses.empty()) {
    p.nothing("No access was sampled", why_empty(p.book));
    return;
  }
  const bool solved = p.book.report.verdict == Outcome::passed || p.book.other || p.state.reveal;
  draw_headline(p, p.models.of_accesses);
  // Left the accesses to choose from, right the chosen one; each scrolls by itself.
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  const float list = std::clamp(p.width * 0.34f, ui.px(250), ui.px(520));
  Panel left = p.part(p.x, p.y, list);
  draw_accesses(left, bottom);
  const float x = p.x + list + ui.px(40);
  const Rect area{x, p.y, p.right() - x + ui.px(28), bottom - p.y};
  const float top = ui.begin_scroll("##strip", area, true);
  Panel right = p.part(x, top, p.right() - x);
  draw_access(right, accesses[p.access()], solved);
  ui.end_scroll(right.y + ui.px(20));
  p.y = bottom;
}

}  // namespace fusebox::view
