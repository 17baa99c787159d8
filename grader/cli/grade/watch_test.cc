// The watch mode, typed at through a pseudo-terminal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path kPrograms = fs::path(FUSEBOX_BINARY_DIR) / "bin";

/// The id of the puzzle that follows in the book.
std::string behind(const std::string& id) {
  for (std::size_t i = 0; i + 1 < puzzles().size(); ++i)
    if (puzzles()[i].id == id) return puzzles()[i + 1].id;
  return "none";
}

/// A checkout of its own, so that saving a puzzle and progress leave the real one alone.
class Watch : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-watch-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    for (const char* folder : {"puzzles", "solutions", "assets"})
      fs::copy(fs::path(FUSEBOX_SOURCE_DIR) / folder, root_ / folder, fs::copy_options::recursive);
    // The build folder is the program's: its own keeps the learner's progress out of this.
    fs::create_directories(root_ / "build/bin");
    for (const char* program : {"grader", "recorder"})
      fs::copy_file(kPrograms / program, root_ / "build/bin" / program);
    const auto compiler = find_checkout_compiler();
    ASSERT_TRUE(compiler.ok()) << compiler.error().what;
    nvcc_ = compiler->nvcc;
  }
  std::vector<std::string> command(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {(root_ / "build/bin/grader").string(), "--root", root_.string(), "--backend", "sim"});
    return words;
  }
  void start(const std::vector<std::string>& words) {
    std::vector<std::string> all = command(words);
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    // Set-up has not been in this checkout: what it installed is in the real one's build folder.
    setenv("FUSEBOX_NVCC", nvcc_.c_str(), 1);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int exit_code() {
    int status = -1;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void solve(const std::string& file) {
    fs::copy_file(root_ / "solutions" / file, root_ / "puzzles" / file, fs::copy_options::overwrite_existing);
  }
  void TearDown() override {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    if (terminal_ >= 0) close(terminal_);
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  /// Everything printed until `text` shows, which fails the test after a minute.
  std::string wait_for(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (unread_.find(text) == std::string::npos && std::chrono::steady_clock::now() < end) {
      pollfd output{terminal_, POLLIN, 0};
      if (poll(&output, 1, 100) <= 0) continue;
      char bytes[4096];
      const ssize_t count = read(terminal_, bytes, sizeof bytes);
      if (count <= 0) break;
      unread_.append(bytes, static_cast<std::size_t>(count));
    }
    EXPECT_THAT(unread_, HasSubstr(text));
    // What came in one piece with it is there for the next time.
    const std::string seen = unread_.substr(0, unread_.find(text) + text.size());
    unread_.erase(0, seen.size());
    return seen;
  }
  void type(const std::string& keys) {
    EXPECT_EQ(write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  fs::path root_;
  std::string nvcc_;
  std::string unread_;
  int terminal_ = -1;
  pid_t pid_ = -1;
};

TEST_F(Watch, StaysGradesOnSaveAndAnswersKeys) {
  start({"p04"});
  EXPECT_THAT(wait_for("> "), HasSubstr("Tensors: x, bias, out"));
  type("much\n");
  EXPECT_THAT(wait_for("> "), HasSubstr("is not understood"));
  type("1 x=3\n");
  EXPECT_THAT(wait_for("q quit"),
              HasSubstr("held against the reference: 1 of 2 right; `x` 1x, you guessed 3x."));
  solve("p04_bias_gelu.cu");
  const std::string solved = wait_for("q quit");
  EXPECT_THAT(solved, HasSubstr("p04 is solved"));
  EXPECT_THAT(solved, HasSubstr("Since the last run: 39 more checks pass, 39 of 39 now."));
  EXPECT_THAT(solved, Not(HasSubstr("Your guess")));
  type("d");
  wait_for("every counter equals the reference's");
  wait_for("q quit");
  type("h");
  wait_for("hint 1 of");
  wait_for("q quit");
  type("l");
  wait_for("The idea");
  wait_for("q quit");
  type("b");
  wait_for("1 of " + std::to_string(puzzles().size()) + " solved");
  wait_for("q quit");
  type("r");
  EXPECT_THAT(wait_for("q quit"), HasSubstr("nothing changed"));
  type("n");
  wait_for("> ");
  type("\n");
  EXPECT_THAT(wait_for("q quit"), HasSubstr(behind("p04")));
  type("q");
  EXPECT_EQ(exit_code(), 1) << "of the last run";
}

TEST_F(Watch, AsksOnceAndLosesNothingWhenItIsLeft) {
  start({"p04"});
  wait_for("> ");
  type("\x03");
  exit_code();
  close(terminal_);
  unread_.clear();
  start({"p04"});
  EXPECT_THAT(wait_for("q quit"), Not(HasSubstr("guess")));
  type("\x04");
  EXPECT_EQ(exit_code(), 1);
}

TEST_F(Watch, OnceNeitherStaysNorAsks) {
  start({"p04", "--once"});
  EXPECT_THAT(wait_for("write it in"), Not(HasSubstr("guess")));
  EXPECT_EQ(exit_code(), 1);
}

TEST_F(Watch, NeverInAPipe) {
  const auto ran = run_process(
      command({"p04"}), {.time_limit_s = 250, .directory = root_, .environment = {"FUSEBOX_NVCC=" + nvcc_}});
  ASSERT_TRUE(ran.ok()) << ran.error().what;
  EXPECT_EQ(ran->exit_code, 1);
  EXPECT_THAT(ran->output, Not(HasSubstr("guess")));
  EXPECT_THAT(ran->output, Not(HasSubstr("q quit")));
}

TEST_F(Watch, EndsWhereNothingCanBeGraded) {
  fs::remove(root_ / "solutions/p04_bias_gelu.cu");
  fs::create_directories(root_ / "build");
  std::ofstream(root_ / "build/progress.json") << R"({"p04": {"asked": true}})";
  start({"p04"});
  wait_for("git checkout -- solutions");
  EXPECT_EQ(exit_code(), 3);
}

}  // namespace
}  // namespace fusebox
