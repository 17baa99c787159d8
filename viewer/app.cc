#include "viewer/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

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

App::App(Places places) : places_(std::move(places)) {
  puzzles_ = puzzles_in(places_);
  set_theme(false);
}

void App::open(Book book) {
  const bool same = open_ && book.report.puzzle == book_.report.puzzle;
  book_ = std::move(book);
  open_ = true;
  if (!places_.root.empty())
    book_.measured = measurements(places_.root / "assets" / "recorded", book_.report.puzzle);
  title_ = book_.report.puzzle + "  " + book_.report.title;
  if (!same) {
    state.hints = 0, state.reveal = false, state.gpu = 0;
    if (!book_.report.gpus.empty()) {
      state.calculator.bandwidth = book_.report.gpus[0].dram_copy_bytes_per_second;
      state.calculator.launch_cost = book_.report.gpus[0].launch_overhead_s;
    }
    reset_scroll_ = state.listing_fresh = true;
    ui.forget_focus();
  }
  stale_ = false;
  watched_ = book_.origin == Origin::file ? std::filesystem::path() : source_path(places_, book_.report);
  std::error_code error;
  if (!watched_.empty()) {
    watched_time_ = std::filesystem::last_write_time(watched_, error);
    watched_size_ = std::filesystem::file_size(watched_, error);
  }
  if (!book_.report.source.empty() && !book_.report.file.empty()) {
    const auto now = text_now(places_, book_.report);
    stale_ = now && *now != book_.report.source;
  }
  remodel();
  if (!same) state.access = worst_of(models_.accesses);
  reload_history();
}

void App::open_puzzle(const std::string& name) {
  auto book = view::open_puzzle(places_, name);
  if (!book) return show_problem(book.error());
  regrade_.cancel();
  problem_.reset();
  open(std::move(*book));
}

void App::show_problem(const Error& error) { problem_ = error; }

void App::remodel() {
  state.gpu = std::min(state.gpu, book_.report.gpus.empty() ? 0 : book_.report.gpus.size() - 1);
  models_ = models_of(book_, state.gpu);
  state.access = models_.accesses.empty() ? 0 : std::min(state.access, models_.accesses.size() - 1);
}

void App::reload_history() {
  // Attempts are read beside the drawing: a hundred of them take longer than a frame.
  history_job_ = std::async(std::launch::async, [files = attempts_of(places_, book_.report.puzzle)] {
    std::vector<HistoryPoint> points;
    for (const AttemptFile& file : files)
      if (const auto report = read_report(file.path))
        points.push_back(history_point(*report, file.milliseconds));
    return points;
  });
}

void App::set_theme(bool dark) {
  ui.theme = theme_of(dark);
  if (ImGui::GetCurrentContext()) apply(ui.theme, ui.scale);
}

void App::set_scale(float scale) {
  scale = std::clamp(std::isfinite(scale) ? scale : 1.0f, 0.5f, 4.0f);
  if (scale == ui.scale) return;
  ui.scale = scale;
  scale_changed_ = true;
}

void App::start_regrade() {
  if (book_.origin == Origin::file) return;
  Regrade::Job job;
  job.grader = places_.grader;
  job.arguments = {book_.report.puzzle, "--root", places_.root.string()};
  if (!book_.report.gpus.empty())
    job.arguments.insert(job.arguments.end(), {"--gpu", book_.report.gpus.front().name});
  job.json = places_.attempts / book_.report.puzzle / ".viewer.json";
  job.folder = places_.root;
  for (const EntryReport& entry : book_.report.entries) job.checks += entry.checks.size();
  problem_.reset();
  if (auto error = regrade_.start(std::move(job))) show_problem(*error);
}

void App::watch_file() {
  if (watched_.empty()) return;
  std::error_code error;
  const auto time = std::filesystem::last_write_time(watched_, error);
  if (error) return;  // an editor that replaces the file; it will be back
  const auto size = std::filesystem::file_size(watched_, error);
  if (error || (time == watched_time_ && size == watched_size_)) return;
  watched_time_ = time, watched_size_ = size;
  stale_ = true;
  start_regrade();
}

