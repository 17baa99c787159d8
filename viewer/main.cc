#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "viewer/script.h"
#include "viewer/window.h"

namespace fusebox::view {
namespace {

constexpr const char* kUsage =
    "Usage: viewer [p20 | p08..p09] [flags]\n"
    "\n"
    "  p20                    a puzzle: your last report, or the reference's recorded one; saving it grades it\n"
    "  p08..p09               a ladder of puzzles, compared in Timings\n"
    "  --student FILE         a report instead; --reference FILE: another one to compare it with\n"
    "  --tab NAME             verdict traffic launches timings warp source roofline occupancy calculator lesson history\n"
    "  --theme light|dark     --size 1440x900     --scale 1.5     --fonts FOLDER\n"
    "  --screenshot FILE.png  draw one picture and stop\n"
    "  --script FILE          do what it says and stop (see viewer/script.h)\n"
    "  --seconds N            stop by itself, and say how many frames were drawn\n"
    "Exit codes: 0 well · 2 wrong usage · 3 no display, or something else is missing on this machine\n";

struct Arguments {
  std::string puzzle, student, reference, tab, theme, screenshot, script, fonts;
  int width = 1280, height = 800;
  float scale = 0;
  double seconds = 0;
};

int fail(const Error& error) {
  fmt::print(stderr, "viewer: {}\n", error.what);
  if (!error.remedy.empty()) fmt::print(stderr, "        {}\n", error.remedy);
  return exit_code(error.kind);
}

Error wrong(const std::string& what) {
  return {ErrorKind::wrong_usage, what, "viewer --help shows what there is"};
}

Result<Arguments> parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i], value;
    if (!word.starts_with("-")) {
      if (!a.puzzle.empty()) return wrong(fmt::format("two puzzles: {} and {}", a.puzzle, word));
      a.puzzle = word;
      continue;
    }
    if (const std::size_t at = word.find('='); at != std::string::npos) {
      value = word.substr(at + 1);
      word.resize(at);
    } else if (i + 1 < argc) {
      value = argv[++i];
    } else {
      return wrong(fmt::format("{} needs a value", word));
    }
    const auto number = [&](auto& into) {
      double parsed = 0;
      const auto [stop, bad] = std::from_chars(value.data(), value.data() + value.size(), parsed);
      into = static_cast<std::decay_t<decltype(into)>>(parsed);
      return bad == std::errc() && stop == value.data() + value.size();
    };
    if (word == "--student") {
      a.student = value;
    } else if (word == "--reference") {
      a.reference = value;
    } else if (word == "--tab") {
      a.tab = value;
      if (tab_of(value) < 0) return wrong(fmt::format("there is no tab `{}`", value));
    } else if (word == "--theme") {
      a.theme = value;
      if (value != "light" && value != "dark")
        return wrong(fmt::format("--theme is light or dark, not {}", value));
    } else if (word == "--screenshot") {
      a.screenshot = value;
    } else if (word == "--script") {
      a.script = value;
    } else if (word == "--fonts") {
      a.fonts = value;
    } else if (word == "--size") {
      if (!parse_size(value, a.width, a.height))
        return wrong(fmt::format("--size is like 1440x900, not {}", value));
    } else if (word == "--scale") {
      if (!number(a.scale) || !(a.scale >= 0.5f && a.scale <= 4))
        return wrong("--scale is between 0.5 and 4");
    } else if (word == "--seconds") {
      if (!number(a.seconds) || !(a.seconds > 0)) return wrong("--seconds is a number above 0");
    } else {
      return wrong(fmt::format("there is no flag {}", word));
    }
  }
  if (!a.puzzle.empty() && !(a.student + a.reference).empty())
    return wrong("give a puzzle, or reports, not both");
  return a;
}

/// "p08..p09": the puzzles in between that have a report.
Result<Book> open_ladder(const WorkspacePaths& paths, const std::string& from, const std::string& to) {
  Book book;
  for (const PuzzleEntry& puzzle : puzzles_in(paths)) {
    if (puzzle.id < from || puzzle.id > to) continue;
    auto step = open_puzzle(paths, puzzle.id);
    if (!step || step->origin == Origin::unseen) continue;
    const Report report = step->report;
    if (book.ladder.empty()) book = std::move(*step);
    book.ladder.push_back(report);
  }
  if (book.ladder.empty())
    return wrong(fmt::format("no puzzle from {} to {} has a report or a recording", from, to));
  return book;
}

