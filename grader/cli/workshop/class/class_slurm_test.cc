// A class on Slurm gives what the same class gives here. Once with a stand-in for sbatch, which runs the
// tasks of an array one after another, and once with the machine's own Slurm, a controller and a node of this
// test's.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "grader/process/run_process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kFusebox = FUSEBOX_SOURCE_DIR;
const std::string kCopy = "p01_copy.cu";

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// What a stand-in for sbatch does before it says which job it is.
const std::string kRunsTasks = R"(for script; do :; done
for option; do case $option in --chdir=*) cd "${option#--chdir=}";; esac; done
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
task=0
while [ $task -le $last ]; do
  SLURM_ARRAY_TASK_ID=$task sh "$script" >>log/$task.txt 2>&1
  task=$((task + 1))
done
)";

class ClassOnSlurm : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fusebox-queue-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "roster.csv") << "id,name\n";
    fs::create_directory(folder_ / "bin");
    fs::create_directory(folder_ / "handed");
    hand_in("ada", content(kFusebox / "solutions" / kCopy));
    hand_in("bob", "no program\n");
    enrol("cy");
    const char* path = getenv("PATH");
    environment_ = {"PATH=" + (folder_ / "bin").string() + ":" + (path ? path : "/usr/bin:/bin") +
                    ":/usr/sbin:/sbin"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  void enrol(const std::string& student) {
    std::ofstream(folder_ / "roster.csv", std::ios::app) << student << ",\n";
  }
  void hand_in(const std::string& student, const std::string& text) {
    enrol(student);
    fs::create_directory(folder_ / "handed" / student);
    std::ofstream(folder_ / "handed" / student / kCopy) << text;
  }
  void script(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / "bin" / name) << "#!/bin/sh\n" << text;
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  }
  ProcessResult run(const std::vector<std::string>& words) const {
    ProcessOptions options;
    options.time_limit_s = 600;
    options.directory = folder_;
    options.environment = environment_;
    const auto ran = run_process(words, options);
    return ran ? *ran : ProcessResult{-1, false, ran.error().what};
  }
  std::string grader(int exit, std::vector<std::string> words) const {
    words.insert(words.begin(), fs::path(FUSEBOX_BINARY_DIR) / "bin/workshop");
    words.insert(words.end(), {"--root", kFusebox.string()});
    const ProcessResult ran = run(words);
    EXPECT_EQ(ran.exit_code, exit) << ran.output;
    return ran.output;
  }
  std::string hand_over(int exit, const std::vector<std::string>& more = {"--slurm"},
                        const std::string& out = "out") const {
    std::vector<std::string> words = {"class",      "--puzzles", "p01", "--submissions", "handed", "--roster",
                                      "roster.csv", "--out",     out,   "--seed",        "5",      "--memory",
                                      "512"};
    words.insert(words.end(), more.begin(), more.end());
    return grader(exit, words);
  }
  /// The same class here gives the same tables, but for times.
  void expect_as_by_hand() const {
    hand_over(0, {}, "here");
    for (const char* file : {"results.csv", "cases.csv", "gradescope/ada.json", "exercism/bob/p01.json"})
      EXPECT_EQ(content(folder_ / "out" / file), content(folder_ / "here" / file)) << file;
  }

  fs::path folder_;
  std::vector<std::string> environment_;
};

