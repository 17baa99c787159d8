#include "viewer/regrade.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "viewer/files.h"

namespace fusebox::view {
namespace {

constexpr std::size_t kMaxOutput = 4 << 20;

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
  const auto cannot_start = [](int code) {
    return Error{ErrorKind::missing_part,
                 fmt::format("the grader cannot be started: {}", std::strerror(code)), ""};
  };
  Ends pipe = make_pipe();
  if (!pipe) return cannot_start(errno);
  ::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK);
  // A group of its own, so that its compiler and recorder stop with it.
  Command command;
  command.argv = {job_.grader.string()};
  command.argv.insert(command.argv.end(), job_.arguments.begin(), job_.arguments.end());
  command.argv.insert(command.argv.end(), {"--no-color", "--json", job_.json.string()});
  command.directory = job_.folder;
  command.output = command.errors = pipe.theirs.get();
  command.at_our_end = SIGTERM;
  if (const int failed = process_.start(command)) return cannot_start(failed);
  pipe_ = std::move(pipe.ours);
  began_ = std::chrono::steady_clock::now();
  return std::nullopt;
}

void Regrade::cancel() {
  if (process_) {
    process_.signal(SIGTERM);
    process_.wait_until(Child::Clock::now() + std::chrono::milliseconds(500));
    process_.kill();
  }
  pipe_.reset();
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
  for (ssize_t count; pipe_ && (count = ::read(pipe_.get(), bytes, sizeof bytes)) > 0;)
    if (output_.size() < kMaxOutput) output_.append(bytes, static_cast<std::size_t>(count));
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
  if (!process_) return std::nullopt;
  const bool ended = process_.has_ended();
  read_output();
  if (!ended) return std::nullopt;
  const ProcessEnd end = process_.reap();
  pipe_.reset();
  if (!end.exited)
    return Result<Report>(Error{ErrorKind::internal,
                                fmt::format("the grader crashed ({})", strsignal(end.code)),
                                "what is shown is the report before; try ./fusebox doctor"});
  const int code = end.code;
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
