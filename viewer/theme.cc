#include "viewer/theme.h"

#include <cmath>
#include <filesystem>
#include <vector>

namespace fusebox::view {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 255, hex >> 8 & 255, hex & 255, 255); }

// Latin, Greek, and the signs that panels and lessons use; the rest of Unicode would cost start time.
constexpr ImWchar kGlyphs[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2070, 0x209C,
                               0x2190, 0x2195, 0x2200, 0x2265, 0x2500, 0x2503, 0x25A0, 0x25CF,
                               0x2713, 0x2718, 0x27F5, 0x27F6, 0xFFFD, 0xFFFD, 0};

}  // namespace

Theme theme_of(bool dark) {
  Theme t;
  t.dark = dark;
  if (dark) {
    t.page = rgb(0x14171B), t.panel = rgb(0x1B1F25), t.raised = rgb(0x262B33);
    t.ink = rgb(0xE8EAED), t.muted = rgb(0xA3AAB5), t.faint = rgb(0x6D7582), t.hairline = rgb(0x2F353E);
    t.accent = rgb(0x56B4E9), t.you = rgb(0x56B4E9), t.reference = rgb(0xE69F00), t.before = rgb(0x7F8794);
    t.requested = rgb(0x56B4E9), t.compulsory = rgb(0x1FBF92), t.dram = rgb(0xD68CB4);
    t.good = rgb(0x2CC295), t.bad = rgb(0xFF7A45), t.open = rgb(0xE6B93C), t.heat = rgb(0xE8743B);
  } else {
    t.page = rgb(0xF4F5F6), t.panel = rgb(0xFFFFFF), t.raised = rgb(0xE9EBEE);
    t.ink = rgb(0x1A1E24), t.muted = rgb(0x59616C), t.faint = rgb(0x8B939E), t.hairline = rgb(0xDFE2E6);
    t.accent = rgb(0x0072B2), t.you = rgb(0x0072B2), t.reference = rgb(0xD98E00), t.before = rgb(0x9AA2AD);
    t.requested = rgb(0x0072B2), t.compulsory = rgb(0x009E73), t.dram = rgb(0xB8608F);
    t.good = rgb(0x00805D), t.bad = rgb(0xC44A00), t.open = rgb(0x8A6A00), t.heat = rgb(0xD55E00);
  }
  return t;
}

ImU32 faded(ImU32 colour, float share) {
  const auto alpha = static_cast<ImU32>(static_cast<float>(colour >> IM_COL32_A_SHIFT & 255) * share);
  return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

float font_size(Font font) {
  switch (font) {
    case Font::small:
      return 12.5f;
    case Font::body:
    case Font::bold:
      return 14.5f;
    case Font::title:
      return 20;
    case Font::mono:
      return 13.5f;
  }
  return 14.5f;
}

Fonts load_fonts(float scale, const std::string& folder) {
  constexpr const char* kFiles[kFonts] = {"DejaVuSans.ttf", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf",
                                          "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"};
  std::vector<std::filesystem::path> folders{folder};
  if (folder.empty())
    folders = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF",
               "/usr/share/fonts/dejavu-sans-fonts"};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  Fonts fonts;
  for (int i = 0; i < kFonts; ++i) {
    const float pixels = std::round(font_size(static_cast<Font>(i)) * scale);
    std::error_code error;
    for (const auto& place : folders) {
      const auto file = place / kFiles[i];
      // ImGui stops the program when a file is not there; an empty one reads as not there.
      if (fonts.at[i] || !std::filesystem::is_regular_file(file, error) ||
          std::filesystem::file_size(file, error) < 1000)
        continue;
      ImFontConfig config;
      config.OversampleH = 1, config.OversampleV = 1, config.PixelSnapH = true;
      fonts.at[i] = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kGlyphs);
    }
    if (fonts.at[i]) continue;
    fonts.problem = std::string(kFiles[i]) + " cannot be read; install fonts-dejavu-core for readable text";
    ImFontConfig config;
    config.SizePixels = pixels;
    fonts.at[i] = atlas.AddFontDefault(&config);
  }
  return fonts;
}

void apply(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.WindowRounding = style.ChildRounding = 0;
  style.ItemSpacing = {0, 0};
  style.ScrollbarSize = 12;
  style.ScrollbarRounding = 6;
  style.PopupRounding = 6;
  style.ScaleAllSizes(scale);
  const auto set = [&](ImGuiCol which, ImU32 colour) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  set(ImGuiCol_WindowBg, theme.page);
  set(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
  set(ImGuiCol_PopupBg, theme.panel);
  set(ImGuiCol_Border, theme.hairline);
  set(ImGuiCol_Text, theme.ink);
  set(ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0));
  set(ImGuiCol_ScrollbarGrab, faded(theme.faint, 0.45f));
  set(ImGuiCol_ScrollbarGrabHovered, faded(theme.faint, 0.7f));
  set(ImGuiCol_ScrollbarGrabActive, theme.faint);
  ImGui::GetStyle() = style;
}

}  // namespace fusebox::view
