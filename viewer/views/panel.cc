#include "viewer/views/panel.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fusebox::view {

const char* const kTabNames[kTabs] = {"verdict",  "traffic",   "launches",   "timings", "warp",   "source",
                                      "roofline", "occupancy", "calculator", "lesson",  "history"};
const char* const kTabLabels[kTabs] = {"Verdict",  "Traffic",   "Launches",   "Timings", "Warp",   "Source",
                                       "Roofline", "Occupancy", "Calculator", "Lesson",  "History"};

Models models_of(const Book& book, std::size_t gpu) {
  Models models;
  models.verdict = verdict_model(book);
  models.traffic = traffic_model(book);
  models.waterfall[0] = waterfall_of(book, Bytes::compulsory);
  models.waterfall[1] = waterfall_of(book, Bytes::requested);
  models.launches = launches_model(book);
  models.mine = listing_of(book, true);
  models.theirs = listing_of(book, false);
  models.accesses = accesses_of(book);
  if (gpu < book.report.gpus.size()) {
    const GpuNumbers& chosen = book.report.gpus[gpu];
    models.occupancy = occupancy_model(book, chosen);
    models.roofline = roofline_model(book, chosen);
    models.times = time_rows(book, chosen);
    models.rungs = rung_points(book, chosen);
  }
  models.lesson = blocks_of(book.report.lesson);
  return models;
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
    panel.state.gpu_changed = true;
  }
  panel.y += ui.px(38);
}

}  // namespace fusebox::view
