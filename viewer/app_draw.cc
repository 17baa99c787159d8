#include <fmt/format.h>

#include <algorithm>

#include "viewer/app.h"

// How the whole window is drawn: the list of puzzles, what is open, banners, tabs, and the panel in it.
namespace fusebox::view {
namespace {

// The window is cleared with the panels' colour: drawing it again would cost a sixth of a frame in software.
constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoScrollWithMouse;

using Draw = void (*)(Panel&);
constexpr Draw kPanels[kTabs] = {draw_verdict,    draw_traffic, draw_launches, draw_timings,
                                 draw_warp,       draw_source,  draw_roofline, draw_occupancy,
                                 draw_calculator, draw_lesson,  draw_history};

}  // namespace

void App::frame(Key key) {
  handle(key);
  if (std::exchange(state.remodel, false)) remodel();
  ui.begin_frame(key);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("Fusebox", nullptr, kStill);
  // A narrow window keeps the list of puzzles, as a rail of their numbers.
  const float sidebar = ui.px(size.x < ui.px(1000) ? 64.0f : size.x > ui.px(1900) ? 300.0f : 212.0f);
  draw_sidebar({0, 0, sidebar, size.y});
  Rect rest{sidebar, 0, size.x - sidebar, size.y};
  if (open_) {
    for (float (App::*part)(const Rect&) : {&App::draw_header, &App::draw_banners, &App::draw_tabs}) {
      const float height = (this->*part)(rest);
      rest.y += height, rest.h -= height;
    }
    draw_content(rest);
  } else {
    draw_nothing_open(rest);
  }
  if (help_) draw_keys();
  ImGui::End();
  ui.end_frame();
  if (std::exchange(state.open_tab, false)) {
    reset_scroll_ = state.listing_fresh = true;
    ui.forget_focus();
  }
}

void App::draw_nothing_open(const Rect& area) {
  const float y = area.y + draw_banners({area.x, ui.px(12), area.w, area.h}), middle = area.h * 0.42f;
  ui.text_center(Font::title, area.x + area.w / 2, y + middle, ui.theme.ink, "Nothing is open");
  ui.text_center(Font::body, area.x + area.w / 2, y + middle + ui.px(32), ui.theme.muted,
                 puzzles_.empty() ? "Grade a puzzle first: ./fusebox grade p20"
                                  : "Choose a puzzle at the left, or start with: ./fusebox view p20");
}

void App::draw_keys() {
  Tip tip{"Keys", {}, ""};
  tip.lines = {{"1 … 9, 0, -", "the tabs, by number"},
               {"Ctrl+Tab, Ctrl+Shift+Tab", "next and previous tab"},
               {"↓ ↑", "from one thing on the panel to the next"},
               {"Enter", "what a click does"},
               {"← →", "move a slider"},
               {"Page ↑ ↓, Home, End", "scroll"},
               {"] [", "next and previous puzzle"},
               {"F5", "grade now"},
               {"Esc", "cancel grading, let go"},
               {"+ − =", "larger, smaller, normal text"},
               {"D", "dark or light"},
               {"Ctrl+Q", "close"},
               {"F1 or ?", "this list"}};
  ui.tip_in_the_middle(std::move(tip));
}

/// One puzzle of the list. On a rail there is room for its number alone.
void App::draw_puzzle(const PuzzleEntry& puzzle, const Rect& rect, bool rail) {
  const bool here = open_ && puzzle.id == book_.report.puzzle;
  const bool hot = ui.mark("puzzle", puzzle.id, rect);
  if (ui.clicked()) open_puzzle(puzzle.id);
  if (here) ui.fill(rect, faded(ui.theme.accent, 0.14f), ui.px(5));
  if (here) ui.fill({rect.x, rect.y + ui.px(5), ui.px(3), rect.h - ui.px(10)}, ui.theme.accent, ui.px(2));
  if (hot && !here) ui.fill(rect, ui.theme.raised, ui.px(5));
  const char* sign = puzzle.solved ? "✓" : puzzle.tried ? "~" : "○";
  const ImU32 colour = puzzle.solved ? ui.theme.good : puzzle.tried ? ui.theme.open : ui.theme.faint;
  ui.text(Font::body, rect.x + ui.px(rail ? 6.0f : 10.0f), rect.middle(), colour, sign);
  ui.text(Font::bold, rect.x + ui.px(rail ? 20.0f : 30.0f), rect.middle(), ui.theme.ink, puzzle.id);
  const bool cut = rail || ui.text_fit(Font::small, rect.x + ui.px(66), rect.middle(), rect.w - ui.px(72),
                                       here ? ui.theme.ink : ui.theme.muted, puzzle.title);
  if (cut && hot) ui.tip({puzzle.id + "  " + puzzle.title, {}, ""});
}

void App::draw_sidebar(const Rect& area) {
  const bool rail = area.w < ui.px(100);
  ui.fill(area, ui.theme.page);
  ui.vertical(area.right() - 1, area.y, area.bottom(), ui.theme.hairline);
  const auto solved = std::count_if(puzzles_.begin(), puzzles_.end(), [](const auto& p) { return p.solved; });
  if (rail && !puzzles_.empty()) {
    ui.text_center(Font::small, area.w / 2, ui.px(31), ui.theme.muted,
                   fmt::format("{} / {}", solved, puzzles_.size()));
  } else if (!rail) {
    ui.text(Font::title, ui.px(20), ui.px(31), ui.theme.ink, "Fusebox");
    ui.text(Font::small, ui.px(20), ui.px(58), ui.theme.muted,
            fmt::format("{} of {} puzzles solved", solved, puzzles_.size()));
  }
  const float top = ui.px(rail ? 50.0f : 80.0f), row = ui.px(30), bottom = area.bottom() - ui.px(44);
  ImGui::SetCursorPos({0, top});
  ImGui::BeginChild("##puzzles", {area.w - 1, std::max(bottom - top, 1.0f)}, false, ImGuiWindowFlags_NoNav);
  float y = ImGui::GetCursorScreenPos().y;
  const float inset = ui.px(rail ? 3.0f : 8.0f);
  for (const PuzzleEntry& puzzle : puzzles_) {
    draw_puzzle(puzzle, {inset, y, area.w - 2 * inset - ui.px(2), row - ui.px(2)}, rail);
    y += row;
  }
  ImGui::Dummy({1, row * static_cast<float>(puzzles_.size())});
  ImGui::EndChild();
  ui.text(Font::small, ui.px(rail ? 8.0f : 20.0f), area.bottom() - ui.px(24), ui.theme.faint,
          rail ? "F1" : "F1: keys");
  const Rect help{ui.px(4), area.bottom() - ui.px(36), std::min(ui.px(88), area.w - ui.px(8)), ui.px(24)};
  ui.mark("button", "keys", help);
  if (ui.clicked()) help_ = !help_;
}

float App::draw_header(const Rect& area) {
  const float height = ui.px(70);
  const float x = area.x + ui.px(24);
  float right = area.right() - ui.px(24);
  const float middle = area.y + ui.px(30);
  if (regrade_.running()) {
    const float width = ui.px(150), bar = right - ui.button_width("Cancel") - ui.px(14) - width;
    if (ui.button("cancel", "Cancel", right - ui.button_width("Cancel"), middle)) regrade_.cancel();
    ui.text(Font::small, bar, middle - ui.px(9), ui.theme.muted,
            fmt::format("grading · {:.0f} s", regrade_.seconds()));
    const std::string doing = regrade_.doing().empty() ? "compiling" : regrade_.doing();
    ui.text_fit(Font::small, bar, middle + ui.px(19), width, ui.theme.faint, doing);
    ui.fill({bar, middle + ui.px(3), width, ui.px(5)}, ui.theme.hairline, ui.px(2));
    ui.fill(
        {bar, middle + ui.px(3), width * static_cast<float>(std::max(regrade_.progress(), 0.03)), ui.px(5)},
        ui.theme.accent, ui.px(2));
    right = bar - ui.px(16);
  } else if (book_.origin != Origin::file) {
    if (ui.button("grade", "Grade now", right - ui.button_width("Grade now"), middle)) start_regrade();
    right -= ui.button_width("Grade now") + ui.px(16);
  }
  const Report& report = book_.report;
  ui.text_fit(Font::title, x, middle - ui.px(2), right - x, ui.theme.ink, title_);
  std::string facts;
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) facts += (facts.empty() ? "" : "   ·   ") + fact;
  };
  const bool recorded = book_.origin == Origin::recording;
  add(recorded ? "recorded reference"
      : book_.origin == Origin::unseen
          ? report.file
          : report.file + (report.file_sha256.empty() ? "" : "  " + report.file_sha256.substr(0, 8)));
  if (book_.other) add("against " + book_.other->file);
  add(report.device);
  add(fmt::format("seed {}", report.seed));
  ui.text_fit(Font::small, x, middle + ui.px(24), right - x, ui.theme.muted, facts);
  return height;
}

