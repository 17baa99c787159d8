// On a folder in the place of the kernel's: what is written where, and in which order.
#include "grader/confine/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class CgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-cgroup-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  /// A group as the kernel shows one, which hands `controllers` on.
  void group(const fs::path& name, const std::string& controllers) const {
    write(name / "cgroup.procs", "");
    write(name / "cgroup.controllers", "cpu memory pids\n");
    write(name / "cgroup.subtree_control", controllers);
  }
  /// A machine with one hierarchy of version 2, and this process in `own` of it.
  CgroupPlace find(const std::string& own, const std::string& root = "/") const {
    write("self/mountinfo", "22 1 0:20 / /proc rw,nosuid - proc proc rw\n30 25 0:26 " + root + " " +
                                (folder_ / "cgroup").string() +
                                " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    write("self/cgroup", "4:memory:/elsewhere\n0::" + own + "\n");
    return find_cgroup_place(folder_ / "self");
  }

  fs::path folder_;
};

TEST_F(CgroupTest, TheNearestGroupThatHandsBothControllersOnIsThePlace) {
  group("cgroup", "cpu memory pids\n");
  group("cgroup/user", "cpu\n");
  group("cgroup/user/app", "memory pids\n");
  group("cgroup/user/app/run.scope", "");
  group("cgroup/user/other", "memory\n");
  const struct {
    const char* own;
    const char* place;
  } rows[] = {{"/user/app/run.scope", "cgroup/user/app"},
              {"/user/app", "cgroup/user/app"},
              {"/user/other", "cgroup"},
              {"/", "cgroup"}};
  for (const auto& row : rows) EXPECT_EQ(find(row.own).folder, folder_ / row.place) << row.own;
  // As a container sees it: the mount shows a part of the hierarchy.
  EXPECT_EQ(find("/machine/user/app/run.scope", "/machine").folder, folder_ / "cgroup/user/app");
}

TEST_F(CgroupTest, WhereThereIsNoneItSaysWhy) {
  group("cgroup", "");
  EXPECT_THAT(find("/").why_none, HasSubstr("delegated"));
  EXPECT_THAT(find("/../x").why_none, HasSubstr("not seen"));
  EXPECT_THAT(find("/user", "/machine").why_none, HasSubstr("not seen"));
  write("cgroup/cgroup.controllers", "hugetlb\n");
  EXPECT_THAT(find("/").why_none, HasSubstr("controllers"));
  write("self/mountinfo", "22 1 0:20 / /proc rw,nosuid - proc proc rw\n");
  EXPECT_THAT(find_cgroup_place(folder_ / "self").why_none, HasSubstr("not mounted"));
  if (geteuid() == 0) return;  // may write everywhere
  group("cgroup", "memory pids\n");
  fs::permissions(folder_ / "cgroup/cgroup.procs", fs::perms::owner_read);
  EXPECT_THAT(find("/").why_none, HasSubstr("delegated"));
}

/// The names of the files that were written since, in order.
std::vector<std::string> written(int watch) {
  std::vector<std::string> names;
  alignas(inotify_event) char buffer[4096];
  for (ssize_t count = 0; (count = read(watch, buffer, sizeof buffer)) > 0;)
    for (char* at = buffer; at < buffer + count;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      names.emplace_back(event->name);
      at += sizeof *event + event->len;
    }
  return names;
}

TEST_F(CgroupTest, LimitsStandBeforeAnybodyEntersAndAllAreKilledAtTheEnd) {
  const fs::path group = folder_ / "answer";
  for (const char* name :
       {"memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cgroup.procs", "cgroup.kill"})
    write(fs::path("answer") / name, "");
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, group.c_str(), IN_CLOSE_WRITE), 0);
  {
    const Cgroup made(group, {.memory_bytes = 1 << 20, .processes = 9});
    EXPECT_EQ(made.problem(), "");
    std::string line;
    for (const std::string& word : made.entering({"sh", "-c", "echo $$ >" + (folder_ / "who").string()}))
      line += "'" + word + "' ";
    ASSERT_EQ(std::system(line.c_str()), 0);
  }
  EXPECT_THAT(written(watch), ElementsAre("memory.max", "memory.swap.max", "memory.oom.group", "pids.max",
                                          "cgroup.procs", "cgroup.kill"));
  close(watch);
  EXPECT_EQ(text_of(group / "memory.max"), "1048576");
  EXPECT_EQ(text_of(group / "memory.swap.max"), "0");
  EXPECT_EQ(text_of(group / "memory.oom.group"), "1");
  EXPECT_EQ(text_of(group / "pids.max"), "9");
  EXPECT_EQ(text_of(group / "cgroup.kill"), "1");
  // Who entered is who became the command.
  EXPECT_EQ(text_of(group / "cgroup.procs"), text_of(folder_ / "who"));
}

TEST_F(CgroupTest, WithoutALimitItHoldsNothing) {
  const Cgroup none(folder_ / "no/such/place", {1, 1});
  EXPECT_THAT(none.problem(), HasSubstr("cannot make"));
  write("answer/memory.max", "");
  write("answer/memory.oom.group", "");
  const Cgroup half(folder_ / "answer", {1, 1});
  EXPECT_THAT(half.problem(), HasSubstr("pids.max"));
}

// Before Linux 5.14 there is no cgroup.kill.
TEST_F(CgroupTest, WhoIsInItIsKilledOneByOneWhereItMustBe) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // ends it in another way
    pause();
  }
  {
    write("answer/cgroup.procs", "");
    const Cgroup made(folder_ / "answer", {1, 1});
    write("answer/cgroup.procs", std::to_string(child) + "\n");
    // Gone from the list once it is dead, as the kernel would have it.
    if (fork() == 0) {
      siginfo_t info{};
      while (kill(child, 0) == 0 && waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
             text_of("/proc/" + std::to_string(child) + "/stat").find(") Z") == std::string::npos)
        usleep(1000);
      write("answer/cgroup.procs", "");
      _exit(0);
    }
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  while (wait(nullptr) > 0) {
  }
}

TEST_F(CgroupTest, OnlyItsOwnLimitIsItsFault) {
  const Cgroup made(folder_ / "answer", {1, 1});
  const struct {
    const char* events;
    bool own;
  } rows[] = {{"low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n", true},
              {"low 0\nhigh 0\nmax 7\noom 0\noom_kill 2\n", false},  // the machine's
              {"low 0\nhigh 0\nmax 7\noom 3\noom_kill 0\n", false},
              {"", false}};
  for (const auto& row : rows) {
    write("answer/memory.events", row.events);
    EXPECT_EQ(made.ran_out_of_memory(), row.own) << row.events;
  }
}

TEST_F(CgroupTest, WhatAKilledRunLeftIsRemovedAndNothingElse) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const std::string left = "fusebox-" + std::to_string(gone) + "-3";
  for (const std::string& name :
       {left, cgroup_name("3"), std::string("user.slice"), std::string("fusebox-x")})
    fs::create_directory(folder_ / name);
  remove_left_cgroups(folder_);
  EXPECT_FALSE(fs::exists(folder_ / left));
  for (const std::string& name : {cgroup_name("3"), std::string("user.slice"), std::string("fusebox-x")})
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
}

}  // namespace
}  // namespace fusebox
