#include "grader/host/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "grader/host/channel.h"
#include "grader/host/child_process.h"
#include "grader/host/messages.h"
#include "grader/host/verdict.h"

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

/// The shared file with the request in it. Sealed: it can neither shrink under our feet nor grow.
Result<Descriptor> make_channel(std::span<const std::byte> request, const RecordLimits& limits) {
  Descriptor file = lifted(memfd_create("fusebox-recording", MFD_CLOEXEC | MFD_ALLOW_SEALING));
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

}  // namespace

Recorder::Recorder(std::filesystem::path program, RecordLimits limits)
    : program_(std::move(program)), limits_(limits) {}

Result<RecordResult> Recorder::record(const RecordRequest& request) const {
  std::error_code none;
  RecordRequest sent = request;
  sent.library = std::filesystem::absolute(request.library, none);
  const std::vector<std::byte> bytes = wire::encode(sent);
  RecordLimits limits = limits_;
  if (request.edit != 0) limits.wall_seconds = std::min(limits.wall_seconds, limits.wall_seconds_with_edit);
  Result<Descriptor> channel = make_channel(bytes, limits);
  if (!channel) return channel.error();
  Result<ChildEnd> end =
      run_child(program_, *channel, limits.wall_seconds, {limits.output_bytes, limits.printed_bytes});
  if (!end) return end.error();
  if (!has_started(channel->get()))
    return Error{ErrorKind::missing_part,
                 fmt::format("{} did not start: {}", program_.string(),
                             end->output.empty() ? "it ended without a word." : end->output),
                 "Build it again (`./fusebox setup`)."};
  return read_outcome(channel->get(), bytes.size(), std::move(*end), request, limits);
}

}  // namespace fusebox
