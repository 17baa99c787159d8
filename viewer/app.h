#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/files.h"
#include "viewer/model/book/book.h"
#include "viewer/regrade.h"
#include "viewer/ui.h"
#include "viewer/views/panel.h"

namespace fusebox::view {

/// The whole window but the window itself: what is open, what is chosen, and one frame of drawing. Runs
/// without a display, given an ImGui context.
class App {
 public:
  explicit App(WorkspacePaths paths);

  void open(Book book);
  /// A puzzle of the list. What cannot be opened becomes a banner over what was open.
  void open_puzzle(const std::string& name);
  void show_problem(const Error& error);

  /// Draws one frame; ImGui::NewFrame was called and DisplaySize is set.
  void frame(Key key);
  /// Looks after the grader and the puzzle's file. True when there is something new to draw.
  bool poll();
  /// Must poll() be called often, although nothing moves?
  bool busy() const { return regrade_.running(); }
  /// Are attempts still being read?
  bool loading() const { return history_job_.valid(); }
  void start_regrade();

  void set_theme(bool dark);
  void set_scale(float scale);
  /// The fonts must be built for another scale before the next frame.
  bool take_scale_change() { return std::exchange(scale_changed_, false); }
  void set_tab(int tab) { state.tab = tab; }

  Ui ui;
  State state;
  const Book& book() const { return book_; }
  /// At the size that is shown.
  const Book& shown() const { return full_ && !state.counted ? *full_ : book_; }
  const Models& models() const { return models_; }
  const std::vector<HistoryPoint>& history() const { return history_; }
  const std::string& title() const { return title_; }

 private:
  struct Banner {
    std::string id, text, action;  ///< label of a button, or nothing
    bool bad = false;
  };
  void handle(Key key);
  void remodel();
  void reload_history();
  std::vector<Banner> banners() const;
  void draw_sidebar(const Rect& area);
  void draw_puzzle(const PuzzleEntry& puzzle, const Rect& rect, bool rail);
  void draw_nothing_open(const Rect& area);
  void draw_keys();
  void draw_chosen(float from, const Rect& area);
  float draw_header(const Rect& area);
  float draw_banners(const Rect& area);
  float draw_tabs(const Rect& area);
  void draw_content(const Rect& area);
  void watch_file();

  WorkspacePaths paths_;
  Book book_;
  std::optional<Book> full_;  ///< the same at full size, where there is one
  Models models_;
  bool open_ = false;
  std::string title_;
  std::vector<PuzzleEntry> puzzles_;
  std::vector<HistoryPoint> history_;
  std::future<std::vector<HistoryPoint>> history_job_;
  Regrade regrade_;
  std::optional<Error> problem_;
  bool stale_ = false;  ///< the file is no longer what was graded
  std::filesystem::path watched_;
  std::filesystem::file_time_type watched_time_{};
  std::uintmax_t watched_size_ = 0;
  bool scale_changed_ = false, help_ = false;
  bool reset_scroll_ = false;
  float page_ = 0;  ///< height of a panel
};

}  // namespace fusebox::view
