#include <signal.h>
#include <sys/mman.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>

#include "grader/host/program/answer.h"
#include "grader/host/program/confine.h"
#include "grader/host/program/runtime.h"
#include "grader/report/text/demangle.h"

namespace fusebox::recording {
namespace {

std::uintptr_t stack_top = 0;

/// Runs on its own stack: the usual one may be what ran out. The instruction is then repeated and ends the
/// process as it would have without us.
void note_crash(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  channel::Scratch& note = scratch();
  note.fault_address = address;
  note.device_address = runtime().is_device(address);
  constexpr std::uintptr_t kNear = 1 << 20;
  note.stack_overflow = address < stack_top && stack_top - address > kStackBytes - kNear &&
                        stack_top - address < kStackBytes + kNear;
}

}  // namespace

void explain_crashes() {
  stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  constexpr std::size_t kBytes = 64 << 10;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t alternate{};
    alternate.ss_sp = memory;
    alternate.ss_size = kBytes;
    sigaltstack(&alternate, nullptr);
  }
  struct sigaction action {};
  action.sa_sigaction = note_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  // A sanitizer's handlers would end the process with an exit status instead of the signal.
  for (int other : {SIGFPE, SIGILL, SIGABRT}) signal(other, SIG_DFL);
  std::set_terminate([] {
    if (std::current_exception()) refuse_exception();
    std::abort();
  });
}

void refuse_exception() {
  std::string what = "an exception";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    refuse(FailureKind::memory, "Your host function ran out of host memory (std::bad_alloc).",
           "Keep tensors in device memory; the host side needs almost none.");
  } catch (const std::exception& error) {
    what = type_name(typeid(error)) + ": " + error.what();
  } catch (...) {
    what = "something that is not a std::exception";
  }
  refuse(FailureKind::crash, "Your host function threw " + what + ".",
         "Handle the error inside the host function, or do not throw.");
}

}  // namespace fusebox::recording
