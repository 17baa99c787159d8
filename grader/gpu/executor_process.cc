#include "grader/gpu/executor_process.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace fusebox::gpu {
namespace {

constexpr std::int64_t kMaxOutput = 64 << 10;

Error cannot_start(const std::filesystem::path& program, int code) {
  return {ErrorKind::missing_part, fmt::format("cannot start {}: {}", program.string(), std::strerror(code)),
          "build it: ./fusebox setup"};
}

}  // namespace

ExecutorProcess::~ExecutorProcess() { end(); }

Result<std::unique_ptr<ExecutorProcess>> ExecutorProcess::start(const std::filesystem::path& program,
                                                                const std::vector<std::string>& arguments) {
  std::unique_ptr<ExecutorProcess> process(new ExecutorProcess);
  Ends channel = make_socket_pair();
  // A file and not a pipe: a kernel that prints much must not wait for somebody to read it.
  process->output_ = lifted(memfd_create("fusebox-executor-output", MFD_CLOEXEC));
  if (!channel || !process->output_) return cannot_start(program, errno);
  process->channel_ = std::move(channel.ours);

  Command command;
  command.argv = {program.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.output = command.errors = process->output_.get();
  command.channel = channel.theirs.get();
  command.group = Command::Group::session;
  command.default_signals = true;
  if (const int failed = process->child_.start(command)) return cannot_start(program, failed);
  return process;
}

std::string ExecutorProcess::take_output() {
  const off_t size = lseek(output_.get(), 0, SEEK_END);
  const std::int64_t fresh = std::max<std::int64_t>(0, size - read_);
  std::string text(static_cast<std::size_t>(std::min(fresh, kMaxOutput)), '\0');
  const ssize_t got = pread(output_.get(), text.data(), text.size(), read_);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  read_ = std::max<std::int64_t>(read_, size);
  // It goes on behind the hole: only what is still to come takes memory.
  if (size > kMaxOutput) (void)!ftruncate(output_.get(), 0);
  return text;
}

std::string ExecutorProcess::end() {
  if (!ending_.empty()) return ending_;
  channel_.reset();
  // A process that is already dying gets a moment to do so: how it ended is part of the message.
  const bool by_itself = child_.wait_until(Child::Clock::now() + std::chrono::milliseconds(100));
  const ProcessEnd end = child_.kill();
  if (end.exited)
    ending_ = fmt::format("ended with exit code {}", end.code);
  else if (!by_itself)
    ending_ = "was killed";
  else
    ending_ = fmt::format("was killed by signal {} ({})", end.code, strsignal(end.code));
  return ending_;
}

}  // namespace fusebox::gpu
