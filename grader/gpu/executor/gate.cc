#include "grader/gpu/executor/gate.h"

#include <cstring>

#include "grader/gpu/executor/kernels.h"

namespace fusebox::gpu {

Gate::Gate(ExecutorSession& session) : session_(session), module_(session.driver(), kOwnKernels, {}) {
  void* memory = nullptr;
  session_.check(session_.driver().allocate_host(&memory, 64, cu::kHostAllocPortable | cu::kHostAllocMapped),
                 "allocating host memory");
  flag_ = static_cast<volatile std::uint32_t*>(memory);
  *flag_ = 0;
  session_.check(session_.driver().host_address(&address_, memory, 0), "mapping host memory");
}

Gate::~Gate() { session_.driver().release_host(const_cast<std::uint32_t*>(flag_)); }

void Gate::close() {
  ++round_;
  LaunchOp wait;
  wait.kernel = "fusebox_wait";
  wait.arguments.resize(12);
  std::memcpy(wait.arguments.data(), &address_, 8);
  std::memcpy(wait.arguments.data() + 8, &round_, 4);
  session_.enqueue(module_, PlanOp(wait), -1);
}

void Gate::open() { *flag_ = round_; }

}  // namespace fusebox::gpu