bool App::poll() {
  bool fresh = false;
  const bool was_busy = regrade_.running();
  const std::string doing = regrade_.doing();
  watch_file();
  if (auto result = regrade_.poll()) {
    fresh = true;
    if (*result) {
      Book next;
      next.report = std::move(**result);
      next.origin = Origin::graded;
      next.path = book_.path;
      next.rungs = std::move(book_.rungs);
      // The ghost is the last run that counted something.
      const auto& entries = book_.report.entries;
      const bool counted =
          book_.origin != Origin::recording &&
          std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.student.has_value(); });
      next.before = counted ? std::optional(std::move(book_.report)) : std::move(book_.before);
      problem_.reset();
      open(std::move(next));
      puzzles_ = puzzles_in(places_);
    } else {
      show_problem(result->error());
    }
  }
  if (history_job_.valid() && history_job_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    history_ = history_job_.get();
    fresh = true;
  }
  return fresh || was_busy != regrade_.running() || regrade_.running() || doing != regrade_.doing();
}

void App::handle(Key key) {
  const auto go = [&](int tab) {
    if (tab == state.tab) return;
    state.tab = tab;
    state.open_tab = true;
  };
  if (key >= Key::first_tab && static_cast<int>(key) < static_cast<int>(Key::first_tab) + kTabs)
    go(static_cast<int>(key) - static_cast<int>(Key::first_tab));
  switch (key) {
    case Key::next_tab:
      return go((state.tab + 1) % kTabs);
    case Key::previous_tab:
      return go((state.tab + kTabs - 1) % kTabs);
    case Key::next_puzzle:
    case Key::previous_puzzle: {
      if (puzzles_.empty()) return;
      const auto here = std::find_if(puzzles_.begin(), puzzles_.end(),
                                     [&](const auto& p) { return p.id == book_.report.puzzle; });
      const std::size_t at = here == puzzles_.end() ? 0 : static_cast<std::size_t>(here - puzzles_.begin());
      const std::size_t step = key == Key::next_puzzle ? 1 : puzzles_.size() - 1;
      return open_puzzle(puzzles_[(at + step) % puzzles_.size()].id);
    }
    case Key::bigger:
      return set_scale(ui.scale * 1.1f);
    case Key::smaller:
      return set_scale(ui.scale / 1.1f);
    case Key::normal_size:
      return set_scale(1);
    case Key::dark:
      return set_theme(!ui.theme.dark);
    case Key::regrade:
      return start_regrade();
    case Key::cancel:
    case Key::escape:
      if (regrade_.running() && !ui.keyboard_used()) regrade_.cancel();
      help_ = false;
      return;
    case Key::help:
      help_ = !help_;
      return;
    case Key::page_down:
      scroll_delta_ += page_ * 0.85f;
      return;
    case Key::page_up:
      scroll_delta_ -= page_ * 0.85f;
      return;
    case Key::home:
      scroll_delta_ = -1e9f;
      return;
    case Key::end:
      scroll_delta_ = 1e9f;
      return;
    default:
      return;
  }
}

void App::scroll_to(const Rect& rect) { scroll_delta_ += rect.y - ImGui::GetIO().DisplaySize.y * 0.5f; }

