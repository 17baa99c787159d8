#include "viewer/app.h"

#include <algorithm>
#include <cmath>
#include <system_error>

namespace fusebox::view {
App::App(WorkspacePaths paths) : paths_(std::move(paths)) {
  puzzles_ = puzzles_in(paths_);
  set_theme(false);
}

void App::open(Book book) {
  const bool same = open_ && book.report.puzzle == book_.report.puzzle;
  book_ = std::move(book);
  open_ = true;
  if (!paths_.root.empty()) book_.measured = measurements(paths_.recorded(), book_.report.puzzle);
  full_.reset();
  // A recording of the reference stands in until there is a run of the learner's.
  if (book_.origin != Origin::file && !book_.report.full_size)
    book_.report.full_size = recorded_full_size(paths_, book_.report.puzzle);
  if (has_full_size(book_.report)) full_ = at_full_size(book_);
  title_ = book_.report.puzzle + "  " + book_.report.title;
  if (!same) {
    state.hints = 0, state.reveal = false, state.gpu = 0, state.listing = -1;
    state.counted = false;
    state.calculator = calculator_input(shown());
    reset_scroll_ = true;
    ui.forget_focus();
  }
  stale_ = false;
  watched_ = book_.origin == Origin::file ? std::filesystem::path() : source_path(paths_, book_.report);
  std::error_code error;
  if (!watched_.empty()) {
    watched_time_ = std::filesystem::last_write_time(watched_, error);
    watched_size_ = std::filesystem::file_size(watched_, error);
  }
  if (!book_.report.source.empty() && !book_.report.file.empty()) {
    const auto now = text_now(paths_, book_.report);
    stale_ = now && *now != book_.report.source;
  }
  remodel();
  // What was chosen is looked for again: lines stay where they are more often than accesses do.
  Selection chosen;
  if (same && state.selection.line > 0)
    chosen = select_line(models_.accesses, state.selection.label, state.selection.line);
  state.selection = std::move(chosen);
  state.listing_fresh = true;
  reload_history();
}

void App::open_puzzle(const std::string& name) {
  auto book = view::open_puzzle(paths_, name);
  if (!book) return show_problem(book.error());
  regrade_.cancel();
  problem_.reset();
  open(std::move(*book));
}

void App::show_problem(const Error& error) { problem_ = error; }

void App::remodel() {
  state.gpu = std::min(state.gpu, book_.report.gpus.empty() ? 0 : book_.report.gpus.size() - 1);
  models_ = models_of(book_, shown(), state.gpu);
}

void App::reload_history() {
  // Attempts are read beside the drawing: a hundred of them take longer than a frame.
  history_job_ = std::async(std::launch::async, [files = attempts_of(paths_, book_.report.puzzle)] {
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
  job.grader = paths_.grader();
  job.arguments = {book_.report.puzzle, "--root", paths_.root.string()};
  if (!book_.report.gpus.empty())
    job.arguments.insert(job.arguments.end(), {"--gpu", book_.report.gpus.front().name});
  job.json = paths_.attempts() / book_.report.puzzle / ".viewer.json";
  job.folder = paths_.root;
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
      next.ladder = std::move(book_.ladder);
      // The ghost is the last run that counted something.
      const auto& entries = book_.report.entries;
      const bool counted =
          book_.origin != Origin::recording &&
          std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.student.has_value(); });
      next.before = counted ? std::optional(std::move(book_.report)) : std::move(book_.before);
      problem_.reset();
      open(std::move(next));
      puzzles_ = puzzles_in(paths_);
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
      ui.scroll_by += page_ * 0.85f;
      return;
    case Key::page_up:
      ui.scroll_by -= page_ * 0.85f;
      return;
    case Key::home:
      ui.scroll_by = -1e9f;
      return;
    case Key::end:
      ui.scroll_by = 1e9f;
      return;
    default:
      return;
  }
}

}  // namespace fusebox::view
