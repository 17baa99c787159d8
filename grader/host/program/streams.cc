#include <cstdint>

#include "grader/host/program/runtime.h"

// Streams and events. The plan is in program order, which every order that streams and events ask for allows.
namespace fusebox::recording {
namespace {

using cuda::Error;

Error create(std::set<const void*>& known, void** handle) {
  if (!handle) return cuda::kInvalidValue;
  *handle = new char;  // an address that nothing else has
  known.insert(*handle);
  return cuda::kSuccess;
}

Error destroy(std::set<const void*>& known, const void* handle) {
  if (known.erase(handle) == 0) return cuda::kInvalidResourceHandle;
  delete static_cast<const char*>(handle);
  return cuda::kSuccess;
}

Error create_stream(void** stream) {
  return entry([&](Runtime& state) { return create(state.streams, stream); });
}
Error create_event(void** event) {
  return entry([&](Runtime& state) { return create(state.events, event); });
}
Error need(const void* stream) {
  return entry([&](Runtime& state) {
    return is_stream(state, stream) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
Error need_event(const void* event) {
  return entry([&](Runtime& state) {
    return state.events.contains(event) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
Error need_both(const void* stream, const void* event) {
  const Error error = need(stream);
  return error != cuda::kSuccess ? error : need_event(event);
}

[[noreturn]] void refuse_timing() {
  refuse_call("cudaEventElapsedTime", "the grader holds the clock, and nothing has run yet",
              "Remove the timing; the grader times the kernels itself.");
}

}  // namespace
}  // namespace fusebox::recording

using namespace fusebox;
using namespace fusebox::recording;

FUSEBOX_CUDA_API cuda::Error cudaStreamCreate(void** stream) { return create_stream(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithFlags(void** stream, unsigned) {
  return create_stream(stream);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithPriority(void** stream, unsigned, int) {
  return create_stream(stream);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamDestroy(void* stream) {
  return entry([&](Runtime& state) { return destroy(state.streams, stream); });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamSynchronize(void* stream) { return need(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamQuery(void* stream) { return need(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  return need_both(stream, event);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamIsCapturing(void* stream, int* status) {
  if (status) *status = 0;
  return need(stream);
}

FUSEBOX_CUDA_API cuda::Error cudaEventCreate(void** event) { return create_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventCreateWithFlags(void** event, unsigned) { return create_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventDestroy(void* event) {
  return entry([&](Runtime& state) { return destroy(state.events, event); });
}
FUSEBOX_CUDA_API cuda::Error cudaEventRecord(void* event, void* stream) { return need_both(stream, event); }
FUSEBOX_CUDA_API cuda::Error cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return need_both(stream, event);
}
FUSEBOX_CUDA_API cuda::Error cudaEventSynchronize(void* event) { return need_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventQuery(void* event) { return need_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime(float*, void*, void*) { refuse_timing(); }
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime_v2(float*, void*, void*) { refuse_timing(); }