void App::frame(Key key) {
  handle(key);
  if (std::exchange(state.gpu_changed, false)) remodel();
  ui.begin_frame(key);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("Fusebox", nullptr, kStill);
  const bool narrow = size.x < ui.px(1000);
  const float sidebar = narrow ? 0 : ui.px(212);
  if (!narrow) draw_sidebar({0, 0, sidebar, size.y});
  Rect rest{sidebar, 0, size.x - sidebar, size.y};
  if (open_) {
    for (float (App::*part)(const Rect&) : {&App::draw_header, &App::draw_banners, &App::draw_tabs}) {
      const float height = (this->*part)(rest);
      rest.y += height, rest.h -= height;
    }
    draw_content(rest);
  } else {
    rest.y += draw_banners({rest.x, ui.px(12), rest.w, rest.h});
    ui.text_center(Font::title, rest.x + rest.w / 2, rest.h * 0.42f, ui.theme.ink, "Nothing is open");
    ui.text_center(Font::body, rest.x + rest.w / 2, rest.h * 0.42f + ui.px(32), ui.theme.muted,
                   puzzles_.empty() ? "Grade a puzzle first: ./fusebox grade p20"
                                    : "Choose a puzzle at the left, or start with: ./fusebox view p20");
  }
  if (help_) {
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
  ImGui::End();
  ui.end_frame();
  if (std::exchange(state.open_tab, false)) {
    reset_scroll_ = state.listing_fresh = true;
    ui.forget_focus();
  }
}

void App::draw_sidebar(const Rect& area) {
  ui.fill(area, ui.theme.page);
  ui.vertical(area.right() - 1, area.y, area.bottom(), ui.theme.hairline);
  ui.text(Font::title, ui.px(20), ui.px(31), ui.theme.ink, "Fusebox");
  const auto solved = std::count_if(puzzles_.begin(), puzzles_.end(), [](const auto& p) { return p.solved; });
  ui.text(Font::small, ui.px(20), ui.px(58), ui.theme.muted,
          fmt::format("{} of {} puzzles solved", solved, puzzles_.size()));
  const float top = ui.px(80), row = ui.px(30), bottom = area.bottom() - ui.px(44);
  ImGui::SetCursorPos({0, top});
  ImGui::BeginChild("##puzzles", {area.w - 1, std::max(bottom - top, 1.0f)}, false, ImGuiWindowFlags_NoNav);
  float y = ImGui::GetCursorScreenPos().y;
  for (const PuzzleEntry& puzzle : puzzles_) {
    const Rect rect{ui.px(8), y, area.w - ui.px(18), row - ui.px(2)};
    const bool here = open_ && puzzle.id == book_.report.puzzle;
    const bool hot = ui.mark("puzzle", puzzle.id, rect);
    if (ui.clicked()) open_puzzle(puzzle.id);
    if (here) ui.fill(rect, faded(ui.theme.accent, 0.14f), ui.px(5));
    if (here) ui.fill({rect.x, rect.y + ui.px(5), ui.px(3), rect.h - ui.px(10)}, ui.theme.accent, ui.px(2));
    if (hot && !here) ui.fill(rect, ui.theme.raised, ui.px(5));
    const char* sign = puzzle.solved ? "✓" : puzzle.tried ? "~" : "○";
    ui.text(Font::body, ui.px(18), rect.middle(),
            puzzle.solved  ? ui.theme.good
            : puzzle.tried ? ui.theme.open
                           : ui.theme.faint,
            sign);
    ui.text(Font::bold, ui.px(38), rect.middle(), ui.theme.ink, puzzle.id);
    if (ui.text_fit(Font::small, ui.px(74), rect.middle(), rect.right() - ui.px(80),
                    here ? ui.theme.ink : ui.theme.muted, puzzle.title) &&
        hot)
      ui.tip({puzzle.id + "  " + puzzle.title, {}, ""});
    y += row;
  }
  ImGui::Dummy({1, row * static_cast<float>(puzzles_.size())});
  ImGui::EndChild();
  ui.text(Font::small, ui.px(20), area.bottom() - ui.px(24), ui.theme.faint, "F1: keys");
  const Rect help{ui.px(12), area.bottom() - ui.px(36), ui.px(80), ui.px(24)};
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
  else if (stale_ && !regrade_.running())
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
  return height;
}

void App::draw_content(const Rect& area) {
  ImGui::SetCursorPos({area.x, area.y});
  ImGui::BeginChild("##content", {area.w, std::max(area.h, 1.0f)}, false, ImGuiWindowFlags_NoNav);
  page_ = area.h;
  if (std::exchange(reset_scroll_, false)) {
    ImGui::SetScrollY(0);
    scroll_delta_ = 0;
  }
  if (scroll_delta_ != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + scroll_delta_, 0.0f, ImGui::GetScrollMaxY()));
  scroll_delta_ = 0;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  Panel panel{ui, book_, models_, state, history_};
  panel.x = origin.x + ui.px(24);
  panel.y = origin.y + ui.px(20);
  panel.width = area.w - ui.px(24 + 34);
  panel.height = area.h - ui.px(40);
  const float top = panel.y;
  kPanels[std::clamp(state.tab, 0, kTabs - 1)](panel);
  content_height_ = panel.y - top;
  if (panel.scroll >= 0) ImGui::SetScrollY(panel.scroll);
  ImGui::SetCursorPos({0, 0});
  ImGui::Dummy({1, content_height_ + ui.px(40)});
  ImGui::EndChild();
}

}  // namespace fusebox::view