Result<Book> open(const WorkspacePaths& paths, const Arguments& a) {
  if (!a.student.empty() || !a.reference.empty()) return open_files(a.student, a.reference);
  if (const std::size_t dots = a.puzzle.find(".."); dots != std::string::npos)
    return open_ladder(paths, a.puzzle.substr(0, dots), a.puzzle.substr(dots + 2));
  if (!a.puzzle.empty()) return open_puzzle(paths, a.puzzle);
  const auto puzzles = puzzles_in(paths);
  for (const PuzzleEntry& puzzle : puzzles)
    if (!puzzle.solved) return open_puzzle(paths, puzzle.id);
  if (!puzzles.empty()) return open_puzzle(paths, puzzles.front().id);
  return wrong("no recordings come with this version, and no report was named");
}

/// Carries a script out; an error names its line.
std::optional<Error> play(const std::vector<Command>& commands, Window& window, App& app) {
  float x = -1, y = -1;
  for (const Command& command : commands) {
    const auto refuse = [&](const std::string& what) {
      return Error{ErrorKind::wrong_usage, fmt::format("script line {}: {}", command.line, what), ""};
    };
    const auto& word = command.word;
    if (command.verb == "tab") {
      app.set_tab(tab_of(word));
    } else if (command.verb == "click" || command.verb == "hover" || command.verb == "expect") {
      const Rect* rect = app.ui.find(word);
      if (rect && command.verb != "expect") {
        app.ui.reveal(word);
        window.settle(app, 3);
        rect = app.ui.find(word);
      }
      if (!rect) return refuse(fmt::format("nothing here is called {}", word));
      if (command.verb == "expect") continue;
      x = rect->x + std::min(rect->w / 2, 40.0f), y = rect->middle();
      window.set_mouse(x, y, false);
      window.settle(app, 2);
      if (command.verb == "click") {
        window.set_mouse(x, y, true);
        window.settle(app, 2);
        window.set_mouse(x, y, false);
      }
    } else if (command.verb == "key") {
      window.frame(app, key_of(word));
    } else if (command.verb == "open") {
      app.open_puzzle(word);
    } else if (command.verb == "theme") {
      app.set_theme(word == "dark");
    } else if (command.verb == "scale") {
      app.set_scale(std::strtof(word.c_str(), nullptr));
    } else if (command.verb == "size") {
      int width = 0, height = 0;
      parse_size(word, width, height);
      window.resize(width, height);
    } else if (command.verb == "grade") {
      app.start_regrade();
      while (app.busy()) {
        app.poll();
        window.frame(app);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
      }
    }
    window.settle(app);
    while (app.loading()) {
      app.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    window.settle(app);
    if (command.verb == "shot")
      if (auto error = window.save_picture(word)) return error;
  }
  return std::nullopt;
}

int run(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--help" || std::string(argv[i]) == "-h") {
      fmt::print("{}", kUsage);
      return 0;
    }
  const auto arguments = parse(argc, argv);
  if (!arguments) return fail(arguments.error());
  std::vector<Command> commands;
  if (!arguments->script.empty()) {
    std::ifstream file(arguments->script);
    if (!file)
      return fail(
          {ErrorKind::wrong_usage, fmt::format("{}: there is no such script", arguments->script), ""});
    auto parsed = parse_script(std::string((std::istreambuf_iterator<char>(file)), {}));
    if (!parsed) return fail(parsed.error());
    commands = std::move(*parsed);
  }
  const WorkspacePaths paths = workspace_if_any(argv[0]);
  auto book = open(paths, *arguments);
  if (!book) return fail(book.error());

  App app(paths);
  if (!arguments->tab.empty()) app.set_tab(tab_of(arguments->tab));
  app.set_theme(arguments->theme == "dark");
  app.open(std::move(*book));
  WindowOptions options;
  options.width = arguments->width, options.height = arguments->height;
  options.scale = arguments->scale;
  options.fonts = arguments->fonts;
  options.hidden = !arguments->screenshot.empty() || !commands.empty();
  auto window = Window::open(options, app);
  if (!window) return fail(window.error());
  if (!arguments->screenshot.empty()) commands.push_back({"shot", arguments->screenshot, 0});
  if (!commands.empty()) {
    (*window)->settle(app);
    if (auto error = play(commands, **window, app)) return fail(*error);
    return 0;
  }
  const int frames = (*window)->run(app, arguments->seconds);
  if (arguments->seconds > 0) fmt::print("{} frames\n", frames);
  return 0;
}

}  // namespace
}  // namespace fusebox::view

int main(int argc, char** argv) { return fusebox::view::run(argc, argv); }
