// How long the viewer takes to its first frame, how long a frame takes, and what it costs while nothing
// happens: with the recorded p20, and with a report of 1,000 launches on each side and 2,000 lines. Without a
// display it starts a virtual one, where Mesa draws in software: what a machine without a GPU sees.

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

#include "grader/report/json/json.h"
#include "viewer/model/sample_report.h"
#include "viewer/window.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int measure(const std::string& name, const fs::path& report) {
  const auto begin = Clock::now();
  auto book = open_files(report.string(), "");
  if (!book) {
    fmt::print(stderr, "viewer_bench: {}\n", book.error().what);
    return 1;
  }
  const double read = since(begin);
  App app(WorkspacePaths{});
  app.open(std::move(*book));
  WindowOptions options;
  options.width = 1440, options.height = 900;
  auto window = Window::open(options, app);
  if (!window) {
    fmt::print(stderr, "viewer_bench: {}\n        {}\n", window.error().what, window.error().remedy);
    return exit_code(window.error().kind);
  }
  (*window)->frame(app);
  (*window)->finish();
  fmt::print("{}\n  first frame      {:7.0f} ms   (target 500), of which {:.0f} ms to read the report\n",
             name, 1e3 * since(begin), 1e3 * read);
  for (int tab = 0; tab < kTabs; ++tab) {
    app.set_tab(tab);
    (*window)->settle(app, 3);
    (*window)->finish();
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) {
      const auto frame = Clock::now();
      (*window)->frame(app);
      (*window)->finish();
      times.push_back(since(frame));
    }
    std::sort(times.begin(), times.end());
    fmt::print("  frame {:<10} {:7.2f} ms   (target 16.7), slowest {:.2f}\n", kTabNames[tab],
               1e3 * times[times.size() / 2], 1e3 * times.back());
  }
  app.set_tab(1);
  (*window)->run(app, 1);
  const double cpu = cpu_seconds();
  const auto idle = Clock::now();
  const int frames = (*window)->run(app, 4);
  fmt::print("  idle             {:7.2f} %    of a core (target 1), {} frames drawn in 4 s\n",
             100 * (cpu_seconds() - cpu) / since(idle), frames);
  return 0;
}

}  // namespace
}  // namespace fusebox::view

int main(int argc, char** argv) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY") && !getenv("FUSEBOX_BENCH_DISPLAY")) {
    setenv("FUSEBOX_BENCH_DISPLAY", "virtual", 1);
    std::vector<char*> words;
    char program[] = "xvfb-run", automatic[] = "-a", arguments[] = "-s", screen[] = "-screen 0 1600x1000x24";
    words = {program, automatic, arguments, screen};
    words.insert(words.end(), argv, argv + argc);
    words.push_back(nullptr);
    execvp(program, words.data());
    fmt::print(stderr, "viewer_bench: there is no display, and no xvfb-run (Debian: xvfb)\n");
    return 3;
  }
  namespace fs = std::filesystem;
  const fs::path huge = fs::temp_directory_path() / fmt::format("viewer_bench_{}.json", getpid());
  std::ofstream(huge) << fusebox::to_json(fusebox::view::huge_report(500, 2000));
  int code = fusebox::view::measure(
      "p20, recorded", fs::path(FUSEBOX_SOURCE_DIR) / "assets/recorded/reports/p20_layernorm_linear.json");
  if (code == 0)
    code = fusebox::view::measure("1,000 launches of the learner and as many of the reference, 2,000 lines",
                                  huge);
  fs::remove(huge);
  return code;
}
