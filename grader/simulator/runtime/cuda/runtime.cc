#include "grader/simulator/runtime/cuda/runtime.h"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace fusebox::sim::runtime {

Runtime::Runtime(GpuProfile gpu, const char* journal_folder, std::uint64_t max_instructions)
    : session(std::move(gpu)),
      memory(session),
      journal(journal_folder),
      known(session),
      budget(max_instructions) {}

/// Says what a pointer that the host should not have followed points at, and lets the signal take its course.
void note_crash(int number, siginfo_t* info, void*) {
  Runtime* state = runtime();
  const DeviceAddress at = address_of(info->si_addr);
  if (state->memory.is_device(at)) {
    char text[300];
    DeviceAddress begin = 0;
    const DeviceMemory::Block* block = nullptr;
    const bool locked = state->mutex.try_lock();
    if (locked) block = state->memory.find(at, &begin);
    if (block)
      std::snprintf(
          text, sizeof text,
          "host code follows a device pointer: byte %llu of an allocation of %llu bytes by cudaMalloc; only kernels can; copy with cudaMemcpy, or allocate with cudaMallocManaged",
          static_cast<unsigned long long>(at - begin), static_cast<unsigned long long>(block->bytes));
    else
      std::snprintf(text, sizeof text, "host code follows a device pointer, %#llx, into no live allocation",
                    static_cast<unsigned long long>(at));
    if (locked) state->mutex.unlock();
    state->journal.problem_at_a_crash(text);
  }
  signal(number, SIG_DFL);  // on return the same happens again
}

void watch_crashes() {
  struct sigaction before {};
  // A program that looks itself keeps doing so.
  if (sigaction(SIGSEGV, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_sigaction = note_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

LaunchChoice chosen_launches() {
  LaunchChoice choice;
  if (const char* range = std::getenv(kLaunchesVariable))
    if (const auto read = read_launch_range(range)) choice = *read;
  if (const char* names = std::getenv(kKernelsVariable)) {
    std::istringstream lines(names);
    for (std::string name; std::getline(lines, name);) choice.kernels.push_back(name);
  }
  choice.every = std::getenv(kEveryLaunchVariable) != nullptr;
  return choice;
}

Runtime* Runtime::make() {
  const char* journal = std::getenv(kJournalVariable);
  const char* assets = std::getenv(kAssetsVariable);
  const char* name = std::getenv(kGpuVariable);
  const char* budget = std::getenv(kBudgetVariable);
  if (!journal || !assets || !name || !budget) {
    std::fputs(
        "fusebox: this CUDA runtime executes on the simulator; start the program by `grader sim -- PROGRAM`\n",
        stderr);
    return nullptr;
  }
  Result<GpuProfile> gpu = load_gpu_profile(assets, name);
  if (!gpu) {
    std::fprintf(stderr, "fusebox: %s\n", gpu.error().what.c_str());
    return nullptr;
  }
  HostGuard::start();
  auto* state = new Runtime(std::move(*gpu), journal, std::strtoull(budget, nullptr, 10));
  if (const char* seed = std::getenv(kScheduleVariable)) state->schedule = std::strtoull(seed, nullptr, 10);
  state->counted = CountedLaunches(chosen_launches());
  if (const char* page = std::getenv(kProgressVariable))
    state->progress = std::make_unique<LaunchProgress>(page);
  state->cold = std::getenv(kColdVariable) != nullptr;
  state->compared = std::getenv(kCompareVariable) != nullptr;
  if (state->session.memory().range().bytes == 0) {
    state->note_problem(
        "this machine gives the simulator no address space; raise the limit: ulimit -v unlimited");
    return nullptr;
  }
  watch_crashes();
  return state;
}

Runtime* runtime() {
  static Runtime* state = Runtime::make();  // never destroyed: the program's exit handlers call back into it
  return state;
}

cuda::Error& last_error() {
  thread_local cuda::Error error = cuda::kSuccess;
  return error;
}

void Runtime::surface() {
  if (!output.empty()) {
    std::fwrite(output.data(), 1, output.size(), stdout);
    output.clear();
  }
  if (sticky == cuda::kSuccess) sticky = pending;
}

Kernel* Runtime::find_kernel(const void* function) {
  if (const auto found = kernels.find(function); found != kernels.end()) return &found->second;
  for (auto& [stub, kernel] : kernels)
    if (&kernel == function) return &kernel;
  return nullptr;
}

void Runtime::note_problem(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "fusebox: %s\n", text.c_str());
  journal.problem(text);
}

bool Runtime::host_writes_unseen() const {
  return memory.host_may_write() || !registered.empty() ||
         std::any_of(binaries.begin(), binaries.end(), [](const auto& b) { return !b->managed.empty(); });
}

bool Runtime::is_stream(const void* stream) const {
  constexpr std::uintptr_t kPerThreadDefault = 2;  // 0 and 1 are the legacy default
  return reinterpret_cast<std::uintptr_t>(stream) <= kPerThreadDefault || streams.contains(stream);
}

cuda::Error not_supported(const char* function, const std::string& why) {
  return entry([&](Runtime& state) {
    state.note_problem(std::string(function) + " is not supported by the simulator" +
                       (why.empty() ? "" : ": " + why) + " (cudaErrorNotSupported)");
    return cuda::kNotSupported;
  });
}

}  // namespace fusebox::sim::runtime

/// What the functions call that nothing else here defines (unsupported.cc).
extern "C" __attribute__((visibility("hidden"))) fusebox::cuda::Error fusebox_not_supported(
    const char* function) {
  return fusebox::sim::runtime::not_supported(function);
}
