#include "viewer/views/panel.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fusebox::view {

const char* const kTabNames[kTabs] = {"verdict",  "traffic",   "launches",   "timings", "warp",   "source",
                                      "roofline", "occupancy", "calculator", "lesson",  "history"};
const char* const kTabLabels[kTabs] = {"Verdict",  "Traffic",   "Launches",   "Timings", "Warp",   "Source",
                                       "Roofline", "Occupancy", "Calculator", "Lesson",  "History"};

Models models_of(const Book& book, const Book& shown, std::size_t gpu) {
  Models models;
  models.verdict = verdict_model(book);
  models.traffic = traffic_model(shown);
  if (&book != &shown) models.counted = traffic_model(book);
  models.waterfall[0] = waterfall_of(shown, Bytes::compulsory);
  models.waterfall[1] = waterfall_of(shown, Bytes::requested);
  models.launches = launches_model(shown);
  models.mine = listing_of(shown, true);
  models.theirs = listing_of(shown, false);
  models.accesses = accesses_of(book);  // sampled in the counted case alone
  models.of_bytes = headline_of_bytes(shown);
  models.of_launches = headline_of(shown, models.launches);
  models.of_accesses = headline_of(models.accesses);
  models.of_source = headline_of(models.mine, models.theirs);
  if (gpu < book.report.gpus.size()) {
    const GpuNumbers& chosen = book.report.gpus[gpu];
    models.occupancy = occupancy_model(shown, chosen);
    models.roofline = roofline_model(shown, chosen);
    models.times = time_rows(shown, chosen);
    models.ladder = ladder_points(shown, chosen);
    models.of_times = headline_of(models.times);
    models.of_roofline = headline_of(models.roofline);
    models.of_occupancy = headline_of(models.occupancy, chosen);
  }
  models.lesson = blocks_of(book.report.lesson);
  return models;
}

bool shows_size(int tab) {
  for (const std::string_view name : {"traffic", "launches", "timings", "source", "roofline", "occupancy"})
    if (name == kTabNames[tab]) return true;
  return false;
}

void draw_headline(Panel& p, const std::string& sentence) {
  if (sentence.empty()) return;
  Ui& ui = p.ui;
  const float inner = std::min(p.width - ui.px(16), ui.px(1180));
  const float height = ui.paragraph_height(Font::bold, inner, sentence);
  ui.fill({p.x, p.y + ui.px(2), ui.px(3), height - ui.px(4)}, ui.theme.accent);
  ui.paragraph(Font::bold, p.x + ui.px(12), p.y, inner, ui.theme.ink, sentence);
  p.y += height + ui.px(14);
}

void draw_size_choice(Panel& p) {
  Ui& ui = p.ui;
  if (!has_full_size(p.book.report) && !p.book.full_size) return;
  float at = p.x;
  const int now = p.state.counted ? 1 : 0;
  const int chosen = ui.choice("size", {"full size", "counted case"}, now, p.x, p.y + ui.px(12), &at);
  if (chosen != now) p.state.counted = chosen == 1, p.state.remodel = true;
  ui.text_fit(Font::small, at + ui.px(12), p.y + ui.px(12), p.right() - at - ui.px(12), ui.theme.muted,
              size_text(p.book));
  p.space(36);
}

bool scrolls_itself(int tab) {
  const std::string_view name = kTabNames[tab];
  return name == "warp" || name == "source";
}

void State::choose(Selection selected, std::string_view to) {
  selection = std::move(selected);
  listing_fresh |= selection.line > 0;
  for (int i = 0; i < kTabs && !to.empty(); ++i)
    if (to == kTabNames[i] && i != tab) tab = i, open_tab = true;
}

Panel Panel::part(float at_x, float at_y, float its_width) const {
  Panel made{ui, book, models, state, history};
  made.x = at_x, made.y = at_y, made.width = its_width, made.height = height;
  return made;
}

std::size_t Panel::access() const {
  return state.selection.access < models.accesses.size() ? state.selection.access : 0;
}

void Panel::heading(std::string_view words, std::string_view note) {
  ui.text(Font::bold, x, y + ui.px(12), ui.theme.ink, words);
  const float behind = x + ui.width(Font::bold, words) + ui.px(12);
  ui.text_fit(Font::small, behind, y + ui.px(12.5f), right() - behind, ui.theme.muted, note);
  y += ui.px(30);
}

void Panel::paragraph(std::string_view words, Font font) {
  y += ui.paragraph(font, x, y, std::min(width, ui.px(860)), ui.theme.ink, words);
}

void Panel::muted(std::string_view words) {
  y += ui.paragraph(Font::small, x, y, std::min(width, ui.px(860)), ui.theme.muted, words);
}

void Panel::nothing(std::string_view what, std::string_view remedy) {
  const float middle = y + std::max(height * 0.3f, ui.px(60));
  ui.text_center(Font::bold, x + width / 2, middle, ui.theme.ink, what);
  const float inner = std::min(width - ui.px(40), ui.px(760));
  const bool one_line = ui.width(Font::body, remedy) <= inner;
  if (one_line) ui.text_center(Font::body, x + width / 2, middle + ui.px(26), ui.theme.muted, remedy);
  y = middle + ui.px(50);
  if (!one_line)
    y += ui.paragraph(Font::body, x + (width - inner) / 2, middle + ui.px(17), inner, ui.theme.muted, remedy);
}

std::string short_name(const GpuNumbers& gpu) {
  const std::string& name = gpu.full_name.empty() ? gpu.name : gpu.full_name;
  return name.starts_with("NVIDIA ") ? name.substr(7) : name;
}

const char* sign_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "✓";
    case Outcome::failed:
      return "✗";
    case Outcome::unsolved:
      return "○";
    case Outcome::skipped:
      return "·";
  }
  return "";
}

ImU32 colour_of(const Theme& theme, Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return theme.good;
    case Outcome::failed:
      return theme.bad;
    case Outcome::unsolved:
      return theme.open;
    case Outcome::skipped:
      return theme.muted;
  }
  return theme.muted;
}

void draw_gpu_choice(Panel& panel) {
  Ui& ui = panel.ui;
  std::vector<std::string> names;
  for (const GpuNumbers& gpu : panel.book.report.gpus) names.push_back(short_name(gpu));
  if (names.empty()) return;
  ui.text(Font::small, panel.x, panel.y + ui.px(12), ui.theme.muted, "GPU");
  const int chosen =
      ui.choice("gpu", names, static_cast<int>(panel.state.gpu), panel.x + ui.px(36), panel.y + ui.px(12));
  if (chosen != static_cast<int>(panel.state.gpu)) {
    panel.state.gpu = static_cast<std::size_t>(chosen);
    panel.state.remodel = true;
  }
  panel.y += ui.px(38);
}

}  // namespace fusebox::view
