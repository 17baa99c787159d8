#include "grader/host/program/confine.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>

#include "grader/confine/defences.h"
#include "grader/confine/landlock.h"
#include "grader/host/program/answer.h"

namespace fusebox::recording {
namespace {

void limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit value{soft, hard};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

}  // namespace

void limit_resources() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != scratch().parent) _exit(1);  // the grader ended before the line above took effect
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (in_force(Defence::recorder_processor_time))
    limit(RLIMIT_CPU, scratch().cpu_seconds, scratch().cpu_seconds + 1);
#ifndef FUSEBOX_SANITIZED  // the sanitizer reserves terabytes for its shadow
  const std::uint64_t memory = scratch().address_space_bytes + channel::kAnswerBytes;
  if (in_force(Defence::recorder_memory)) limit(RLIMIT_AS, memory, memory);
#endif
  if (in_force(Defence::recorder_file_size)) limit(RLIMIT_FSIZE, 0, 0);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_STACK, kStackBytes, kStackBytes);
}

void confine_to(const std::filesystem::path& library) {
  if (!in_force(Defence::recorder_files)) return;
  const FileRights rights{.read = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", library}, .write = {}};
  if (!confine_files(rights) && landlock_version() > 0)
    refuse(FailureKind::load, "The process of your host function could not be confined.",
           "This is a bug of ours.");
}

}  // namespace fusebox::recording
