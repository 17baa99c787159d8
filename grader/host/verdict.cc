#include "grader/host/verdict.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "grader/host/channel.h"
#include "grader/host/messages.h"

namespace fusebox {
namespace {

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
  return {FailureKind::garbled,
          "Your host function ended, but what it recorded does not read: memory was overwritten.",
          "Look for a write past the end of a host array, or through a pointer that was never set.",
          {}};
}

/// `of`: which seconds were counted.
RecordFailure hang(double seconds, const char* of) {
  return {
      FailureKind::hang,
      fmt::format("Your host function did not return within {:g} seconds {}.", seconds, of),
      "Look for a loop that does not end; waiting for a kernel's result on the host cannot succeed either.",
      {}};
}

RecordFailure flood(const RecordLimits& limits) {
  return {FailureKind::output,
          fmt::format("Your host function printed more than {} MiB.", limits.printed_bytes >> 20),
          "Look for a loop that prints and does not end; print once, not for every element.",
          {}};
}

/// "Aborted (SIGABRT)".
std::string name_of_signal(int signal) {
  const char* name = sigabbrev_np(signal);
  return fmt::format("{} (SIG{})", sigdescr_np(signal) ? sigdescr_np(signal) : "a signal",
                     name ? name : fmt::format("{}", signal));
}

bool ended_well(const ChildEnd& end) { return end.exited && end.code == 0 && !end.timed_out; }

/// What is to be said of a process whose function had returned and that then did not end well; else nothing.
std::string bad_end(const ChildEnd& end) {
  if (ended_well(end)) return {};
  const bool waited = end.timed_out || (!end.exited && (end.code == SIGALRM || end.code == SIGXCPU));
  const std::string how = waited       ? "did not end"
                          : end.exited ? fmt::format("ended with exit status {}", end.code)
                                       : fmt::format("crashed: {}", name_of_signal(end.code));
  return fmt::format(
      "After your host function had returned, its process {}. Look at destructors of static objects, and at what atexit() was given.",
      how);
}

/// A death by signal, in a learner's words.
RecordFailure crash(int signal, const channel::Scratch& scratch, const RecordLimits& limits) {
  switch (signal) {
    case SIGXCPU:
      return hang(limits.cpu_seconds, "of processor time");
    case SIGSYS:  // undelivered because every signal was blocked, as libc does while it starts a process
      return {FailureKind::forbidden,
              "Your host function tried to start a process, or used another system call that it may not use.",
              "It may launch kernels and nothing else: remove system, popen and the like.",
              {}};
    case SIGXFSZ:
      return {FailureKind::forbidden,
              "Your host function tried to write to a file.",
              "Print instead; it may not write files.",
              {}};
    case SIGSEGV:
    case SIGBUS:
      break;
    default: {
      return {FailureKind::crash,
              fmt::format("Your host function crashed: {}.", name_of_signal(signal)),
              signal == SIGABRT   ? "Look for a failed assert, a call of abort(), or heap memory freed twice."
              : signal == SIGFPE  ? "Look for an integer division by zero."
              : signal == SIGKILL ? "It was killed from outside; when memory is short, the system does that."
                                  : "Run it under a debugger, or remove code until it returns.",
              {}};
    }
  }
  const std::string name = signal == SIGSEGV ? "segmentation fault (SIGSEGV)" : "bus error (SIGBUS)";
  if (scratch.stack_overflow)
    return {FailureKind::crash,
            fmt::format("Your host function crashed: {}, because the stack is full (8 MiB).", name),
            "Look for a function that calls itself without end, or a very large local array.",
            {}};
  if (scratch.device_address)
    return {FailureKind::crash,
            fmt::format("Your host function crashed: {} at {:#x}, which is device memory.", name,
                        scratch.fault_address),
            "A host function may not read or write device memory: hand the pointer to a kernel.",
            {}};
  constexpr std::uint64_t kNearNull = 65536;
  return {FailureKind::crash,
          fmt::format("Your host function crashed: {} at {:#x}.", name, scratch.fault_address),
          scratch.fault_address < kNearNull
              ? "Look for a null pointer, for instance one that cudaMalloc did not set."
              : "Look for an index past a host array; a host function may not read device memory.",
          {}};
}

RecordFailure left(int status) {
  return {
      FailureKind::exit,
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
  if (head.kind == channel::AnswerKind::plan) {
    std::optional<LaunchPlan> plan = wire::decode_plan(*bytes);
    if (!plan || !is_plausible(*plan, request)) return garbled();
    return Recording{std::move(*plan), {}};
  }
  wire::Reader reader(*bytes);
  RecordFailure failure;
  failure.kind = reader.number<FailureKind>();
  failure.what = reader.text();
  failure.hint = reader.text();
  // What a process can tell of itself.
  static constexpr FailureKind kKinds[] = {
      FailureKind::crash,  FailureKind::exit, FailureKind::forbidden,  FailureKind::unsupported,
      FailureKind::memory, FailureKind::load, FailureKind::bad_launch, FailureKind::bad_copy};
  if (!reader.complete() || std::find(std::begin(kKinds), std::end(kKinds), failure.kind) == std::end(kKinds))
    return garbled();
  return failure;
}

}  // namespace

bool has_started(int channel) {
  channel::Scratch scratch;
  return read_at(channel, &scratch, sizeof scratch, 0) && scratch.started;
}

RecordResult read_outcome(int channel, std::size_t request_bytes, ChildEnd end, const RecordRequest& request,
                          const RecordLimits& limits) {
  channel::Scratch scratch;
  channel::AnswerHead head;
  const std::size_t offset = channel::answer_offset(request_bytes);
  const bool readable =
      read_at(channel, &scratch, sizeof scratch, 0) && read_at(channel, &head, sizeof head, offset);
  const bool answered = readable && head.magic == channel::kMagic;
  const bool has_plan = answered && head.kind == channel::AnswerKind::plan;
  const bool has_failure = answered && head.kind == channel::AnswerKind::failure;

  RecordResult result = garbled();
  if (end.flooded)
    result = flood(limits);
  else if (has_plan || (has_failure && ended_well(end)))
    result = judge_answer(channel, offset, head, request);
  else if (end.timed_out)
    result = hang(limits.wall_seconds, "by the clock");
  else if (!end.exited)
    result = crash(end.code, scratch, limits);
  else if (readable && head.magic == 0 && head.kind == channel::AnswerKind::none)
    result = left(end.code);

  if (auto* recording = std::get_if<Recording>(&result)) recording->bad_end = bad_end(end);
  if (end.output_cut()) end.output += "\n[... the rest is not shown]\n";
  std::visit([&](auto& outcome) { outcome.output = std::move(end.output); }, result);
  return result;
}

}  // namespace fusebox
