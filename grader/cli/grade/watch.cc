#include "grader/cli/grade/watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "grader/cli/grade/attachments.h"
#include "grader/cli/grade/prediction.h"
#include "grader/cli/render/differences.h"
#include "grader/cli/render/render.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/process/child.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 100;
constexpr const char* kKeys = "save regrades · h hint · l lesson · b book · d diff · n next · r run · q quit";

volatile sig_atomic_t stop_asked = 0;

/// Keys come one by one and unseen while it lives, but for whole lines that are asked for.
class RawTerminal {
 public:
  RawTerminal() {
    known_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    take_keys();
  }
  ~RawTerminal() { give_back(); }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// A line as the terminal edits it; nothing when there is no more to read or somebody wants an end.
  std::optional<std::string> line() {
    give_back();
    std::string text;
    char byte = 0;
    bool more = true;
    while (stop_asked == 0 && (more = read(STDIN_FILENO, &byte, 1) == 1) && byte != '\n') text += byte;
    take_keys();
    if (stop_asked != 0 || !more) return std::nullopt;
    return text;
  }

 private:
  void take_keys() {
    if (!known_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  void give_back() {
    if (known_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  termios before_{};
  bool known_ = false;
};

/// A run of this very program with other words.
class OtherRun {
 public:
  ~OtherRun() { stop(); }
  bool running() const { return static_cast<bool>(child_); }

  void start(std::vector<std::string> words) {
    stop();
    words.insert(words.begin(), "/proc/self/exe");
    Command command;
    command.argv = std::move(words);  // of stdin it has nothing: keys are for the one who watches
    std::fflush(stdout);
    failed_ = child_.start(command) != 0;
  }
  /// Its exit code, once, when it has ended by itself.
  std::optional<int> ended() {
    if (std::exchange(failed_, false)) return 127;
    if (!running() || !child_.has_ended()) return std::nullopt;
    const ProcessEnd end = child_.reap();
    return end.exited ? end.code : 4;
  }
  void stop() {
    child_.signal(SIGTERM);
    child_.reap();
  }

 private:
  Child child_;
  bool failed_ = false;
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

std::vector<std::string> words_for(const WorkspacePaths& paths, const Options& options,
                                   std::vector<std::string> words) {
  for (const std::string& word :
       {std::string("--root"), paths.root.string(), std::string("--backend"), options.backend})
    words.push_back(word);
  for (const auto& [flag, text] : {std::pair("--from", options.from), std::pair("--entry", options.entry),
                                   std::pair("--cases", options.cases), std::pair("--json", options.json),
                                   std::pair("--junit", options.junit)})
    if (!text.empty()) words.insert(words.end(), {flag, text});
  for (const auto& [flag, given] :
       {std::pair("--fused", options.fused), std::pair("--unfused", options.unfused),
        std::pair("--verbose", options.verbose), std::pair("--no-color", options.no_color)})
    if (given) words.push_back(flag);
  words.insert(words.end(),
               {"--timeout", fmt::format("{}", options.timeout), "--memory",
                std::to_string(options.memory_mib), "--schedules", std::to_string(options.schedules)});
  if (options.schedule) words.insert(words.end(), {"--schedule", std::to_string(*options.schedule)});
  if (options.gpu_chosen) words.insert(words.end(), {"--gpu", options.gpu});
  if (options.seed) words.insert(words.end(), {"--seed", std::to_string(*options.seed)});
  return words;
}

/// Asks the learner for a prediction, once per puzzle, before its first grade.
void ask_for_prediction(const WorkspacePaths& paths, const Puzzle& puzzle, RawTerminal& terminal) {
  Progress progress = Progress::load(paths.progress());
  PuzzleProgress one = progress.of(puzzle.id);
  if (one.asked || one.tried || one.solved) return;
  one.asked = true;
  const std::vector<std::string> tensors = tensors_of(puzzle);
  fmt::print("{}", wrapped(prediction_question(puzzle), kWidth));
  for (bool understood = false; !understood;) {
    fmt::print("> ");
    std::fflush(stdout);
    const auto typed = terminal.line();
    if (!typed) break;
    const auto prediction = parse_prediction(*typed, tensors);
    understood = prediction.ok();
    if (understood)
      one.prediction = *typed;
    else
      fmt::print("{}",
                 wrapped(printable(prediction.error().what + ": " + prediction.error().remedy), kWidth));
  }
  progress.set(puzzle.id, one);
  (void)progress.save();  // where nothing can be kept it is asked again
}

/// Grades one puzzle again and again: after each save, and when a key asks for it.
class Watch {
 public:
  Watch(const WorkspacePaths& paths, const Options& options, fs::path folder, const Puzzle& first)
      : paths_(paths),
        options_(options),
        folder_(std::move(folder)),
        style_(style_for(STDOUT_FILENO, options.no_color)),
        puzzle_(&first) {}

  /// Until it is left; the last grade's exit code.
  int run();

 private:
  fs::path file() const { return folder_ / puzzle_->file_name(); }
  void begin() {
    ask_for_prediction(paths_, *puzzle_, terminal_);
    grade();
  }
  void grade();
  void prompt() const {
    fmt::print("{}\n", style_.quiet(kKeys));
    std::fflush(stdout);
  }
  void start_verb(std::vector<std::string> words);
  void go_to_next();
  void obey(char key);

  const WorkspacePaths& paths_;
  Options options_;
  fs::path folder_;
  Style style_;
  RawTerminal terminal_;
  const Puzzle* puzzle_;
  OtherRun child_;
  bool grading_ = false, clear_ = false;
  std::optional<Stamp> seen_;  ///< the file as it was graded
};

void Watch::grade() {
  seen_ = stamp_of(file());
  grading_ = true;
  // What was on the screen before the first run stays.
  if (clear_) fmt::print("\033[2J\033[H");
  clear_ = true;
  child_.start(words_for(paths_, options_, {puzzle_->id, "--once"}));
}

/// One that only prints.
void Watch::start_verb(std::vector<std::string> words) {
  words.insert(words.end(), {"--root", paths_.root.string()});
  if (options_.no_color) words.push_back("--no-color");
  child_.start(std::move(words));
}

void Watch::go_to_next() {
  child_.stop();
  const Puzzle* next = neighbour_of(*puzzle_);
  puzzle_ = next ? next : &puzzles().front();
  // Entries are of one puzzle.
  options_.fused = options_.unfused = false;
  options_.entry.clear();
  begin();
}

void Watch::obey(char key) {
  // The output of another command would mix with that of the grading.
  if (grading_ && key != 'r' && key != 'n') return;
  if (key == 'n') {
    go_to_next();
  } else if (key == 'r') {
    grade();
  } else if (key == 'h' || key == 'l') {
    start_verb({key == 'h' ? "hint" : "lesson", puzzle_->id});
  } else if (key == 'b') {
    start_verb({"list"});
  } else if (key == 'd') {
    Report none;
    none.puzzle = puzzle_->id;
    fmt::print("{}", render_differences(last_attempt(paths_, puzzle_->id).value_or(none)));
    prompt();
  }
}

int Watch::run() {
  int code = 1;
  begin();
  while (stop_asked == 0) {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&keys, 1, kLookEveryMs);
    if (const auto ended = child_.ended()) {
      if (grading_) code = *ended;
      if (grading_ && code > 1) return code;
      grading_ = false;
      prompt();
    }
    if (const auto now = stamp_of(file()); now && now != seen_) {
      grade();
      continue;
    }
    if (ready <= 0) continue;
    char key = 0;
    if (read(STDIN_FILENO, &key, 1) != 1) break;  // the terminal is gone
    if (key == 'q' || key == 4) break;
    obey(key);
  }
  child_.stop();
  fmt::print("\n");
  return code;
}

}  // namespace

int watch(const WorkspacePaths& paths, const Options& given, const Puzzle& first) {
  const auto folder = folder_of(paths, given);
  if (!folder) return fail(folder.error());
  struct sigaction stopping {};
  stopping.sa_handler = [](int) { stop_asked = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &stopping, nullptr);
  return Watch(paths, given, *folder, first).run();
}

}  // namespace fusebox
