#include <algorithm>
#include <cmath>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

/// The access to show for each line of a listing: accesses.size() where there is none.
std::vector<std::size_t> accesses_by_line(const std::vector<StripAccess>& accesses, const Listing& listing,
                                          bool mine) {
  std::vector<std::size_t> by_line(listing.lines.size() + 1, accesses.size());
  for (std::size_t i = accesses.size(); i-- > 0;) {
    const StripAccess& access = accesses[i];
    if ((access.label == "you") == mine && access.line > 0 &&
        static_cast<std::size_t>(access.line) < by_line.size() && access.file == listing.title)
      by_line[static_cast<std::size_t>(access.line)] = i;
  }
  return by_line;
}

void tip_of(Panel& p, const ListingLine& line, int number, const Listing& listing, bool can_jump) {
  Tip tip{"line " + std::to_string(number), {}, ""};
  const auto count = [](std::uint64_t value) { return format_count(value); };
  tip.lines = {{"requested", format_bytes(32.0 * static_cast<double>(line.sectors))},
               {"sectors", count(line.sectors)},
               {"sectors, if every request were ideal", count(line.ideal_sectors)},
               {"requests of warps", count(line.requests)}};
  if (line.requests > 0)
    tip.lines.push_back(
        {"sectors per request", format_value(Unit::per_request, static_cast<double>(line.sectors) /
                                                                    static_cast<double>(line.requests))});
  if (listing.all_sectors > 0)
    tip.lines.push_back({"share of the file's traffic",
                         format_value(Unit::ratio, static_cast<double>(line.sectors) /
                                                       static_cast<double>(listing.all_sectors))});
  if (line.bank_conflicts > 0) tip.lines.push_back({"bank conflicts", count(line.bank_conflicts)});
  tip.lines.push_back({"warp instructions", count(line.warp_instructions)});
  tip.note = "Counted, over all launches.";
  if (can_jump) tip.note += " Click, or Enter: its lanes in the warp strip.";
  if (!line.faults.empty())
    tip.note = line.faults.front()->what +
               (line.faults.front()->where.empty() ? "" : ", " + line.faults.front()->where) + ". " +
               line.faults.front()->hint;
  p.ui.tip(std::move(tip));
}

void draw_listing(Panel& p, const Listing& listing, bool mine, float x, float width, float top,
                  float clip_top, float clip_bottom, bool hide) {
  Ui& ui = p.ui;
  const float row = ui.line(Font::mono), number = ui.px(34),
              heat = ui.px(width < ui.px(560) ? 92.0f : 150.0f);
  const float code = x + number + heat + ui.px(10);
  const auto first = static_cast<std::size_t>(std::max(0.0f, std::floor((clip_top - top) / row)));
  const auto last = std::min(listing.lines.size(),
                             static_cast<std::size_t>(std::max(0.0f, std::ceil((clip_bottom - top) / row))));
  const std::vector<std::size_t> by_line = accesses_by_line(p.models.accesses, listing, mine);
  ui.draw().PushClipRect({x, clip_top}, {x + width, clip_bottom}, true);
  bool was_hidden = first > 0 && first <= listing.lines.size() && listing.lines[first - 1].hidden && hide;
  for (std::size_t i = first; i < last; ++i) {
    const ListingLine& line = listing.lines[i];
    const float y = top + row * static_cast<float>(i), middle = y + row / 2;
    const double share = listing.most_sectors
                             ? static_cast<double>(line.sectors) / static_cast<double>(listing.most_sectors)
                             : 0;
    if (!line.faults.empty())
      ui.fill({x, y, width, row}, faded(ui.theme.bad, 0.16f));
    else if (line.sectors > 0)
      ui.fill({x + number, y, width - number, row},
              faded(ui.theme.heat, 0.05f + 0.20f * static_cast<float>(std::sqrt(share))));
    ui.text_right(Font::small, x + number - ui.px(8), middle, ui.theme.faint, std::to_string(i + 1));
    if (line.sectors > 0) {
      const float length = std::max(ui.px(1), (heat - ui.px(62)) * static_cast<float>(share));
      ui.fill({x + number, y + row * 0.25f, length, row * 0.5f}, ui.theme.heat);
      ui.text_right(Font::small, x + number + heat, middle, ui.theme.ink,
                    format_bytes(32.0 * static_cast<double>(line.sectors)));
    } else if (line.bank_conflicts > 0) {
      ui.text_right(Font::small, x + number + heat, middle, ui.theme.bad,
                    format_count(line.bank_conflicts, Digits::narrow) + " conf.");
    }
    if (!line.faults.empty()) ui.text(Font::bold, x + ui.px(1), middle, ui.theme.bad, "✗");
    const bool hidden = line.hidden && hide;
    if (hidden) {
      if (!was_hidden)
        ui.text(Font::small, code + ui.px(14), middle, ui.theme.faint, "hidden until you have solved it");
    } else {
      const bool comment = line.text.find_first_not_of(' ') == line.text.find("//");
      ui.text(Font::mono, code, middle, comment ? ui.theme.muted : ui.theme.ink, line.text);
    }
    // What is cut off fades out.
    if (!hidden && code + ui.width(Font::mono, line.text) > x + width)
      ui.draw().AddRectFilledMultiColor({x + width - ui.px(40), y}, {x + width, y + row},
                                        faded(ui.theme.panel, 0), ui.theme.panel, ui.theme.panel,
                                        faded(ui.theme.panel, 0));
    was_hidden = hidden;
    const bool something = line.sectors > 0 || line.bank_conflicts > 0 || !line.faults.empty();
    if (!something) continue;
    const int at = static_cast<int>(i) + 1;
    const std::size_t access = by_line[i + 1];
    const bool hot =
        ui.mark("line", std::string(mine ? "mine." : "theirs.") + std::to_string(at), {x, y, width, row});
    const bool jump = access < p.models.accesses.size() && !hidden;
    if (ui.clicked() && jump) p.state.access = access, p.state.tab = 4, p.state.open_tab = true;
    if (hot) {
      ui.frame({x, y, width - 1, row - 1}, ui.theme.heat);
      tip_of(p, line, at, listing, jump);
    }
  }
  ui.draw().PopClipRect();
}

}  // namespace

