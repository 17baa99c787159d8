#include "viewer/regrade.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <system_error>

#include "viewer/files.h"

namespace fusebox::view {
namespace {

constexpr std::size_t kMostOutput = 4 << 20;

/// The last line that says something.
std::string last_line(const std::string& output) {
  const std::size_t end = output.find_last_not_of(" \n\t\r");
  if (end == std::string::npos) return "";
  const std::size_t begin = output.rfind('\n', end);
  std::string line = output.substr(begin == std::string::npos ? 0 : begin + 1,
                                   end - (begin == std::string::npos ? -1 : begin));
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

}  // namespace

std::optional<Error> Regrade::start(Job job) {
  cancel();
  job_ = std::move(job);
  output_.clear(), doing_.clear();
  done_ = scanned_ = 0;
  if (::access(job_.grader.c_str(), X_OK) != 0)
    return Error{ErrorKind::missing_part, fmt::format("there is no grader at {}", job_.grader.string()),
                 "build it: ./fusebox setup"};
  std::error_code error;
  std::filesystem::create_directories(job_.json.parent_path(), error);
  std::filesystem::remove(job_.json, error);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return Error{ErrorKind::missing_part,
                 fmt::format("the grader cannot be started: {}", std::strerror(errno)), ""};

  std::vector<std::string> words{job_.grader.string()};
  words.insert(words.end(), job_.arguments.begin(), job_.arguments.end());
  words.insert(words.end(), {"--no-color", "--json", job_.json.string()});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    process_ = 0;
    ::close(ends[0]), ::close(ends[1]);
    return Error{ErrorKind::missing_part,
                 fmt::format("the grader cannot be started: {}", std::strerror(errno)), ""};
  }
  if (process_ == 0) {
    ::setpgid(0, 0);  // so that its compiler and recorder stop with it
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
    if (!job_.folder.empty() && ::chdir(job_.folder.c_str()) != 0) ::_exit(127);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::setpgid(process_, process_);
  ::close(ends[1]);
  pipe_ = ends[0];
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  began_ = std::chrono::steady_clock::now();
  return std::nullopt;
}

void Regrade::cancel() {
  if (process_ > 0) {
    ::kill(-process_, SIGTERM);
    for (int i = 0; i < 50 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++i) ::usleep(10'000);
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
}

double Regrade::progress() const {
  if (job_.checks == 0) return 0;
  return std::min(1.0, static_cast<double>(done_) / static_cast<double>(job_.checks));
}

double Regrade::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void Regrade::read_output() {
  char bytes[4096];
  for (ssize_t count; pipe_ >= 0 && (count = ::read(pipe_, bytes, sizeof bytes)) > 0;)
    if (output_.size() < kMostOutput) output_.append(bytes, static_cast<std::size_t>(count));
  for (std::size_t end; (end = output_.find('\n', scanned_)) != std::string::npos; scanned_ = end + 1) {
    const std::string line = output_.substr(scanned_, end - scanned_);
    // "  ✓ case seed   max error ..."
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    for (const std::string sign : {"✓ ", "✗ ", "○ "}) {
      if (line.compare(begin, sign.size(), sign) != 0) continue;
      ++done_;
      const std::size_t name = begin + sign.size();
      doing_ = line.substr(name, line.find("  ", name) - name);
    }
  }
}

std::optional<Result<Report>> Regrade::poll() {
  if (process_ <= 0) return std::nullopt;
  read_output();
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0) return std::nullopt;
  read_output();
  process_ = 0;
  ::close(pipe_);
  pipe_ = -1;
  if (WIFSIGNALED(status))
    return Result<Report>(Error{ErrorKind::internal,
                                fmt::format("the grader crashed ({})", strsignal(WTERMSIG(status))),
                                "what is shown is the report before; try ./fusebox doctor"});
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 127;
  if (code == 0 || code == 1) {
    auto report = read_report(job_.json);
    if (report) return report;
    return Result<Report>(
        Error{ErrorKind::internal, "the grader left no report: " + report.error().what, last_line(output_)});
  }
  const std::string said = last_line(output_);
  return Result<Report>(Error{static_cast<ErrorKind>(std::clamp(code - 1, 0, 3)),
                              fmt::format("the grader stopped with exit code {}", code), said});
}

}  // namespace fusebox::view
