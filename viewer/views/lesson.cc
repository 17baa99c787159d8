#include <algorithm>

#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

void draw_code(Panel& p, const Block& block) {
  Ui& ui = p.ui;
  const auto lines = static_cast<float>(std::count(block.text.begin(), block.text.end(), '\n') + 1);
  const float height = lines * ui.line(Font::mono) + ui.px(16);
  ui.fill({p.x, p.y, p.width, height}, ui.theme.raised, ui.px(4));
  float y = p.y + ui.px(8);
  ui.draw().PushClipRect({p.x, p.y}, {p.right(), p.y + height}, true);
  for (std::size_t begin = 0; begin <= block.text.size();) {
    const std::size_t end = std::min(block.text.find('\n', begin), block.text.size());
    ui.text(Font::mono, p.x + ui.px(12), y + ui.line(Font::mono) / 2, ui.theme.ink,
            std::string_view(block.text).substr(begin, end - begin));
    y += ui.line(Font::mono);
    begin = end + 1;
  }
  ui.draw().PopClipRect();
  p.y += height + ui.px(10);
}

void draw_table(Panel& p, const Block& block) {
  Ui& ui = p.ui;
  std::size_t columns = 0;
  for (const auto& row : block.rows) columns = std::max(columns, row.size());
  if (columns == 0) return;
  std::vector<float> widths(columns, 0);
  for (std::size_t r = 0; r < block.rows.size(); ++r)
    for (std::size_t c = 0; c < block.rows[r].size(); ++c)
      widths[c] =
          std::max(widths[c], ui.width(r == 0 ? Font::bold : Font::body, block.rows[r][c]) + ui.px(24));
  float total = 0;
  for (const float width : widths) total += width;
  // Too wide: the widest column gives way.
  while (total > p.width) {
    auto widest = std::max_element(widths.begin(), widths.end());
    const float less = std::min(*widest - ui.px(60), total - p.width);
    if (less <= 0) break;
    *widest -= less, total -= less;
  }
  for (std::size_t r = 0; r < block.rows.size(); ++r) {
    const Font font = r == 0 ? Font::bold : Font::body;
    float height = ui.line(font), x = p.x;
    for (std::size_t c = 0; c < block.rows[r].size(); ++c)
      height = std::max(height, ui.paragraph_height(font, widths[c] - ui.px(20), block.rows[r][c]));
    for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
      ui.paragraph(font, x, p.y + ui.px(4), widths[c] - ui.px(20), r == 0 ? ui.theme.muted : ui.theme.ink,
                   block.rows[r][c]);
      x += widths[c];
    }
    p.y += height + ui.px(8);
    ui.hairline(p.x, p.x + std::min(total, p.width), p.y, ui.theme.hairline);
  }
  p.space(12);
}

void draw_block(Panel& p, const Block& block) {
  Ui& ui = p.ui;
  using Kind = Block::Kind;
  switch (block.kind) {
    case Kind::heading:
      p.space(block.level == 1 ? 0 : 10);
      p.y += ui.paragraph(block.level == 1 ? Font::title : Font::bold, p.x, p.y, p.width, ui.theme.ink,
                          block.text) +
             ui.px(6);
      break;
    case Kind::paragraph:
      p.y += ui.paragraph(Font::body, p.x, p.y, p.width, ui.theme.ink, block.text) + ui.px(10);
      break;
    case Kind::item:
      ui.text(Font::body, p.x + ui.px(4), p.y + ui.line(Font::body) / 2, ui.theme.muted, "•");
      p.y += ui.paragraph(Font::body, p.x + ui.px(20), p.y, p.width - ui.px(20), ui.theme.ink, block.text) +
             ui.px(5);
      break;
    case Kind::code:
      draw_code(p, block);
      break;
    case Kind::table:
      draw_table(p, block);
      break;
  }
}

}  // namespace

void draw_lesson(Panel& p) {
  Ui& ui = p.ui;
  const auto& hints = p.book.report.hints;
  if (p.models.lesson.empty() && hints.empty()) {
    p.nothing(
        "This report holds no lesson",
        "It is from an older version; grade again to have it, or: ./fusebox lesson " + p.book.report.puzzle);
    return;
  }
  const bool beside = p.width > ui.px(1090);  // code of a hundred columns needs the room
  const float side =
      beside ? std::clamp(p.width * 0.30f, ui.px(270), ui.px(400)) : std::min(p.width, ui.px(860));
  Panel text{p.ui, p.book, p.models, p.state, p.history};
  text.x = p.x, text.y = p.y,
  text.width = std::min(beside ? p.width - side - ui.px(40) : p.width, ui.px(860)), text.height = p.height;

  Panel aside{p.ui, p.book, p.models, p.state, p.history};
  aside.x = beside ? text.right() + ui.px(40) : p.x, aside.y = p.y, aside.width = side,
  aside.height = p.height;
  if (!hints.empty()) {
    const int count = static_cast<int>(hints.size());
    p.state.hints = std::clamp(p.state.hints, 0, count);
    aside.heading("Hints", std::to_string(p.state.hints) + " of " + std::to_string(count) + " shown");
    for (int i = 0; i < p.state.hints; ++i) {
      for (const Block& block : blocks_of(hints[static_cast<std::size_t>(i)])) draw_block(aside, block);
      ui.hairline(aside.x, aside.x + side, aside.y, ui.theme.hairline);
      aside.space(12);
    }
    if (p.state.hints < count) {
      const char* label = p.state.hints == 0 ? "Show a hint" : "Another one";
      if (ui.button("hint", label, aside.x, aside.y + ui.px(14), true)) ++p.state.hints;
      aside.space(44);
    }
  }
  if (!beside) text.y = aside.y + ui.px(10);
  for (const Block& block : p.models.lesson) draw_block(text, block);
  p.y = std::max(text.y, aside.y) + ui.px(20);
}

}  // namespace fusebox::view
