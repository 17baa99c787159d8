#include "viewer/ui.h"

#include <algorithm>
#include <cmath>

#include "viewer/plot/axis.h"

namespace fusebox::view {

void Ui::begin_frame(Key key) {
  key_ = key;
  count_ = 0;
  marks_.clear();
  has_tip_ = tip_centred_ = false;
  scroll_to_focus_ = false;
  if (!ImGui::GetIO().MouseDown[0]) held_name_.clear();
  if (ImGui::GetIO().MouseClicked[0]) focus_ = -1;
  const int step = key == Key::down ? 1 : key == Key::up ? -1 : 0;
  if (step != 0 && last_count_ > 0) {
    focus_ = focus_ < 0 ? (step > 0 ? 0 : last_count_ - 1) : (focus_ + step + last_count_) % last_count_;
    scroll_to_focus_ = true;
  }
  if (key == Key::escape) focus_ = -1;
}

void Ui::end_frame() {
  last_marks_.swap(marks_);
  last_count_ = count_;
  if (focus_ >= count_) focus_ = -1;
  if (has_tip_) draw_tip();
}

bool Ui::take(Key key) {
  if (key_ != key) return false;
  key_ = Key::none;
  return true;
}

// ---- text

float Ui::size(Font font) const { return fonts.at[static_cast<int>(font)]->FontSize; }

float Ui::width(Font font, std::string_view text) const {
  ImFont* f = fonts.at[static_cast<int>(font)];
  return f->CalcTextSizeA(f->FontSize, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

void Ui::text(Font font, float x, float y, ImU32 colour, std::string_view text) {
  if (text.empty()) return;
  ImFont* f = fonts.at[static_cast<int>(font)];
  draw().AddText(f, f->FontSize, {std::floor(x), std::floor(y - f->FontSize / 2)}, colour, text.data(),
                 text.data() + text.size());
}

void Ui::text_right(Font font, float right, float y, ImU32 colour, std::string_view text) {
  this->text(font, right - width(font, text), y, colour, text);
}

void Ui::text_center(Font font, float x, float y, ImU32 colour, std::string_view text) {
  this->text(font, x - width(font, text) / 2, y, colour, text);
}

bool Ui::text_fit(Font font, float x, float y, float width, ImU32 colour, std::string_view text) {
  if (this->width(font, text) <= width) {
    this->text(font, x, y, colour, text);
    return false;
  }
  // The longest beginning that leaves room for the dots, never cut inside a character.
  const float room = width - this->width(font, "…");
  std::size_t low = 0, high = text.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (this->width(font, text.substr(0, middle)) <= room)
      low = middle;
    else
      high = middle - 1;
  }
  while (low > 0 && (static_cast<unsigned char>(text[low]) & 0xC0) == 0x80) --low;
  if (room > 0) this->text(font, x, y, colour, std::string(text.substr(0, low)) + "…");
  return true;
}

float Ui::paragraph_height(Font font, float width, std::string_view text) const {
  ImFont* f = fonts.at[static_cast<int>(font)];
  const float raw = f->CalcTextSizeA(f->FontSize, 1e9f, width, text.data(), text.data() + text.size()).y;
  return std::round(raw / f->FontSize) * line(font);
}

float Ui::paragraph(Font font, float x, float top, float width, ImU32 colour, std::string_view text) {
  ImFont* f = fonts.at[static_cast<int>(font)];
  const float height = line(font);
  float y = top;
  const char *begin = text.data(), *end = text.data() + text.size();
  while (begin < end) {
    const char* stop = f->CalcWordWrapPositionA(1.0f, begin, end, width);
    if (stop == begin) ++stop;  // narrower than one character
    const char* newline = std::find(begin, stop, '\n');
    this->text(font, x, y + height / 2, colour, {begin, static_cast<std::size_t>(newline - begin)});
    y += height;
    begin = newline < stop ? newline + 1 : stop;
    while (begin < end && *begin == ' ' && newline == stop) ++begin;
    if (begin < end && *begin == '\n' && newline == stop) ++begin;
  }
  return y - top;
}

// ---- shapes

void Ui::fill(const Rect& r, ImU32 colour, float rounding) {
  if (r.w > 0 && r.h > 0) draw().AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, colour, rounding);
}

void Ui::frame(const Rect& r, ImU32 colour, float rounding, float thickness) {
  draw().AddRect({snap(r.x), snap(r.y)}, {snap(r.right()), snap(r.bottom())}, colour, rounding, 0, thickness);
}

void Ui::hairline(float x0, float x1, float y, ImU32 colour) {
  fill({std::floor(x0), std::floor(y), std::floor(x1) - std::floor(x0), std::max(1.0f, std::floor(scale))},
       colour);
}

void Ui::vertical(float x, float y0, float y1, ImU32 colour, float thickness) {
  fill({std::floor(x), std::floor(y0), std::max(1.0f, std::floor(thickness * scale)), y1 - y0}, colour);
}

void Ui::hatch(const Rect& r, ImU32 colour) {
  if (r.w < 3) return;
  draw().PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const float step = px(6);
  for (float x = r.x - r.h; x < r.right(); x += step)
    draw().AddLine({x, r.bottom()}, {x + r.h, r.y}, colour, px(1.2f));
  draw().PopClipRect();
}

void Ui::ghost_sides(const Rect& r) {
  const float dash = px(4);
  for (float x = r.x; x < r.right(); x += 2 * dash) {
    const float end = std::min(x + dash, r.right());
    draw().AddLine({x, snap(r.y)}, {end, snap(r.y)}, theme.before, px(1));
    draw().AddLine({x, snap(r.bottom())}, {end, snap(r.bottom())}, theme.before, px(1));
  }
}

void Ui::ghost(const Rect& r) {
  if (r.w <= 0) return;
  ghost_sides(r);
  draw().AddLine({snap(r.right()), r.y}, {snap(r.right()), r.bottom()}, theme.before, px(1));
}

void Ui::chosen(const Rect& r) {
  fill(r, faded(theme.accent, 0.12f), px(3));
  fill({r.x, r.y, px(3), r.h}, theme.accent);
}

// ---- scrolling

float Ui::begin_scroll(const char* id, const Rect& rect, bool keys) {
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::BeginChild(id, {std::max(rect.w, 1.0f), std::max(rect.h, 1.0f)}, false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
  if (keys && scroll_by != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + scroll_by, 0.0f, ImGui::GetScrollMaxY()));
  if (keys) scroll_by = 0;
  return scroll_top_ = ImGui::GetCursorScreenPos().y;
}

void Ui::end_scroll(float bottom) {
  ImGui::SetCursorPos({0, 0});
  ImGui::Dummy({1, std::max(bottom - scroll_top_, 1.0f)});
  ImGui::EndChild();
}

void Ui::bring_into_view(const Rect& rect) {
  if (ImGui::GetScrollMaxY() <= 0) return;
  const float top = ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
  if (rect.y < top || rect.bottom() > top + height)
    ImGui::SetScrollY(
        std::clamp(ImGui::GetScrollY() + rect.y - top - height / 3, 0.0f, ImGui::GetScrollMaxY()));
}

// ---- marks

bool Ui::mark(std::string_view kind, std::string_view id, const Rect& rect) {
  const int index = count_++;
  std::string name;
  name.reserve(kind.size() + 1 + id.size());
  name.append(kind).append(":").append(id);
  const ImGuiIO& io = ImGui::GetIO();
  const bool under =
      rect.holds(io.MousePos) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  focused_ = index == focus_;
  clicked_ = under && io.MouseClicked[0];
  if (clicked_) held_name_ = name;
  held_ = !held_name_.empty() && held_name_ == name;
  if (focused_) {
    frame({rect.x - px(2), rect.y - px(2), rect.w + px(4), rect.h + px(4)}, theme.accent, px(4), px(2));
    if (key_ == Key::enter) {
      clicked_ = true;
      key_ = Key::none;
    }
    if (scroll_to_focus_) bring_into_view(rect);
  }
  if (!reveal_.empty() && reveal_ == name) {
    bring_into_view(rect);
    reveal_.clear();
  }
  marks_.push_back({std::move(name), rect});
  const bool hot = under || (focused_ && focus_ >= 0);
  if (hot)
    tip_at_ = under ? ImVec2{io.MousePos.x + px(14), io.MousePos.y + px(16)}
                    : ImVec2{rect.x, rect.bottom() + px(6)};
  return hot;
}

int Ui::nudged() {
  if (!focused_) return 0;
  if (take(Key::left)) return -1;
  if (take(Key::right)) return 1;
  return 0;
}

const Rect* Ui::find(std::string_view name) const {
  for (const Mark& mark : last_marks_)
    if (mark.name == name) return &mark.rect;
  return nullptr;
}

void Ui::draw_tip() {
  const float pad = px(10), most = px(420);
  float labels = 0, values = 0;
  for (const TipLine& row : tip_.lines) {
    labels = std::max(labels, width(Font::small, row.label));
    values = std::max(values, width(Font::small, row.value));
  }
  const float gap = labels > 0 ? px(18) : 0;
  float inner =
      std::max(std::min(width(Font::bold, tip_.title), most), std::min(labels + gap + values, most));
  if (!tip_.note.empty()) inner = std::max(inner, std::min(width(Font::small, tip_.note), px(300)));
  const float note = tip_.note.empty() ? 0 : paragraph_height(Font::small, inner, tip_.note) + px(4);
  const float row_height = line(Font::small);
  const float title = tip_.title.empty() ? 0 : line(Font::bold) + px(3);
  Rect box{tip_at_.x, tip_at_.y, inner + 2 * pad,
           title + row_height * static_cast<float>(tip_.lines.size()) + note + 2 * pad - px(4)};
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  box.x = std::max(px(4), std::min(box.x, screen.x - box.w - px(4)));
  if (box.bottom() > screen.y - px(4)) box.y = std::max(px(4), tip_at_.y - box.h - px(28));
  if (tip_centred_) box.x = (screen.x - box.w) / 2, box.y = (screen.y - box.h) / 2;
  box = {std::floor(box.x), std::floor(box.y), std::ceil(box.w), std::ceil(box.h)};
  ImGui::SetNextWindowPos({box.x, box.y});
  ImGui::SetNextWindowSize({box.w, box.h});
  ImGui::Begin("##tip", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_Tooltip);
  fill(box, theme.panel, px(6));
  frame({box.x, box.y, box.w - 2, box.h - 2}, theme.faint, px(6));
  float y = box.y + pad - px(2);
  if (!tip_.title.empty()) {
    text_fit(Font::bold, box.x + pad, y + line(Font::bold) / 2, inner, theme.ink, tip_.title);
    y += title;
  }
  for (const TipLine& row : tip_.lines) {
    text(Font::small, box.x + pad, y + row_height / 2, theme.muted, row.label);
    if (row.label.empty())
      text_fit(Font::small, box.x + pad, y + row_height / 2, inner, theme.ink, row.value);
    else
      text_right(Font::small, box.right() - pad, y + row_height / 2, theme.ink, row.value);
    y += row_height;
  }
  if (!tip_.note.empty()) paragraph(Font::small, box.x + pad, y + px(4), inner, theme.muted, tip_.note);
  ImGui::End();
}

// ---- widgets

float Ui::button_width(std::string_view label) const { return width(Font::body, label) + px(22); }

bool Ui::button(std::string_view id, std::string_view label, float x, float y, bool primary) {
  const Rect rect{x, y - px(13), button_width(label), px(26)};
  const bool hot = mark("button", id, rect);
  fill(rect, primary ? faded(theme.accent, hot ? 0.85f : 1) : hot ? theme.hairline : theme.raised, px(5));
  text_center(Font::body, rect.x + rect.w / 2, rect.middle(), primary ? theme.panel : theme.ink, label);
  return clicked_;
}

int Ui::choice(std::string_view id, const std::vector<std::string>& words, int chosen, float x, float y,
               float* right) {
  float at = x + px(2), total = px(4);
  for (const std::string& word : words) total += width(Font::small, word) + px(18);
  fill({x, y - px(12), total, px(24)}, theme.raised, px(6));
  for (int i = 0; i < static_cast<int>(words.size()); ++i) {
    const Rect rect{at, y - px(10), width(Font::small, words[i]) + px(18), px(20)};
    const bool hot = mark("choice", std::string(id) + "." + words[i], rect);
    if (clicked_) chosen = i;
    if (i == chosen) {
      fill(rect, theme.panel, px(5));
      frame(rect, theme.faint, px(5));
    }
    text_center(Font::small, rect.x + rect.w / 2, rect.middle(), i == chosen || hot ? theme.ink : theme.muted,
                words[i]);
    at += rect.w;
  }
  if (right) *right = x + total;
  return chosen;
}

bool Ui::slider(std::string_view id, const Rect& rect, double& position, double step) {
  const bool hot = mark("slider", id, rect);
  const double old = position;
  const float inset = px(8), from = rect.x + inset, to = rect.right() - inset;
  if (held_) position = (ImGui::GetIO().MousePos.x - from) / std::max(1.0f, to - from);
  position += step * nudged();
  position = std::clamp(position, 0.0, 1.0);
  const float knob = from + (to - from) * static_cast<float>(position);
  fill({from, rect.middle() - px(2), to - from, px(4)}, theme.hairline, px(2));
  fill({from, rect.middle() - px(2), knob - from, px(4)}, theme.accent, px(2));
  draw().AddCircleFilled({knob, rect.middle()}, px(hot ? 8.0f : 7.0f), theme.accent, 24);
  draw().AddCircleFilled({knob, rect.middle()}, px(3), theme.panel, 16);
  return position != old;
}

}  // namespace fusebox::view