TEST_F(ClassOnSlurm, GivesWhatTheSameClassGivesByHand) {
  script("sbatch", kRunsTasks + "echo 17\n");
  script("squeue", "exit 0\n");
  const std::string said = hand_over(0, {"--slurm", "--chunk", "1"});
  EXPECT_THAT(said, HasSubstr("2 of 3 answers are to be graded, in tasks of at most 1: 2 in all"));
  EXPECT_THAT(said, HasSubstr("submitted as job 17"));
  EXPECT_THAT(grader(0, {"collect", "out"}), HasSubstr("3 of 3 are graded"));
  EXPECT_EQ(content(folder_ / "out/results.csv"),
            "id,name,passed,p01\nada,,1,PASS\nbob,,0,COMPILE_ERROR\ncy,,0,INVALID_SUBMISSION\n");
  EXPECT_THAT(content(folder_ / "out/slurm/log/0.txt"), HasSubstr("PASS"));
  // Nothing is left to hand over.
  const std::string again = hand_over(0);
  EXPECT_THAT(again, Not(HasSubstr("submitted")));
  EXPECT_THAT(again, HasSubstr("3 of 3 are graded"));
  expect_as_by_hand();
}

TEST_F(ClassOnSlurm, IsPrintedWhereItIsNotToBeSubmitted) {
  script("sbatch", "echo 17\ntouch submitted\n");
  script("squeue", "exit 0\n");
  const std::string said = hand_over(0, {"--slurm=print", "--sbatch=--partition=teach"});
  EXPECT_THAT(said, HasSubstr("sbatch --parsable --chdir=" + (folder_ / "out/slurm").string() +
                              " --partition=teach " + (folder_ / "out/slurm/array.sh").string() + "\n"));
  EXPECT_FALSE(fs::exists(folder_ / "out/slurm/submitted"));
  EXPECT_FALSE(fs::exists(folder_ / "submitted"));
  // Who handed in nothing has a row already; the rest is named.
  const std::string collected = grader(3, {"collect", "out"});
  EXPECT_THAT(collected, HasSubstr("1 of 3 are graded"));
  EXPECT_THAT(collected, HasSubstr("not graded yet 2: ada p01, bob p01"));
  EXPECT_EQ(content(folder_ / "out/results.csv"),
            "id,name,passed,p01\nada,,0,\nbob,,0,\ncy,,0,INVALID_SUBMISSION\n");
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "out/slurm").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_THAT(hand_over(2, {"--slurm=later"}), HasSubstr("--slurm=later"));
}

TEST_F(ClassOnSlurm, AMachineWithoutSlurmSaysHowToSubmitElsewhere) {
  environment_ = {"PATH=" + (folder_ / "bin").string()};
  const std::string said = hand_over(3);
  EXPECT_THAT(said, HasSubstr("there is no sbatch on this machine: nothing is submitted"));
  EXPECT_THAT(said, HasSubstr("\nsbatch --parsable"));
  EXPECT_THAT(grader(3, {"collect", "nowhere"}), HasSubstr("--slurm"));
}

TEST_F(ClassOnSlurm, WhatSlurmRefusesIsToldAndTheCommandWithIt) {
  script("sbatch",
         "echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2\nexit 1\n");
  script("squeue", "exit 0\n");
  const std::string said = hand_over(3);
  EXPECT_THAT(said, HasSubstr("no such partition"));
  EXPECT_THAT(said, HasSubstr("add --sbatch=--partition=NAME"));
  EXPECT_THAT(said, HasSubstr("\nsbatch --parsable"));
}

TEST_F(ClassOnSlurm, OneArrayAtATimeIsAtWork) {
  script("sbatch", "echo 17\n");
  script("squeue", "echo '17_[0]'\n");
  hand_over(0);
  EXPECT_THAT(hand_over(3), HasSubstr("job 17 of this class waits or runs"));
  EXPECT_THAT(grader(3, {"collect", "out"}), HasSubstr("job 17 waits or runs"));
  script("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2\nexit 1\n");
  EXPECT_THAT(grader(3, {"collect", "out"}), HasSubstr("hands in what is left"));
  EXPECT_THAT(hand_over(0), HasSubstr("submitted as job 17"));
}

