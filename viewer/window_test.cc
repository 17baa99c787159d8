// The program itself, in a real window of a virtual display with Mesa, and without any display.

#include <gtest/gtest.h>
#include <stb/stb_image.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "grader/report/json/json.h"
#include "viewer/model/sample_report.h"
#include "viewer/views/panel.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int code = -1;
  std::string output;
};

Ended run(const std::string& command) {
  Ended outcome;
  std::FILE* pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> bytes;
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe))
    outcome.output.append(bytes.data(), count);
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;  ///< RGB
};

Picture read_picture(const fs::path& path) {
  Picture picture;
  int channels = 0;
  unsigned char* data = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
  if (!data) return picture;
  picture.pixels.assign(data, data + picture.width * picture.height * 3);
  stbi_image_free(data);
  return picture;
}

/// Share of the pixels that differ by more than anti-aliasing does.
double difference(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height || a.pixels.empty()) return 1;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.pixels.size(); i += 3) {
    int most = 0;
    for (std::size_t c = i; c < i + 3; ++c) most = std::max(most, std::abs(a.pixels[c] - b.pixels[c]));
    different += most > 48;
  }
  return static_cast<double>(different) / (static_cast<double>(a.pixels.size()) / 3);
}

class Program : public testing::Test {
 protected:
  Program() : folder_(fs::path(testing::TempDir()) / ("viewer_window_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    // A workspace of its own: what is graded on this machine must not show.
    for (const char* name : {"puzzles", "assets"}) fs::create_directories(folder_ / name);
    write("a.json", to_json(sample_report()));
    write("b.json", to_json(sample_report(2)));
  }
  ~Program() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string viewer() const {
    return "FUSEBOX_ROOT=" + folder_.string() + " TZ=UTC " + std::string(FUSEBOX_BINARY_DIR) + "/bin/viewer ";
  }
  Ended without_display(const std::string& arguments) {
    return run("env -u DISPLAY -u WAYLAND_DISPLAY " + viewer() + arguments);
  }
  Ended with_display(const std::string& arguments) {
    const std::string command =
        "env -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s '-screen 0 1280x1024x24' env " +
        viewer() + arguments;
    // 5, which the viewer does not have, is xvfb-run's own: a dying server took a file away while it removed
    // them.
    constexpr int kCouldNotCleanUp = 5;
    Ended ended = run(command);
    return ended.code == kCouldNotCleanUp ? run(command) : ended;
  }
  static bool has_xvfb() { return std::system("command -v xvfb-run >/dev/null 2>&1") == 0; }
  fs::path folder_;
};

TEST_F(Program, NoDisplayIsOneLineAndExitCode3) {
  const Ended outcome = without_display("--student " + path("a.json"));
  EXPECT_EQ(outcome.code, 3) << outcome.output;
  EXPECT_TRUE(outcome.output.starts_with("viewer: there is no display")) << outcome.output;
}

TEST_F(Program, AnOldOpenGlIsSaid) {
  if (!has_xvfb()) GTEST_SKIP() << "Xvfb is not installed";
  const Ended ended = run("env MESA_GL_VERSION_OVERRIDE=3.0 LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a env " +
                          viewer() + "--student " + path("a.json") + " --screenshot " + path("none.png"));
  EXPECT_EQ(ended.code, 3) << ended.output;
  EXPECT_NE(ended.output.find("OpenGL 3.3"), std::string::npos) << ended.output;
}

TEST_F(Program, WhatCannotBeReadIsSaidBeforeAWindowOpens) {
  write("broken.json", to_json(sample_report()).substr(0, 5000));
  for (const std::string& arguments :
       {"--student " + path("broken.json"), "--student " + path("gone.json"), std::string("p77"),
        std::string("p70..p79"), std::string("--tab cloud"), std::string("--size 9"),
        std::string("--scale 99"), std::string("--theme blue"), std::string("--wings 2"),
        std::string("--tab"), "p20 --student " + path("a.json"), std::string("p20 p21"),
        "--student " + path("a.json") + " --script " + path("gone")}) {
    const Ended outcome = without_display(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << ": " << outcome.output;
    EXPECT_TRUE(outcome.output.starts_with("viewer: ")) << outcome.output;
  }
  EXPECT_EQ(without_display("--help").code, 0);
}

TEST_F(Program, PicturesAreAsTheyWere) {
  if (!has_xvfb()) GTEST_SKIP() << "Xvfb is not installed";
  std::string script;
  for (const char* tab : kTabNames) {
    if (std::string(tab) == "history") continue;
    script += std::string("tab ") + tab + "\nshot " + path(std::string(tab) + ".png") + "\n";
  }
  script +=
      "tab traffic\nhover bar:fused · you.requested\ntheme dark\nshot " + path("traffic_dark.png") + "\n";
  write("script", script);
  const Ended outcome =
      with_display("--student " + path("a.json") + " --size 960x640 --script " + path("script"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const fs::path golden = fs::path(FUSEBOX_SOURCE_DIR) / "viewer/testdata/pictures";
  std::vector<std::string> names(kTabNames, kTabNames + kTabs - 1);
  names.push_back("traffic_dark");
  // The same report at full size, in a window that is wide.
  write("full.json", to_json(sample_report_at_full_size()));
  script.clear();
  for (const char* tab : {"traffic", "timings"}) {
    script += std::string("tab ") + tab + "\nshot " + path(std::string(tab) + "_full.png") + "\n";
    names.push_back(std::string(tab) + "_full");
  }
  write("script", script);
  const Ended full =
      with_display("--student " + path("full.json") + " --size 1240x760 --script " + path("script"));
  ASSERT_EQ(full.code, 0) << full.output;
  for (const std::string& name : names) {
    const fs::path made = path(name + ".png");
    if (std::getenv("FUSEBOX_UPDATE_GOLDEN")) {
      fs::create_directories(golden);
      fs::copy_file(made, golden / (name + ".png"), fs::copy_options::overwrite_existing);
    }
    EXPECT_LT(difference(read_picture(made), read_picture(golden / (name + ".png"))), 0.005) << name;
  }
  EXPECT_GT(difference(read_picture(path("traffic.png")), read_picture(path("launches.png"))), 0.01)
      << "the tolerance tells panels apart";
}

TEST_F(Program, SizeScaleAndComparisonReachThePicture) {
  if (!has_xvfb()) GTEST_SKIP() << "Xvfb is not installed";
  const std::string student = "--student " + path("a.json") + " --tab traffic ";
  ASSERT_EQ(with_display(student + "--screenshot " + path("small.png") + " --size 960x640").code, 0);
  ASSERT_EQ(with_display(student + "--screenshot " + path("large.png") + " --size 1920x1280 --scale 2").code,
            0);
  ASSERT_EQ(with_display(student + "--reference " + path("b.json") + " --screenshot " + path("other.png") +
                         " --size 960x640")
                .code,
            0);
  const Picture small = read_picture(path("small.png")), large = read_picture(path("large.png"));
  EXPECT_EQ(small.width, 960);
  EXPECT_EQ(large.height, 1280);
  EXPECT_GT(difference(small, read_picture(path("other.png"))), 0.005);
  EXPECT_EQ(with_display(student + "--screenshot " + path("no/such/folder.png")).code, 3);
  write("script", "click bar:of gold\n");
  const Ended lost = with_display(student + "--script " + path("script"));
  EXPECT_EQ(lost.code, 2);
  EXPECT_NE(lost.output.find("script line 1"), std::string::npos) << lost.output;
}

}  // namespace
}  // namespace fusebox::view
