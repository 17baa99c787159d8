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

#include "grader/toolchain/checkout_compiler.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kPrograms = fs::path(FUSEBOX_BINARY_DIR) / "bin";

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
    const std::string grader = (root_ / "build/bin/grader").string();
    winsize size{};
    size.ws_row = 50;
    size.ws_col = 120;
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      // Set-up has not been in this checkout: what it installed is in the real one's build folder.
      setenv("FUSEBOX_NVCC", compiler->nvcc.c_str(), 1);
      execl(grader.c_str(), "grader", "--root", root_.c_str(), "--backend", "sim", nullptr);
      _exit(127);
    }
  }
  void TearDown() override {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    close(terminal_);
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
  void type(char key) { EXPECT_EQ(write(terminal_, &key, 1), 1); }

  fs::path root_;
  std::string unread_;
  int terminal_ = -1;
  pid_t pid_ = -1;
};

TEST_F(Watch, GradesOnSaveAndAnswersKeys) {
  EXPECT_THAT(wait_for("q quit"), HasSubstr("p04"));
  fs::copy_file(root_ / "solutions/p04_bias_gelu.cu", root_ / "puzzles/p04_bias_gelu.cu",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(wait_for("q quit"), HasSubstr("p04 is solved"));
  type('d');
  wait_for("every counter equals the reference's");
  wait_for("q quit");
  type('h');
  wait_for("hint 1 of");
  wait_for("q quit");
  type('n');
  EXPECT_THAT(wait_for("q quit"), HasSubstr("p08"));
  type('l');
  wait_for("1 of 7 solved");
  wait_for("q quit");
  type('q');
  int status = -1;
  EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
  pid_ = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace fusebox
