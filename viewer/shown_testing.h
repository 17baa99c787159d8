#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "grader/report/json/json.h"
#include "viewer/app.h"
#include "viewer/model/sample_report.h"
#include "viewer/script.h"

namespace fusebox::view {

namespace fs = std::filesystem;

/// The whole window without a display, for tests: frames are drawn into ImGui's lists, the mouse and keys are
/// set by hand. It lives in a workspace of its own, with two recordings and one puzzle's file.
class Shown : public testing::Test {
 protected:
  Shown()
      : folder_(fs::path(testing::TempDir()) /
                ("viewer_" + std::to_string(::getpid()) + "_" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    for (const char* name :
         {"puzzles", "assets/recorded/reports", "build/bin", "build/reports", "assets/puzzles"})
      fs::create_directories(folder_ / name);
    paths_ = {folder_, folder_ / "build/bin", ""};
    write(paths_.recorded_reports() / "p98_other.json", to_json(sample_report(2)));
    write(paths_.recorded_reports() / "p99_sample.json", to_json(sample_report()));
    write(folder_ / "puzzles/p99_sample.cu", sample_report().source);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  }
  ~Shown() override {
    app_.reset();
    ImGui::DestroyContext();
    fs::remove_all(folder_);
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static Book book_of(Report report, Origin origin = Origin::file) {
    Book book;
    book.report = std::move(report);
    book.origin = origin;
    return book;
  }
  App& show(Book book) {
    app_.emplace(paths_);
    app_->ui.fonts = load_fonts(1);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    app_->open(std::move(book));
    frames(3);
    return *app_;
  }
  void frame(Key key = Key::none) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size_;
    io.DeltaTime = 1.0f / 60;
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(mouse_.x, mouse_.y);
    io.AddMouseButtonEvent(0, down_);
#else
    io.MousePos = mouse_;
    io.MouseDown[0] = down_;
#endif
    ImGui::NewFrame();
    app_->frame(key);
    ImGui::Render();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void hover(const std::string& name) {
    const Rect* rect = app_->ui.find(name);
    ASSERT_NE(rect, nullptr) << name;
    mouse_ = {rect->x + std::min(rect->w / 2, 20.0f), rect->middle()};
    frames(2);
  }
  void click(const std::string& name) {
    hover(name);
    down_ = true;
    frames(2);
    down_ = false;
    frames(2);
  }
  void go_to(const std::string& tab) {
    mouse_ = {-1, -1};
    app_->set_tab(tab_of(tab));
    frames(3);
  }
  /// Everything that would be drawn, as a number.
  std::uint64_t drawing() {
    frames(2);
    std::uint64_t hash = 0xcbf29ce484222325;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) {
        const float values[] = {vertex.pos.x, vertex.pos.y, vertex.uv.x, vertex.uv.y,
                                static_cast<float>(vertex.col)};
        for (const unsigned char* byte = reinterpret_cast<const unsigned char*>(values);
             byte < reinterpret_cast<const unsigned char*>(values + 5); ++byte)
          hash = (hash ^ *byte) * 0x100000001b3;
      }
    return hash;
  }
  std::size_t windows() const { return static_cast<std::size_t>(ImGui::GetDrawData()->CmdListsCount); }
  /// A stand-in for the grader: a shell script.
  void make_grader(const std::string& body) {
    write(paths_.grader(), "#!/bin/sh\n" + body);
    ::chmod(paths_.grader().c_str(), 0755);
  }
  void wait_for_grader() {
    for (int i = 0; i < 500 && app_->busy(); ++i) {
      app_->poll();
      frame();
      ::usleep(10'000);
    }
    ASSERT_FALSE(app_->busy());
    frames(2);
  }
  bool has_banner(const std::string& id) const { return app_->ui.find("banner:" + id) != nullptr; }

  fs::path folder_;
  WorkspacePaths paths_;
  std::optional<App> app_;
  ImVec2 mouse_{-1, -1};
  bool down_ = false;
  ImVec2 size_{1280, 800};
};

}  // namespace fusebox::view
