#include "grader/toolchain/sandbox/sandbox.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "grader/confine/landlock.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/sandbox/environment.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class InSandbox : public testing::Test {
 protected:
  void SetUp() override {
    bubblewrap_ = confinement_here().bubblewrap;
    if (bubblewrap_.empty()) GTEST_SKIP() << "no bubblewrap: " << confinement_here().why_no_better;
    // Not in /tmp, which is another one in there.
    std::string pattern = (fs::path(FUSEBOX_BINARY_DIR) / "sandbox-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    for (const char* name : {"shown", "own"}) fs::create_directory(folder_ / name);
    std::ofstream(folder_ / "secret") << "a planted word\n";
    std::ofstream(folder_ / "shown/file") << "a shown word\n";
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::vector<std::string> command(const std::string& script) const {
    return in_sandbox({bubblewrap_, {folder_ / "shown", folder_ / "none"}, {folder_ / "own"}},
                      {"/bin/sh", "-c", script});
  }
  std::string output_of(const std::string& script) const { return output_of(command(script)); }
  std::string output_of(const std::vector<std::string>& words) const {
    const auto run =
        run_process(words, {.time_limit_s = 60, .directory = folder_ / "own", .environment = {}});
    return run ? run->output : run.error().what;
  }

  fs::path bubblewrap_, folder_;
};

TEST_F(InSandbox, AProgramSeesAndChangesWhatItIsGivenAlone) {
  const struct {
    const char* script;
    const char* says;
  } cases[] = {
      {"cat ../shown/file", "a shown word\n"},
      {"cat ../secret 2>/dev/null || echo none", "none\n"},
      {"ls ..", "own\nshown\n"},
      {"(echo x >../shown/file) 2>/dev/null || echo no", "no\n"},
      {"(echo x >/usr/fusebox) 2>/dev/null || echo no", "no\n"},
      {"echo kept >kept && cat kept", "kept\n"},
      {"ls /var/lib /boot 2>/dev/null | wc -l", "0\n"},
      {"ls -A /dev/shm | wc -l", "0\n"},
      {"head -c 64M /dev/zero 2>/dev/null >/tmp/much || echo full", "full\n"},
      {"head -c 64M /dev/zero 2>/dev/null >/dev/shm/much || echo full", "full\n"},
      {"grep : /proc/net/dev | grep -vc lo:", "0\n"},
      {"test $(ls -d /proc/[0-9]* | wc -l) -lt 9 && echo few", "few\n"},
      {"grep CapEff /proc/self/status | tr -d '\\t'", "CapEff:0000000000000000\n"},
      {"ls /etc/shadow 2>/dev/null || echo none", "none\n"},
  };
  for (const auto& each : cases) EXPECT_EQ(output_of(each.script), each.says) << each.script;
  EXPECT_EQ(text_of(folder_ / "own/kept"), "kept\n");
  EXPECT_EQ(text_of(folder_ / "shown/file"), "a shown word\n");
}

// Each word of the command is needed: without it, or with another one, the program sees or does something
// that it must not.
TEST_F(InSandbox, WithoutAnyOneOfItsWordsItHoldsLess) {
  using Words = std::vector<std::string>;
  const std::string shown = folder_ / "shown";
  struct Row {
    Words words, instead;
    std::string script;
    std::string held;   ///< what the script says in the whole sandbox
    bool root = false;  ///< for others bubblewrap does the same anyway
  };
  std::vector<Row> rows = {
      {{"--new-session"}, {}, "test $(cut -d' ' -f6 /proc/self/stat) = 0 || echo own", "own\n"},
      {{"--cap-drop", "ALL"}, {}, "grep -c 'CapEff.*00000$' /proc/self/status", "1\n", true},
      {{"--size", "33554432", "--tmpfs", "/tmp"},
       {"--tmpfs", "/tmp"},
       "head -c 64M /dev/zero 2>/dev/null >/tmp/much || echo full",
       "full\n"},
      {{"--ro-bind-try", shown, shown},
       {"--bind-try", shown, shown},
       "(echo x >>../shown/file) 2>/dev/null || echo no",
       "no\n"},
      {{"--tmpfs", "/tmp"},
       {"--bind", folder_, "/tmp"},
       "cat /tmp/secret 2>/dev/null || echo none",
       "none\n"},
  };
  for (const char* space : {"net", "pid", "ipc", "uts", "user"}) {
    const std::string link = fmt::format("/proc/self/ns/{}", space);
    rows.push_back(
        {{fmt::format("--unshare-{}", space)},
         {},
         fmt::format("test $(readlink {}) = '{}' || echo own", link, fs::read_symlink(link).string()),
         "own\n",
         space == std::string("user")});
  }
  for (const Row& row : rows) {
    if (row.root && geteuid() != 0) continue;
    Words words = command(row.script);
    EXPECT_EQ(output_of(words), row.held) << row.script;
    const auto found = std::search(words.begin(), words.end(), row.words.begin(), row.words.end());
    ASSERT_NE(found, words.end()) << row.words.front();
    const auto at = words.erase(found, found + static_cast<std::ptrdiff_t>(row.words.size()));
    words.insert(at, row.instead.begin(), row.instead.end());
    EXPECT_NE(output_of(words), row.held) << "without " << row.words.front() << ": " << row.script;
  }
}

// Nodes of a GPU that is none: /dev/null's number under their names, where root may make such.
TEST_F(InSandbox, OfDevicesThoseThatItIsGivenAreThereAndNoOthers) {
  fs::create_directory(folder_ / "dev");
  for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia0", "nvidia1"})
    if (mknod((folder_ / "dev" / name).c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
      GTEST_SKIP() << "device nodes cannot be made here";
  const std::vector<fs::path> given = {folder_ / "dev/nvidiactl", folder_ / "dev/nvidia-uvm",
                                       folder_ / "dev/nvidia1", folder_ / "dev/nvidia7"};
  const auto output = [&](const std::string& script) {
    return output_of(in_sandbox({bubblewrap_, {}, {folder_ / "own"}, given}, {"/bin/sh", "-c", script}));
  };
  EXPECT_EQ(output("ls ../dev"), "nvidia-uvm\nnvidia1\nnvidiactl\n");
  EXPECT_EQ(output("echo x >../dev/nvidia1 && echo written"), "written\n");
  EXPECT_EQ(output("ls /dev | grep -c nvidia"), "0\n");
}

// An executor in the place of the real one: it reaches its GPU where it sees a node, and no other.
TEST_F(InSandbox, AGpuIsInItWhenTheExecutorHasReachedItThere) {
  std::ofstream(folder_ / "executor") << "#!/bin/sh\ncd " << folder_.string()
                                      << "\ntest $CUDA_VISIBLE_DEVICES = GPU-1 && test -e nvidia1 && "
                                         "! test -e nvidia0 && exit 0\necho no device; exit 1\n";
  fs::permissions(folder_ / "executor", fs::perms::owner_all);
  for (const char* name : {"nvidia0", "nvidia1"}) std::ofstream(folder_ / name) << "";
  const auto why = [&](const GpuNodes& gpu) {
    return why_no_gpu_in_sandbox(bubblewrap_, folder_ / "executor", gpu);
  };
  EXPECT_EQ(why({{folder_ / "nvidia1"}, "GPU-1", ""}), "");
  EXPECT_EQ(why({{folder_ / "nvidia0"}, "GPU-1", ""}), "the GPU is not reached in bubblewrap: no device");
  EXPECT_EQ(why({{}, "", "there is none"}), "there is none");
}

TEST_F(InSandbox, AnExitCodeComesOut) {
  const auto run = run_process(command("exit 42"));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->exit_code, 42);
}

// Also what left its session, and its parents.
TEST_F(InSandbox, NothingOutlivesIt) {
  const auto run = run_process(command("(setsid sh -c 'while sleep 0.01; do echo x >>alive; done' "
                                       ">/dev/null 2>&1 &) ; sleep 60"),
                               {.time_limit_s = 1, .directory = folder_ / "own", .environment = {}});
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(run->timed_out);
  std::uintmax_t before = 0, now = 1;
  // It is killed a moment later, by the kernel.
  for (int tries = 0; tries < 100 && before != now; ++tries) {
    before = fs::file_size(folder_ / "own/alive");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    now = fs::file_size(folder_ / "own/alive");
  }
  EXPECT_EQ(before, now);
}

// In a group that is none nobody is held, whatever could be written there.
TEST(MemoryHold, AGroupCountsWhenAProgramHasEnteredIt) {
  EXPECT_EQ(memory_hold_here({"", "there is none"}).words,
            "limits for each process; no control group: there is none");
  std::string pattern = (fs::temp_directory_path() / "fusebox-groups-XXXXXX").string();
  const fs::path place = mkdtemp(pattern.data());
  MemoryHold hold = memory_hold_here({place, ""});
  EXPECT_TRUE(hold.groups.empty());
  EXPECT_THAT(hold.words, HasSubstr("memory.max: No such file"));
  const fs::path group = place / cgroup_name("probe");
  fs::create_directory(group);
  for (const char* name : {"memory.max", "memory.oom.group", "pids.max"}) std::ofstream(group / name) << "";
  hold = memory_hold_here({place, ""});
  EXPECT_TRUE(hold.groups.empty());
  EXPECT_THAT(hold.words, HasSubstr("nobody enters one in"));
  fs::remove_all(place);
}

class ConfinementHere : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    std::string pattern = (fs::temp_directory_path() / "fusebox-tier-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  /// With a program in the place of bubblewrap; empty: with none.
  Confinement with(const std::string& script) {
    const fs::path program = folder_ / "bwrap";
    if (!script.empty()) {
      std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
      fs::permissions(program, fs::perms::owner_all);
    }
    setenv("PATH", folder_.c_str(), 1);
    Confinement found = confinement_here();
    setenv("PATH", path_.c_str(), 1);
    return found;
  }

  fs::path folder_;
  std::string path_ = environment("PATH");
};

TEST_F(ConfinementHere, WithoutBubblewrapItSaysThatItIsMissing) {
  const Confinement found = with("");
  EXPECT_TRUE(found.bubblewrap.empty());
  EXPECT_THAT(found.tier, testing::MatchesRegex("Landlock [0-9]+, seccomp"));
  EXPECT_THAT(found.why_no_better, HasSubstr("package bubblewrap"));
}

TEST_F(ConfinementHere, ABubblewrapThatDoesNotWorkSaysWhy) {
  const Confinement found = with("echo 'bwrap: no permission to make a namespace'; exit 1");
  EXPECT_TRUE(found.bubblewrap.empty());
  EXPECT_THAT(found.tier, Not(HasSubstr("bubblewrap")));
  EXPECT_EQ(found.why_no_better, "bwrap: no permission to make a namespace");
  EXPECT_THAT(with("exit 3").why_no_better, HasSubstr("exit code 3"));
  // Nor is one that ends well and has not run what it should.
  EXPECT_THAT(with("exit 0").why_no_better, HasSubstr("exit code 0"));
}

TEST_F(ConfinementHere, ABubblewrapThatRunsAProgramIsTheBestTier) {
  const Confinement found = with("case $1 in --version) echo bubblewrap 9.9;; *) exit 7;; esac");
  EXPECT_EQ(found.bubblewrap, folder_ / "bwrap");
  EXPECT_THAT(found.tier, testing::MatchesRegex("bubblewrap 9.9, Landlock [0-9]+, seccomp"));
  EXPECT_EQ(found.why_no_better, "");
}

}  // namespace
}  // namespace fusebox
