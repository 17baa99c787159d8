#include "grader/process/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

namespace fusebox {
namespace {

using namespace std::chrono_literals;

Child::Clock::time_point soon() { return Child::Clock::now() + 20s; }

/// What is written into `pipe` until nobody is left who could.
std::string all_of(Ends& pipe) {
  pipe.theirs.reset();
  std::string text;
  char bytes[4096];
  for (ssize_t got; (got = read(pipe.ours.get(), bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(got));
  return text;
}

struct Ran {
  std::string output;
  ProcessEnd end;
};
Ran run(Command command, const std::string& script) {
  Ends pipe = make_pipe();
  command.argv = {"sh", "-c", script};
  command.output = command.errors = pipe.theirs.get();
  Child child;
  EXPECT_EQ(child.start(command), 0);
  Ran ran;
  ran.output = all_of(pipe);
  EXPECT_TRUE(child.wait_until(soon()));
  ran.end = child.reap();
  EXPECT_FALSE(child);
  return ran;
}

// The same must hold for both ways to start a child: one that gets a signal when we end is forked.
class ChildTest : public testing::TestWithParam<int> {
 protected:
  Command command() const {
    Command command;
    command.at_our_end = GetParam();
    return command;
  }
};

TEST_P(ChildTest, HasWhatItsCommandSays) {
  Command with = command();
  EXPECT_EQ(run(with, "cat; ls /proc/self/fd | wc -l").output, "4\n")
      << "0, 1, 2 and the folder that ls reads";
  with.directory = "/";
  with.environment = {{"FUSEBOX_A=1", "PATH=/usr/bin:/bin"}};
  EXPECT_EQ(run(with, "echo $FUSEBOX_A-$HOME-$PWD").output, "1--/\n");
  Ends channel = make_socket_pair();
  with.channel = channel.theirs.get();
  EXPECT_EQ(run(with, "echo here >&3; ls /proc/self/fd | wc -l").output, "5\n");
  char word[5] = {};
  EXPECT_EQ(read(channel.ours.get(), word, 4), 4);
  EXPECT_STREQ(word, "here");
}

TEST_P(ChildTest, DescriptorsOfOursOnlyWhereTheyAreAskedFor) {
  const Descriptor ours(open("/dev/null", O_RDONLY));
  const std::string look = "[ -e /proc/self/fd/" + std::to_string(ours.get()) + " ] && echo there";
  Command with = command();
  EXPECT_EQ(run(with, look).output, "");
  with.other_descriptors = true;
  EXPECT_EQ(run(with, look).output, "there\n");
}

TEST_P(ChildTest, IsInTheGroupThatWasAskedFor) {
  // Fields 5 and 6 of stat are the group and the session.
  const char* const look = "echo $$; cut -d' ' -f5,6 /proc/$$/stat";
  const std::string ours = std::to_string(getpgrp()), session = std::to_string(getsid(0));
  Command with = command();
  for (const auto& [group, name] : {std::pair{Command::Group::ours, "ours"},
                                    {Command::Group::own, "own"},
                                    {Command::Group::session, "session"}}) {
    with.group = group;
    const std::string told = run(with, look).output;
    const std::string own = told.substr(0, told.find('\n'));
    EXPECT_EQ(told, own + "\n" + (group == Command::Group::ours ? ours : own) + " " +
                        (group == Command::Group::session ? own : session) + "\n")
        << name;
  }
}

TEST_P(ChildTest, SignalsAreIgnoredLikeOursOrNotAtAll) {
  const auto before = signal(SIGUSR1, SIG_IGN);
  Command with = command();
  const Ran ignoring = run(with, "kill -USR1 $$; echo alive");
  with.default_signals = true;
  const Ran plain = run(with, "kill -USR1 $$; echo alive");
  signal(SIGUSR1, before);
  EXPECT_EQ(ignoring.output, "alive\n");
  EXPECT_EQ(plain.output, "");
  EXPECT_FALSE(plain.end.exited);
  EXPECT_EQ(plain.end.code, SIGUSR1);
}

TEST_P(ChildTest, LimitsHold) {
  Command with = command();
  with.limits.file_bytes = 4096;
  // The limit comes a moment after the start.
  const Ran ran = run(with, "sleep 0.2; sh -c 'ulimit -f'");
  EXPECT_TRUE(ran.output == "8\n" || ran.output == "4\n") << ran.output;
}

TEST_P(ChildTest, OneThatCannotStartSaysWhy) {
  Command with = command();
  with.argv = {"/there/is/none"};
  Child child;
  EXPECT_EQ(child.start(with), ENOENT);
  EXPECT_FALSE(child);
  with.argv = {"sh", "-c", "exit 0"};
  with.directory = "/there/is/none";
  EXPECT_EQ(child.start(with), ENOENT);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_P(ChildTest, AllOfItsGroupEndsWithIt) {
  Ends pipe = make_pipe();
  Command with = command();
  with.argv = {"sh", "-c", "sleep 1000 & sleep 1000"};
  with.output = pipe.theirs.get();
  const auto begin = Child::Clock::now();
  {
    Child child;
    ASSERT_EQ(child.start(with), 0);
    EXPECT_FALSE(child.has_ended());
    EXPECT_FALSE(child.wait_until(Child::Clock::now() + 50ms));
    const ProcessEnd end = child.kill();
    EXPECT_FALSE(end.exited);
    EXPECT_EQ(end.code, SIGKILL);
    ASSERT_EQ(child.start(with), 0);  // ended by what destroys it
  }
  EXPECT_EQ(all_of(pipe), "") << "both are gone, or this would wait";
  EXPECT_LT(Child::Clock::now() - begin, 20s);
}

INSTANTIATE_TEST_SUITE_P(, ChildTest, testing::Values(0, SIGKILL),
                         [](const auto& each) { return each.param == 0 ? "Spawned" : "Forked"; });

TEST(Child, EndsWithTheThreadThatStartedIt) {
  Ends pipe = make_pipe();
  Command command;
  command.argv = {"sleep", "1000"};
  command.output = pipe.theirs.get();
  command.at_our_end = SIGKILL;
  Child child;
  std::thread([&] { EXPECT_EQ(child.start(command), 0); }).join();
  EXPECT_TRUE(child.wait_until(soon()));
  EXPECT_EQ(child.reap().code, SIGKILL);
}

TEST(Child, AProgramMayHaveAnotherName) {
  Ends pipe = make_pipe();
  Command command;
  command.program = "sh";
  command.argv = {"another", "-c", "echo $0"};
  command.output = pipe.theirs.get();
  Child child;
  ASSERT_EQ(child.start(command), 0);
  EXPECT_EQ(all_of(pipe), "another\n");
}

}  // namespace
}  // namespace fusebox