std::vector<App::Banner> App::banners() const {
  std::vector<Banner> all;
  if (!ui.fonts.problem.empty()) all.push_back({"font", ui.fonts.problem, "", true});
  if (problem_)
    all.push_back(
        {"problem", problem_->what + (problem_->remedy.empty() ? "" : ": " + problem_->remedy), "", true});
  if (!open_) return all;
  if (book_.origin == Origin::recording)
    all.push_back(
        {"recording",
         "Not graded yet: these are the reference's recorded numbers. Save the puzzle's file, and it is graded.",
         "", false});
  if (book_.origin == Origin::unseen)
    all.push_back(
        {"unseen",
         "Not graded yet, and nothing was recorded of it. Save the puzzle's file, and it is graded.",
         "Grade now", false});
  if (const std::string mismatch = mismatch_text(book_); !mismatch.empty())
    all.push_back({"mismatch", mismatch, "", true});
  if (stale_ && !regrade_.running())
    all.push_back({"stale",
                   "The file was changed after this report: lines and numbers may no longer belong together.",
                   book_.origin == Origin::file ? "" : "Grade now", false});
  return all;
}

float App::draw_banners(const Rect& area) {
  float y = area.y;
  for (const Banner& banner : banners()) {
    const ImU32 colour = banner.bad ? ui.theme.bad : ui.theme.open;
    const float width =
        area.w - ui.px(48) - (banner.action.empty() ? 0 : ui.button_width(banner.action) + ui.px(16));
    const float height = ui.paragraph_height(Font::body, width, banner.text) + ui.px(12);
    ui.fill({area.x, y, area.w, height}, faded(colour, 0.14f));
    ui.fill({area.x, y, ui.px(4), height}, colour);
    ui.paragraph(Font::body, area.x + ui.px(24), y + ui.px(6), width, ui.theme.ink, banner.text);
    ui.mark("banner", banner.id, {area.x, y, ui.px(4), height});
    if (!banner.action.empty() &&
        ui.button(banner.id, banner.action, area.right() - ui.px(24) - ui.button_width(banner.action),
                  y + height / 2))
      start_regrade();
    y += height;
  }
  return y - area.y;
}