// An array that was only printed, or waited for long, and meanwhile the class was submitted again.
TEST_F(ClassOnSlurm, ATaskOfAnOlderManifestGradesNothing) {
  script("sbatch", "echo 17\n");
  script("squeue", "exit 0\n");
  hand_over(0);
  fs::copy(folder_ / "out/slurm/array.sh", folder_ / "old.sh");
  hand_in("dan", "no program either\n");
  hand_over(0);
  environment_.push_back("SLURM_ARRAY_TASK_ID=0");
  const ProcessResult task = run({"sh", "old.sh"});
  EXPECT_EQ(task.exit_code, 3);
  EXPECT_THAT(task.output, HasSubstr("handed in anew"));
  EXPECT_FALSE(fs::exists(folder_ / "out/rows/ada"));
}

// Other users of a node may read the words of a command, but not its environment.
TEST_F(ClassOnSlurm, TheSeedReachesTheGraderByItsEnvironment) {
  environment_.push_back("FUSEBOX_SEED=4711");
  const ProcessResult graded = run({fs::path(FUSEBOX_BINARY_DIR) / "bin/grader", "p01", "--from",
                                    "handed/bob", "--once", "--root", kFusebox.string()});
  EXPECT_THAT(graded.output, HasSubstr("seed 4711"));
}

// A controller and a node, with their keys, logs and state in a folder of this test's.
class RealSlurm : public ClassOnSlurm {
 protected:
  void SetUp() override {
    ClassOnSlurm::SetUp();
    for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch"})
      if (run({program, "--help"}).exit_code < 0 && run({program, "-h"}).exit_code < 0)
        GTEST_SKIP() << "skipped: no " << program << " (Debian: slurmctld slurmd slurm-client munge)";
    if (geteuid() != 0) GTEST_SKIP() << "skipped: a node of Slurm is started by root alone";
    daemons_ = folder_ / "daemons";
    fs::create_directories(daemons_ / "state");
    fs::create_directories(daemons_ / "spool");
    std::ofstream(daemons_ / "munge.key") << std::string(1024, 'k');
    fs::permissions(daemons_ / "munge.key", fs::perms::owner_read);
    std::ofstream(daemons_ / "slurm.conf") << configuration();
    environment_.push_back("SLURM_CONF=" + (daemons_ / "slurm.conf").string());
    const auto at = [&](const char* name) { return (daemons_ / name).string(); };
    bool started = start({"munged", "--force", "--key-file=" + at("munge.key"),
                          "--socket=" + at("munge.sock"), "--pid-file=" + at("munged.pid"),
                          "--log-file=" + at("munged.log"), "--seed-file=" + at("munge.seed")});
    started = started && start({"slurmctld"}) && start({"slurmd", "-N", "localhost"}) && comes_true([&] {
                return run({"sinfo", "-h", "-o", "%t"}).output.find("idle") == 0;
              });
    // What a sandbox forbids to a cluster's daemons is no fault of ours.
    if (!started)
      GTEST_SKIP() << "skipped: Slurm does not come up on this machine\n"
                   << run({"sinfo"}).output << content(daemons_ / "slurmctld.log")
                   << content(daemons_ / "slurmd.log");
  }
  void TearDown() override {
    if (!daemons_.empty()) {
      run({"scancel", "--user=root"});
      for (const char* file : {"slurmd.pid", "slurmctld.pid", "munged.pid"}) end(daemons_ / file);
    }
    ClassOnSlurm::TearDown();
  }