void draw_source(Panel& p) {
  Ui& ui = p.ui;
  const Listing &mine = p.models.mine, &theirs = p.models.theirs;
  if (mine.lines.empty() && theirs.lines.empty()) {
    p.nothing("No source to show", mine.problem.empty() ? theirs.problem : mine.problem);
    return;
  }
  p.heading("Where the bytes come from", "requested bytes of each line over all launches, counted");
  const bool solved = p.book.report.verdict == Outcome::passed || p.book.other;
  float at = p.x;
  p.state.listing =
      ui.choice("listing", {"side by side", "you", "reference"}, p.state.listing, at, p.y + ui.px(8), &at);
  if (!solved)
    p.state.reveal = ui.choice("reference", {"answers hidden", "show them"}, p.state.reveal, at + ui.px(16),
                               p.y + ui.px(8)) == 1;
  p.space(36);
  const bool both = p.state.listing == 0;
  const float gap = both ? ui.px(20) : 0, width = both ? (p.width - gap) / 2 : p.width;
  const char* names[] = {"you", p.book.other ? "the other report" : "reference"};
  const float xs[] = {p.x, both ? p.x + width + gap : p.x};
  for (int i = 0; i < 2; ++i) {
    if (!both && p.state.listing != i + 1) continue;
    const Listing& listing = i == 0 ? mine : theirs;
    const ImU32 colour = i == 0 ? ui.theme.you : ui.theme.reference;
    ui.fill({xs[i], p.y, width, ui.px(2)}, colour);
    ui.text(Font::bold, xs[i], p.y + ui.px(16), ui.theme.ink, names[i]);
    const std::string note = !listing.problem.empty() ? listing.problem
                             : listing.traffic        ? listing.title
                                                      : listing.title + ", nothing counted";
    const float behind = xs[i] + ui.width(Font::bold, names[i]) + ui.px(10);
    ui.text_fit(Font::small, behind, p.y + ui.px(16.5f), xs[i] + width - behind, ui.theme.muted, note);
  }
  p.space(32);
  if (p.state.listing_fresh) {
    // Comments at the top of a file cause no traffic: begin where the bytes do.
    p.state.listing_fresh = false;
    const Listing& shown = mine.traffic ? mine : theirs;
    const auto first = std::find_if(shown.lines.begin(), shown.lines.end(), [](const ListingLine& line) {
      return line.sectors > 0 || !line.faults.empty();
    });
    if (first != shown.lines.end())
      p.scroll = std::max(0.0f, ui.line(Font::mono) * (static_cast<float>(first - shown.lines.begin()) - 6));
  }
  const float clip_top = std::max(p.y, ImGui::GetWindowPos().y),
              clip_bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (both || p.state.listing == 1)
    draw_listing(p, mine, true, xs[0], width, p.y, clip_top, clip_bottom, false);
  if (both || p.state.listing == 2)
    draw_listing(p, theirs, false, xs[1], width, p.y, clip_top, clip_bottom, !solved && !p.state.reveal);
  p.y +=
      ui.line(Font::mono) * static_cast<float>(std::max(mine.lines.size(), theirs.lines.size())) + ui.px(20);
}

}  // namespace fusebox::view
