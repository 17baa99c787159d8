#include <cxxabi.h>
#include <dlfcn.h>
#include <ffi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "grader/host/program/answer.h"
#include "grader/host/program/confine.h"
#include "grader/host/program/runtime.h"
#include "grader/report/text/demangle.h"

// The process in which a learner's host function runs. It exports a CUDA runtime that executes nothing and
// writes down everything; the order below matters: whatever confines comes before the library's first
// instruction.
namespace fusebox::recording {
namespace {

/// dlopen's own words, into a verdict. What they say of a missing symbol is stable: "...: undefined symbol:
/// NAME".
[[noreturn]] void refuse_library(std::string words) {
  constexpr std::string_view kMissing = "undefined symbol: ";
  const std::size_t at = words.find(kMissing);
  if (at == std::string::npos)
    refuse(FailureKind::load, "The compiled file could not be loaded: " + words + ".",
           "Compile it again; if it stays, this is a bug of ours.");
  const std::string symbol = words.substr(
      at + kMissing.size(), words.find_first_of(" ,\n", at + kMissing.size()) - at - kMissing.size());
  if (symbol.starts_with("cu") || symbol.starts_with("__cuda"))
    refuse(FailureKind::unsupported,
           "Your file calls " + symbol + ", which the grader does not offer to host functions.",
           "Do it with kernels, cudaMalloc, cudaMemcpy, cudaMemset, streams and events.");
  refuse(FailureKind::load, "Your file uses " + demangle(symbol) + ", which is defined nowhere.",
         "Define it in this file; no other file and no library is linked.");
}

ffi_type* type_of(HostArgument::Kind kind) {
  switch (kind) {
    case HostArgument::Kind::pointer:
    case HostArgument::Kind::host_array:
      return &ffi_type_pointer;
    case HostArgument::Kind::int32:
      return &ffi_type_sint32;
    case HostArgument::Kind::int64:
      return &ffi_type_sint64;
    case HostArgument::Kind::float32:
      return &ffi_type_float;
  }
  return nullptr;
}

/// What a host array holds belongs to the function's caller, and may still be copied when it has returned.
void call(void* function, std::vector<HostArgument>& arguments) {
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  for (HostArgument& argument : arguments) {
    types.push_back(type_of(argument.kind));
    if (argument.kind == HostArgument::Kind::host_array)
      argument.bits = reinterpret_cast<std::uintptr_t>(argument.bytes.data());
    values.push_back(&argument.bits);  // little-endian: the low bytes come first
    if (!types.back())
      refuse(FailureKind::load, "The request has an argument of an unknown kind.", "This is a bug of ours.");
  }
  ffi_cif interface;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()), &ffi_type_void,
                   types.data()) != FFI_OK)
    refuse(FailureKind::load, "The host function's signature cannot be called.", "This is a bug of ours.");
  ffi_call(&interface, reinterpret_cast<void (*)()>(function), nullptr, values.data());
}

void run() {
  RecordRequest request;
  if (!open_channel(request)) {
    std::fputs("recorder: this program is started by the grader, not by hand.\n", stderr);
    _exit(2);
  }
  limit_resources();
  const std::string library = request.library;
  const std::string function = request.function;
  runtime().start(std::move(request));
  // A line that was printed survives a crash.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  explain_crashes();
  confine_to(library);
  confine_system_calls();
  if (!end_behind_what_follows()) _exit(2);

  try {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) refuse_library(dlerror());
    void* address = dlsym(handle, function.c_str());
    if (!address)
      refuse(FailureKind::load, "The file has no host function " + demangle(function) + ".",
             "Put its name and parameters back as the puzzle has them; `grader reset` restores the file.");
    if (const std::uint32_t edit = runtime().request.edit)
      if (void* choice = dlsym(handle, kHostEditSwitch)) *static_cast<int*>(choice) = static_cast<int>(edit);
    for (auto& arguments : runtime().request.calls_before) {
      call(address, arguments);
      const std::lock_guard lock(runtime().mutex);
      runtime().begin_next_call();
    }
    call(address, runtime().request.arguments);
  } catch (const abi::__forced_unwind&) {
    refuse(FailureKind::exit, "Your host function ended its thread (pthread_exit) instead of returning.",
           "Return from the function.");
  } catch (...) {
    refuse_exception();
  }
  std::cout.flush();
  std::fflush(nullptr);
  std::unique_lock lock(runtime().mutex);
  if (!runtime().bad_launch.empty())
    refuse(FailureKind::bad_launch, runtime().bad_launch, runtime().bad_launch_hint);
  if (!runtime().bad_copy.empty()) refuse(FailureKind::bad_copy, runtime().bad_copy, runtime().bad_copy_hint);
  if (runtime().order.is_used())
    runtime().plan.done_for_the_caller = runtime().order.done_for_the_caller();
  else
    runtime().plan.order.clear();
  const LaunchPlan plan = std::move(runtime().plan);
  lock.unlock();  // what runs at the end may free what it allocated
  finish(plan);
}

}  // namespace
}  // namespace fusebox::recording

int main() { fusebox::recording::run(); }
