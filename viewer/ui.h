#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "viewer/theme.h"

namespace fusebox::view {

/// Keys that mean something here. The window translates its own.
enum class Key {
  none,
  up,
  down,
  left,
  right,
  page_up,
  page_down,
  home,
  end,
  enter,
  escape,
  next_tab,
  previous_tab,
  next_puzzle,
  previous_puzzle,
  bigger,
  smaller,
  normal_size,
  dark,
  regrade,
  cancel,
  help,
  first_tab,  ///< and the ten behind it, by number
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  float middle() const { return y + h / 2; }
  bool holds(ImVec2 p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  Rect inset(float by) const { return {x + by, y + by, w - 2 * by, h - 2 * by}; }
};

/// One line of a tooltip: a label and what it is.
struct TipLine {
  std::string label, value;
};
struct Tip {
  std::string title;
  std::vector<TipLine> lines;
  std::string note;  ///< a sentence: what is counted, where the number comes from
};

/// Something on the screen with a stable name: what the mouse, the keyboard and scripts can reach.
struct Mark {
  std::string name;
  Rect rect;
};

/// What drawing code is given: a list to draw on, the look, and the marks. One for the whole window.
class Ui {
 public:
  Theme theme;
  Fonts fonts;
  float scale = 1;

  // -- a frame
  void begin_frame(Key key);
  void end_frame();
  /// Everything below is drawn into the current ImGui window.
  ImDrawList& draw() { return *ImGui::GetWindowDrawList(); }
  float px(float at_scale_1) const { return at_scale_1 * scale; }
  /// Takes the key that was pressed, when it is this one; each press is taken once.
  bool take(Key key);

  // -- text. `y` is the middle of the line, so that sizes share a row.
  float width(Font font, std::string_view text) const;
  float line(Font font) const { return size(font) * 1.35f; }
  float size(Font font) const;
  void text(Font font, float x, float y, ImU32 colour, std::string_view text);
  void text_right(Font font, float right, float y, ImU32 colour, std::string_view text);
  void text_center(Font font, float x, float y, ImU32 colour, std::string_view text);
  /// Shortened with an ellipsis to fit; true when it had to be.
  bool text_fit(Font font, float x, float y, float width, ImU32 colour, std::string_view text);
  /// Wrapped into lines from `top` on; the height it took.
  float paragraph(Font font, float x, float top, float width, ImU32 colour, std::string_view text);
  float paragraph_height(Font font, float width, std::string_view text) const;

  // -- shapes
  void fill(const Rect& rect, ImU32 colour, float rounding = 0);
  void frame(const Rect& rect, ImU32 colour, float rounding = 0, float thickness = 1);
  void hairline(float x0, float x1, float y, ImU32 colour);
  void vertical(float x, float y0, float y1, ImU32 colour, float thickness = 1);
  /// Diagonal strokes: a second sign beside the colour.
  void hatch(const Rect& rect, ImU32 colour);
  /// A dashed outline; its sides alone.
  void ghost(const Rect& rect);
  void ghost_sides(const Rect& rect);
  /// A frame around what is chosen, in any panel.
  void chosen(const Rect& rect);

  // -- parts that scroll by themselves
  /// Everything until end_scroll() is drawn into `rect`, which the wheel and, when `keys`, the page keys
  /// move. Returns where its content begins.
  float begin_scroll(const char* id, const Rect& rect, bool keys);
  /// `bottom` is where the content ended.
  void end_scroll(float bottom);
  /// Brings the mark of that name into view, in whatever scrolls it, once it is drawn.
  void reveal(std::string name) { reveal_ = std::move(name); }
  /// What the page keys ask for, in pixels; the view that scrolls takes it.
  float scroll_by = 0;

  // -- marks
  /// Is the mouse on it, or the keyboard's focus? The focus is shown by a frame.
  bool mark(std::string_view kind, std::string_view id, const Rect& rect);
  /// The mark above was clicked, or Enter pressed on it.
  bool clicked() const { return clicked_; }
  /// The left or right key, pressed on the mark above: -1, 1, or 0.
  int nudged();
  bool held() const { return held_; }
  void tip(Tip tip) { tip_ = std::move(tip), has_tip_ = true; }
  /// In the middle of the window, whatever the mouse is on.
  void tip_in_the_middle(Tip tip) { this->tip(std::move(tip)), tip_centred_ = true; }
  const Rect* find(std::string_view name) const;
  const std::vector<Mark>& marks() const { return last_marks_; }
  void forget_focus() { focus_ = -1; }
  bool keyboard_used() const { return focus_ >= 0; }

  // -- widgets, each a mark
  bool button(std::string_view id, std::string_view label, float x, float y, bool primary = false);
  float button_width(std::string_view label) const;
  /// One of several words; the chosen one is filled. Returns the new choice.
  int choice(std::string_view id, const std::vector<std::string>& words, int chosen, float x, float y,
             float* right = nullptr);
  /// Position 0..1 on a line; `step` is what a key moves.
  bool slider(std::string_view id, const Rect& rect, double& position, double step);

 private:
  void draw_tip();
  void bring_into_view(const Rect& rect);
  Key key_ = Key::none;
  std::vector<Mark> marks_, last_marks_;
  int focus_ = -1, count_ = 0, last_count_ = 0;
  bool clicked_ = false, held_ = false, focused_ = false, scroll_to_focus_ = false;
  std::string held_name_, reveal_;
  float scroll_top_ = 0;
  Tip tip_;
  bool has_tip_ = false, tip_centred_ = false;
  ImVec2 tip_at_;
};

}  // namespace fusebox::view