  // Memory is as much as somebody says: what the machine of a test has does not matter.
  std::string configuration() const {
    std::string text = R"(ClusterName=fusebox
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthInfo=cred_expire=5,socket=@/munge.sock
StateSaveLocation=@/state
SlurmdSpoolDir=@/spool
SlurmctldPidFile=@/slurmctld.pid
SlurmdPidFile=@/slurmd.pid
SlurmctldLogFile=@/slurmctld.log
SlurmdLogFile=@/slurmd.log
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0
KillWait=2
MaxArraySize=11
NodeName=localhost CPUs=2 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
)";
    for (std::size_t at; (at = text.find('@')) != text.npos;) text.replace(at, 1, daemons_.string());
    return text + "SlurmctldPort=" + free_port() + "\nSlurmdPort=" + free_port() + "\n";
  }
  static std::string free_port() {
    const int opened = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(opened, reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(opened, reinterpret_cast<sockaddr*>(&address), &size);
    close(opened);
    return std::to_string(ntohs(address.sin_port));
  }
  bool start(const std::vector<std::string>& words) const { return run(words).exit_code == 0; }
  static void end(const fs::path& file) {
    pid_t pid = 0;
    if (!(std::ifstream(file) >> pid) || pid <= 1) return;
    kill(pid, SIGTERM);
    if (!comes_true([&] { return kill(pid, 0) != 0 || is_dead(pid); })) kill(pid, SIGKILL);
  }
  // Nobody may wait for it where the first process of a machine does not.
  static bool is_dead(pid_t pid) {
    return content("/proc/" + std::to_string(pid) + "/stat").find(") Z ") != std::string::npos;
  }
  template <class Condition>
  static bool comes_true(Condition condition) {
    for (int tenths = 0; tenths < 1200; ++tenths) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }
  bool queue_is_empty() const { return run({"squeue", "-h"}).output.empty(); }

  fs::path daemons_;
};

TEST_F(RealSlurm, GradesAClassAndIsAskedForNothingThatItHasNot) {
  EXPECT_THAT(hand_over(3, {"--slurm", "--sbatch=--partition=nope"}), HasSubstr("no such partition"));
  EXPECT_THAT(hand_over(3, {"--slurm", "--sbatch=--mem=100G"}), HasSubstr("has the memory"));
  EXPECT_THAT(hand_over(3, {"--slurm", "--backend", "gpu"}), HasSubstr("no node of the partition has a GPU"));
  EXPECT_THAT(hand_over(3, {"--slurm", "--sbatch=--array=0-99"}), HasSubstr("more tasks than Slurm takes"));
  EXPECT_THAT(hand_over(0, {"--slurm", "--chunk", "1"}), HasSubstr("submitted as job"));
  ASSERT_TRUE(comes_true([&] { return queue_is_empty(); }));
  EXPECT_THAT(grader(0, {"collect", "out"}), HasSubstr("3 of 3 are graded"));
  expect_as_by_hand();
}

// Requeued in the middle, as when a node is taken away: what is done stands, and the rest is done.
TEST_F(RealSlurm, ATaskThatIsRequeuedDoesWhatIsLeft) {
  for (const char* student : {"dan", "eve", "fay"})
    hand_in(student, content(kFusebox / "solutions" / kCopy) + "// " + student + "\n");
  const fs::path first = folder_ / "out/rows/ada/p01.json", log = folder_ / "out/slurm/log/0.txt";
  const std::string said = hand_over(0, {"--slurm"});
  const std::string mark = "submitted as job ";
  ASSERT_THAT(said, HasSubstr(mark));
  const std::string from = said.substr(said.find(mark) + mark.size());
  const std::string job = from.substr(0, from.find(':'));
  ASSERT_TRUE(comes_true([&] { return fs::exists(first); })) << content(log);
  const std::string row = content(first);
  const ProcessResult requeued = run({"scontrol", "requeue", job});
  EXPECT_EQ(requeued.exit_code, 0) << requeued.output;
  ASSERT_TRUE(comes_true([&] { return queue_is_empty(); })) << run({"squeue"}).output;
  EXPECT_THAT(grader(0, {"collect", "out"}), HasSubstr("6 of 6 are graded")) << content(log);
  EXPECT_EQ(content(first), row);
  // It began with what was left, of five.
  EXPECT_THAT(content(log), Not(HasSubstr("5 of 5")));
  // A task that a signal ended leaves no verdict.
  EXPECT_THAT(content(log), Not(HasSubstr("INFRA_ERROR")));
}

}  // namespace
}  // namespace fusebox