float App::draw_tabs(const Rect& area) {
  const float height = ui.px(40);
  ui.hairline(area.x, area.right(), area.y + height - 1, ui.theme.hairline);
  float words = 0;
  for (const char* label : kTabLabels) words += ui.width(Font::body, label);
  const float gap = std::clamp((area.w - ui.px(48) - words) / kTabs, ui.px(6), ui.px(26));
  float x = area.x + ui.px(24) - gap / 2;
  for (int i = 0; i < kTabs; ++i) {
    const Rect rect{x, area.y, ui.width(Font::body, kTabLabels[i]) + gap, height - 1};
    const bool hot = ui.mark("tab", kTabNames[i], rect);
    if (ui.clicked() && state.tab != i) state.tab = i, state.open_tab = true;
    const bool here = state.tab == i;
    ui.text(Font::body, x + gap / 2, rect.middle(), here || hot ? ui.theme.ink : ui.theme.muted,
            kTabLabels[i]);
    if (here) ui.fill({x + gap / 2, rect.bottom() - ui.px(2), rect.w - gap, ui.px(3)}, ui.theme.accent);
    if (here && models_.verdict.outcome == Outcome::failed && i == 0)
      ui.fill({x + gap / 2, rect.bottom() - ui.px(2), rect.w - gap, ui.px(3)}, ui.theme.bad);
    x += rect.w;
  }
  draw_chosen(x, area);
  return height;
}

/// What is chosen, behind the tabs: it is marked in every panel. A click lets go of it.
void App::draw_chosen(float from, const Rect& area) {
  const std::string text = to_text(state.selection);
  const float right = area.right() - ui.px(24), close = ui.px(22), room = right - from - ui.px(24) - close;
  if (text.empty() || room < ui.px(60)) return;
  const float width = std::min(ui.width(Font::small, text) + ui.px(14), room);
  const Rect chip{right - width - close, area.y + ui.px(8), width + close, ui.px(23)};
  const bool hot = ui.mark("button", "chosen", chip);
  ui.fill(chip, faded(ui.theme.accent, hot ? 0.22f : 0.12f), ui.px(11));
  const bool cut =
      ui.text_fit(Font::small, chip.x + ui.px(10), chip.middle(), width - ui.px(8), ui.theme.ink, text);
  ui.text(Font::small, chip.right() - ui.px(18), chip.middle(), ui.theme.muted, "×");
  if (hot) ui.tip({cut ? text : "", {}, "Chosen, and marked in every panel. Click to let go of it."});
  if (ui.clicked()) state.selection = {};
}

void App::draw_content(const Rect& area) {
  const int tab = std::clamp(state.tab, 0, kTabs - 1);
  const bool inner = scrolls_itself(tab);
  ImGui::SetCursorPos({area.x, area.y});
  ImGui::BeginChild("##content", {area.w, std::max(area.h, 1.0f)}, false,
                    ImGuiWindowFlags_NoNav | (inner ? ImGuiWindowFlags_NoScrollbar : 0));
  page_ = area.h;
  if (std::exchange(reset_scroll_, false)) {
    ImGui::SetScrollY(0);
    ui.scroll_by = 0;
  }
  if (!inner && ui.scroll_by != 0) {
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + ui.scroll_by, 0.0f, ImGui::GetScrollMaxY()));
    ui.scroll_by = 0;
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  Panel panel{ui, shows_size(tab) ? shown() : book_, models_, state, history_};
  panel.x = origin.x + ui.px(24);
  panel.y = origin.y + ui.px(20);
  panel.width = area.w - ui.px(24 + 34);
  panel.height = area.h - ui.px(40);
  const float top = panel.y;
  kPanels[tab](panel);
  ui.scroll_by = 0;
  ImGui::SetCursorPos({0, 0});
  ImGui::Dummy({1, inner ? 1 : panel.y - top + ui.px(40)});
  ImGui::EndChild();
}

}  // namespace fusebox::view
