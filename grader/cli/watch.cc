#include "grader/cli/watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "grader/cli/render.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"
#include "grader/report/json.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 100;

volatile sig_atomic_t stop_asked = 0;

/// Keys come one by one and unseen while it lives.
class RawTerminal {
 public:
  RawTerminal() {
    known_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!known_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~RawTerminal() {
    if (known_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

 private:
  termios before_{};
  bool known_ = false;
};

/// A run of this very program with other words.
class Child {
 public:
  ~Child() { stop(); }
  bool running() const { return pid_ > 0; }

  void start(std::vector<std::string> words) {
    stop();
    words.insert(words.begin(), "/proc/self/exe");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(stdout);
    pid_ = fork();
    if (pid_ != 0) return;
    setpgid(0, 0);
    // Keys are for the one who watches.
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  /// True once, when it has ended by itself.
  bool ended() {
    if (!running() || waitpid(pid_, nullptr, WNOHANG) != pid_) return false;
    pid_ = -1;
    return true;
  }
  void stop() {
    if (!running()) return;
    kill(-pid_, SIGTERM);
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

/// What tells one saved state of a file from the next; editors that replace the file change the inode's time
/// too.
struct Stamp {
  fs::file_time_type time;
  std::uintmax_t bytes = 0;
  bool operator==(const Stamp&) const = default;
};
std::optional<Stamp> stamp_of(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  const auto bytes = fs::file_size(file, error);
  if (error) return std::nullopt;
  return Stamp{time, bytes};
}

std::vector<std::string> words_for(const House& house, const Options& options,
                                   std::vector<std::string> words) {
  for (const std::string& word :
       {std::string("--root"), house.root.string(), std::string("--backend"), options.backend})
    words.push_back(word);
  if (options.gpu_chosen) words.insert(words.end(), {"--gpu", options.gpu});
  if (options.seed) words.insert(words.end(), {"--seed", std::to_string(*options.seed)});
  if (options.no_color) words.push_back("--no-color");
  return words;
}

const Puzzle& next_after(const Puzzle& puzzle) {
  const auto& all = puzzles();
  const auto at = static_cast<std::size_t>(&puzzle - all.data());
  return all[(at + 1) % all.size()];
}

}  // namespace

int watch(const House& house, const Options& options, const Puzzle& first) {
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  const RawTerminal terminal;
  struct sigaction stopping {};
  stopping.sa_handler = [](int) { stop_asked = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &stopping, nullptr);

  const Puzzle* puzzle = &first;
  Child child;
  bool grading = false;
  std::optional<Stamp> seen;
  const auto run = [&](std::vector<std::string> words) {
    child.start(words_for(house, options, std::move(words)));
  };
  const auto grade = [&] {
    seen = stamp_of(house.puzzles / puzzle->file_name());
    grading = true;
    fmt::print("\033[2J\033[H");
    run({puzzle->id});
  };
  const auto prompt = [&] {
    fmt::print(
        "{}\n",
        style.quiet(fmt::format(
            "watching {}; save it to grade again.  n next · h hint · l list · r run · d differences · q quit",
            shown(house.puzzles / puzzle->file_name()))));
    std::fflush(stdout);
  };

  grade();
  while (stop_asked == 0) {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&keys, 1, kLookEveryMs);
    if (child.ended()) prompt();
    if (const auto now = stamp_of(house.puzzles / puzzle->file_name()); now && now != seen) {
      grade();
      continue;
    }
    if (ready <= 0) continue;
    char key = 0;
    if (read(STDIN_FILENO, &key, 1) != 1) break;  // the terminal is gone
    // What is asked for beside a grading would mix with it.
    if (grading && child.running() && key != 'q' && key != 'r' && key != 'n') continue;
    grading = false;
    if (key == 'q' || key == 4) break;
    if (key == 'n') {
      puzzle = &next_after(*puzzle);
      grade();
    } else if (key == 'r') {
      grade();
    } else if (key == 'h') {
      run({"hint", puzzle->id});
    } else if (key == 'l') {
      run({"list"});
    } else if (key == 'd') {
      fmt::print("{}", render_differences(house, *puzzle));
      prompt();
    }
  }
  child.stop();
  fmt::print("\n");
  return 0;
}

std::string render_differences(const House& house, const Puzzle& puzzle) {
  const std::string none = fmt::format("{} has no report yet that could be compared.\n", puzzle.id);
  std::error_code error;
  fs::path newest;
  for (const auto& file : fs::directory_iterator(house.build / "reports" / puzzle.id, error))
    if (file.path().extension() == ".json" && file.path().filename() > newest.filename())
      newest = file.path();
  std::ifstream in(newest);
  const auto report = report_from_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!report) return none;
  std::string text;
  bool compared = false;
  for (const EntryReport& entry : report->entries) {
    if (!entry.student || !entry.reference) continue;
    compared = true;
    for (const CounterField& field : counter_fields()) {
      const auto sum = [&](const SideRun& side) {
        std::uint64_t all = 0;
        for (LaunchRecord launch : side.launches) all += field.get(launch.counters);
        return all;
      };
      const std::uint64_t mine = sum(*entry.student), theirs = sum(*entry.reference);
      if (mine != theirs)
        text += fmt::format("  {:<10} {:<52} {:>14} {:>14}\n", entry.entry, field.key, mine, theirs);
    }
  }
  if (!compared) return none;
  if (text.empty()) return fmt::format("{}: every counter equals the reference's.\n", puzzle.id);
  return fmt::format("  {:<10} {:<52} {:>14} {:>14}\n", "entry", "counter", "you", "reference") + text;
}

}  // namespace fusebox
