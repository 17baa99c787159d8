#include "grader/confine/landlock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <string>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// 0 when `attempt` succeeds in a process that is confined so, else its errno.
int tried(const FileRights& rights, const std::function<bool()>& attempt) {
  const pid_t child = fork();
  if (child == 0) {
    if (!confine_files(rights)) _exit(255);
    errno = 0;
    _exit(attempt() ? 0 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Landlock : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    std::string pattern = (fs::temp_directory_path() / "fusebox-landlock-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    for (const char* name : {"open", "own", "closed"}) {
      fs::create_directory(folder_ / name);
      std::ofstream(folder_ / name / "file") << name;
    }
    fs::create_symlink(folder_ / "closed" / "file", folder_ / "open" / "link");
    rights_ = {{folder_ / "open", folder_ / "missing"}, {folder_ / "own", "/dev/null"}};
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::function<bool()> opening(const fs::path& name, int flags) const {
    const std::string path = (folder_ / name).string();
    return [path, flags] { return open(path.c_str(), flags, 0600) >= 0; };
  }

  fs::path folder_;
  FileRights rights_;
};

TEST_F(Landlock, WhatIsNotNamedIsRefused) {
  const struct {
    const char* path;
    int flags;
    int error;
  } rows[] = {
      {"open/file", O_RDONLY, 0},
      {"open/file", O_WRONLY, EACCES},
      {"open/file", O_RDONLY | O_TRUNC, landlock_version() >= 3 ? EACCES : 0},
      {"open/new", O_WRONLY | O_CREAT, EACCES},
      {"open/link", O_RDONLY, EACCES},
      {"open/../closed/file", O_RDONLY, EACCES},
      {"own/file", O_RDWR, 0},
      {"own/new", O_WRONLY | O_CREAT, 0},
      {"closed/file", O_RDONLY, EACCES},
      {"closed/new", O_WRONLY | O_CREAT, EACCES},
      {"closed", O_RDONLY | O_DIRECTORY, EACCES},
  };
  for (const auto& row : rows)
    EXPECT_EQ(tried(rights_, opening(row.path, row.flags)), row.error) << row.path << " " << row.flags;
  EXPECT_EQ(tried(rights_, [] { return open("/dev/null", O_RDWR) >= 0; }), 0);
  EXPECT_EQ(tried(rights_, [] { return open("/dev/zero", O_RDONLY) >= 0; }), EACCES);
}

// A GPU's driver is spoken to by ioctl alone; from version 5 on that is a right of its own.
TEST_F(Landlock, DevicesThatAreNamedAreSpokenTo) {
  const auto speaks = [] {
    const int device = open("/dev/null", O_RDWR);
    int unused = 0;
    ioctl(device, FIONREAD, &unused);  // which it does not understand
    return false;
  };
  EXPECT_EQ(tried(rights_, speaks), landlock_version() >= 5 ? EACCES : ENOTTY);
  EXPECT_EQ(tried({{"/"}, {}, {"/dev/null"}}, speaks), ENOTTY);
}

TEST_F(Landlock, HoldsForWhatIsStartedLater) {
  const std::string closed = (folder_ / "closed" / "file").string();
  const int failed = tried(rights_, [&] {
    const pid_t child = fork();
    if (child == 0) _exit(open(closed.c_str(), O_RDONLY) >= 0 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno == 0;
  });
  EXPECT_EQ(failed, 1);
}

TEST_F(Landlock, DevicesAreNotMadeAndTcpIsNotUsed) {
  const std::string device = (folder_ / "own" / "device").string();
  EXPECT_EQ(tried(rights_, [&] { return mknod(device.c_str(), S_IFCHR | 0600, 0x105) == 0; }), EACCES);
  if (landlock_version() < 4) return;
  EXPECT_EQ(tried(rights_,
                  [] {
                    sockaddr_in address{};
                    address.sin_family = AF_INET;
                    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
                    const int connection = socket(AF_INET, SOCK_STREAM, 0);
                    return bind(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
                  }),
            EACCES);
}

}  // namespace
}  // namespace fusebox
