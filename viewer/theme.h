#pragma once

#include <imgui.h>

#include <string>

namespace fusebox::view {

enum class Font { small, body, bold, title, mono };
inline constexpr int kFonts = 5;

/// Colours by what they mean. The series colours are Okabe and Ito's, which people with any colour vision can
/// tell apart; nothing is told by colour alone.
struct Theme {
  bool dark = false;
  ImU32 page = 0, panel = 0, raised = 0, ink = 0, muted = 0, faint = 0, hairline = 0, accent = 0;
  ImU32 you = 0, reference = 0, before = 0;
  ImU32 requested = 0, compulsory = 0, dram = 0;
  ImU32 good = 0, bad = 0, open = 0, heat = 0;
};

Theme theme_of(bool dark);

/// `colour` with its opacity multiplied by `share`, 0..1.
ImU32 faded(ImU32 colour, float share);

/// The one type scale, in pixels at scale 1.
float font_size(Font font);

struct Fonts {
  ImFont* at[kFonts] = {};
  std::string problem;  ///< why a font could not be read; ImGui's own stands in for it
};

/// Fills the atlas of the current ImGui context for a scale of 0.5 to 4, from the distribution's DejaVu fonts
/// or those of `folder` when it is not empty.
Fonts load_fonts(float scale, const std::string& folder = "");

/// Colours and distances of ImGui's own windows.
void apply(const Theme& theme, float scale);

}  // namespace fusebox::view
