#include "grader/host/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "grader/host/channel.h"
#include "grader/host/child_process.h"
#include "grader/host/wire.h"

namespace fusebox {
namespace {

Error no_channel(int code) {
  return {ErrorKind::missing_part,
          fmt::format("Cannot make a channel to the recorder: {}.", std::strerror(code)),
          "See that this machine has memory and file descriptors to spare."};
}

bool write_at(int file, const void* data, std::size_t bytes, std::size_t offset) {
  return pwrite(file, data, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

bool read_at(int file, void* data, std::size_t bytes, std::size_t offset) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = pread(file, to, bytes, static_cast<off_t>(offset));
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
    offset += static_cast<std::size_t>(got);
  }
  return true;
}

/// The shared file with the request in it. Sealed: it can neither shrink under our feet nor grow.
Result<Descriptor> make_channel(std::span<const std::byte> request, const RecordLimits& limits) {
  Descriptor created(memfd_create("fusebox-recording", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!created) return no_channel(errno);
  Descriptor file(
      fcntl(created.get(), F_DUPFD_CLOEXEC, channel::kDescriptor + 1));  // clear of the child's own
  if (!file) return no_channel(errno);
  channel::Scratch scratch;
  scratch.request_bytes = request.size();
  scratch.cpu_seconds = static_cast<std::uint64_t>(std::max(1.0, std::ceil(limits.cpu_seconds)));
  scratch.address_space_bytes = limits.address_space_bytes;
  scratch.parent = getpid();
  if (ftruncate(file.get(), static_cast<off_t>(channel::total_bytes(request.size()))) != 0 ||
      !write_at(file.get(), &scratch, sizeof scratch, 0) ||
      !write_at(file.get(), request.data(), request.size(), channel::kPage))
    return no_channel(errno);
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return file;
}

/// Whether every operation is one that the request's addresses and kernels allow. The sender may have been
/// scribbled over.
bool is_plausible(const LaunchPlan& plan, const RecordRequest& request) {
  for (const PlanOp& op : plan.ops) {
    if (const auto* alloc = std::get_if<AllocOp>(&op)) {
      const AddressRange& range = request.allocations;
      if (alloc->address < range.begin || alloc->address - range.begin > range.bytes ||
          alloc->bytes > range.bytes - (alloc->address - range.begin))
        return false;
    } else if (const auto* copy = std::get_if<CopyOp>(&op)) {
      if (!copy->host_bytes.empty() && (copy->host_bytes.size() != copy->bytes || copy->from != 0))
        return false;
    } else if (const auto* launch = std::get_if<LaunchOp>(&op)) {
      const auto kernel =
          std::find_if(request.kernels.begin(), request.kernels.end(),
                       [&](const KernelParameters& known) { return known.kernel == launch->kernel; });
      if (kernel == request.kernels.end() || launch->arguments.size() != kernel->total_bytes) return false;
    }
  }
  return true;
}

RecordFailure garbled() {
  return {"garbled",
          "Your host function ended, but what it recorded does not read: memory was overwritten.",
          "Look for a write past the end of a host array, or through a pointer that was never set.",
          {}};
}

RecordFailure hang(double seconds) {
  return {
      "hang",
      fmt::format("Your host function did not return within {:g} seconds.", seconds),
      "Look for a loop that does not end; waiting for a kernel's result on the host cannot succeed either.",
      {}};
}

/// A death by signal, in a learner's words.
RecordFailure crash(int signal, const channel::Scratch& scratch, const RecordLimits& limits) {
  switch (signal) {
    case SIGXCPU:
      return hang(limits.cpu_seconds);
    case SIGSYS:  // undelivered because every signal was blocked, as libc does while it starts a process
      return {"forbidden",
              "Your host function tried to start a process, or used another system call that it may not use.",
              "It may launch kernels and nothing else: remove system, popen and the like.",
              {}};
    case SIGXFSZ:
      return {"forbidden",
              "Your host function tried to write to a file.",
              "Print instead; it may not write files.",
              {}};
    case SIGSEGV:
    case SIGBUS:
      break;
    default: {
      const char* name = sigabbrev_np(signal);
      return {"crash",
              fmt::format("Your host function crashed: {} (SIG{}).",
                          sigdescr_np(signal) ? sigdescr_np(signal) : "a signal",
                          name ? name : fmt::format("{}", signal)),
              signal == SIGABRT   ? "Look for a failed assert, a call of abort(), or heap memory freed twice."
              : signal == SIGFPE  ? "Look for an integer division by zero."
              : signal == SIGKILL ? "It was killed from outside; when memory is short, the system does that."
                                  : "Run it under a debugger, or remove code until it returns.",
              {}};
    }
  }
  const std::string name = signal == SIGSEGV ? "segmentation fault (SIGSEGV)" : "bus error (SIGBUS)";
  if (scratch.stack_overflow)
    return {"crash",
            fmt::format("Your host function crashed: {}, because the stack is full (8 MiB).", name),
            "Look for a function that calls itself without end, or a very large local array.",
            {}};
  if (scratch.device_address)
    return {"crash",
            fmt::format("Your host function crashed: {} at {:#x}, which is device memory.", name,
                        scratch.fault_address),
            "A host function may not read or write device memory: hand the pointer to a kernel.",
            {}};
  constexpr std::uint64_t kNearNull = 65536;
  return {"crash",
          fmt::format("Your host function crashed: {} at {:#x}.", name, scratch.fault_address),
          scratch.fault_address < kNearNull
              ? "Look for a null pointer, for instance one that cudaMalloc did not set."
              : "Look for an index past a host array; a host function may not read device memory.",
          {}};
}

RecordFailure left(int status) {
  return {
      "exit",
      fmt::format("Your host function ended the process with exit status {} instead of returning.", status),
      "Return from the function; do not call exit().",
      {}};
}

/// The answer's bytes, when there is a whole one.
std::optional<std::vector<std::byte>> read_answer(int file, std::size_t offset,
                                                  const channel::AnswerHead& head) {
  if (head.bytes > channel::kAnswerBytes - sizeof head) return std::nullopt;
  std::vector<std::byte> bytes(head.bytes);
  if (!read_at(file, bytes.data(), bytes.size(), offset + sizeof head)) return std::nullopt;
  return bytes;
}

RecordResult judge_answer(int file, std::size_t offset, const channel::AnswerHead& head,
                          const RecordRequest& request) {
  const auto bytes = read_answer(file, offset, head);
  if (!bytes) return garbled();
  if (head.kind == channel::Answer::plan) {
    std::optional<LaunchPlan> plan = wire::decode_plan(*bytes);
    if (!plan || !is_plausible(*plan, request)) return garbled();
    return Recording{std::move(*plan), {}};
  }
  wire::Reader reader(*bytes);
  RecordFailure failure;
  failure.kind = reader.text();
  failure.what = reader.text();
  failure.hint = reader.text();
  static constexpr const char* kKinds[] = {"crash",  "forbidden", "unsupported",
                                           "memory", "load",      "bad-launch"};
  if (!reader.complete() || std::find(std::begin(kKinds), std::end(kKinds), failure.kind) == std::end(kKinds))
    return garbled();
  return failure;
}

}  // namespace

Recorder::Recorder(std::filesystem::path program, RecordLimits limits)
    : program_(std::move(program)), limits_(limits) {}

Result<RecordResult> Recorder::record(const RecordRequest& request) const {
  std::error_code none;
  RecordRequest sent = request;
  sent.library = std::filesystem::absolute(request.library, none);
  const std::vector<std::byte> bytes = wire::encode(sent);
  Result<Descriptor> channel = make_channel(bytes, limits_);
  if (!channel) return channel.error();
  Result<ChildEnd> end = run_child(program_, *channel, limits_.wall_seconds, limits_.output_bytes);
  if (!end) return end.error();

  channel::Scratch scratch;
  channel::AnswerHead head;
  const std::size_t offset = channel::answer_offset(bytes.size());
  if (!read_at(channel->get(), &scratch, sizeof scratch, 0) ||
      !read_at(channel->get(), &head, sizeof head, offset))
    return no_channel(errno);
  if (!scratch.started)
    return Error{ErrorKind::missing_part,
                 fmt::format("{} did not start: {}", program_.string(),
                             end->output.empty() ? "it ended at once." : end->output),
                 "Build it again (`./fusebox setup`)."};

  RecordResult result = garbled();
  const bool answered = head.kind == channel::Answer::plan || head.kind == channel::Answer::failure;
  if (end->timed_out)
    result = hang(limits_.wall_seconds);
  else if (!end->exited)
    result = crash(end->code, scratch, limits_);
  else if (head.magic == 0 && head.kind == channel::Answer::none)
    result = left(end->code);
  else if (head.magic == channel::kMagic && answered && end->code == 0)
    result = judge_answer(channel->get(), offset, head, request);

  if (end->output_cut) end->output += "\n[... the rest is not shown]\n";
  std::visit([&](auto& outcome) { outcome.output = std::move(end->output); }, result);
  return result;
}

}  // namespace fusebox
