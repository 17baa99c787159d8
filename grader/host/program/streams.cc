#include <cstdint>

#include "grader/host/program/runtime.h"

// Streams, events and graphs. The plan is in program order, which every order that they ask for allows; what
// they leave unordered, `order` tells.
namespace fusebox::recording {
namespace {

using cuda::Error;

constexpr unsigned kNonBlocking = 1;

Error create_stream(void** stream, unsigned flags) {
  return entry([&](Runtime& state) {
    if (!stream) return cuda::kInvalidValue;
    *stream = state.order.create_stream((flags & kNonBlocking) == 0);
    return cuda::kSuccess;
  });
}

Error create_event(void** event) {
  return entry([&](Runtime& state) {
    if (!event) return cuda::kInvalidValue;
    *event = state.order.create_event();
    return cuda::kSuccess;
  });
}

template <class Body>
Error with_stream(const void* stream, Body body) {
  return entry([&](Runtime& state) {
    const Error error = check_stream(state, stream);
    return error == cuda::kSuccess ? body(state.order) : error;
  });
}

template <class Body>
Error with_event(const void* event, Body body) {
  return entry([&](Runtime& state) {
    return state.order.is_event(event) ? body(state.order) : cuda::kInvalidResourceHandle;
  });
}

/// A query answers "done", and so orders as much as waiting does.
Error join_stream(const void* stream) {
  return with_stream(stream, [&](Order& order) { return order.join_stream(stream); });
}
Error join_event(const void* event) {
  return with_event(event, [&](Order& order) { return order.join_event(event); });
}

Error record_event(const void* event, const void* stream) {
  return with_stream(stream, [&](Order& order) {
    if (!order.is_event(event)) return cuda::kInvalidResourceHandle;
    order.record(event, stream);
    return cuda::kSuccess;
  });
}

Error instantiate(void** executable, const void* graph) {
  return entry([&](Runtime& state) {
    if (!executable || !state.order.find_graph(graph)) return cuda::kInvalidValue;
    *executable = state.order.keep(state.order.copy_of(graph));
    return cuda::kSuccess;
  });
}

Error launch_graph(const void* executable, const void* stream) {
  return entry([&](Runtime& state) {
    if (const Error error = check_stream(state, stream); error != cuda::kSuccess) return error;
    if (!state.order.find_graph(executable)) return cuda::kInvalidValue;
    if (state.order.is_capturing(stream)) return cuda::kStreamCaptureUnsupported;
    state.record_graph(executable, stream);
    return cuda::kSuccess;
  });
}

Error destroy_graph(const void* graph) {
  return entry([&](Runtime& state) {
    return state.order.destroy_graph(graph) ? cuda::kSuccess : cuda::kInvalidValue;
  });
}

[[noreturn]] void refuse_timing() {
  refuse_call("cudaEventElapsedTime", "the grader holds the clock, and nothing has run yet",
              "Remove the timing; the grader times the kernels itself.");
}

}  // namespace
}  // namespace fusebox::recording

using namespace fusebox;
using namespace fusebox::recording;

FUSEBOX_CUDA_API cuda::Error cudaStreamCreate(void** stream) { return create_stream(stream, 0); }
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return create_stream(stream, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithPriority(void** stream, unsigned flags, int) {
  return create_stream(stream, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamDestroy(void* stream) {
  return entry([&](Runtime& state) {
    return state.order.destroy_stream(stream) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamSynchronize(void* stream) { return join_stream(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamQuery(void* stream) { return join_stream(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  return with_stream(stream, [&](Order& order) {
    return order.is_event(event) ? order.wait(stream, event) : cuda::kInvalidResourceHandle;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaEventCreate(void** event) { return create_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventCreateWithFlags(void** event, unsigned) { return create_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventDestroy(void* event) {
  return entry([&](Runtime& state) {
    return state.order.destroy_event(event) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaEventRecord(void* event, void* stream) {
  return record_event(event, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return record_event(event, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaEventSynchronize(void* event) { return join_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventQuery(void* event) { return join_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime(float*, void*, void*) { refuse_timing(); }
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime_v2(float*, void*, void*) { refuse_timing(); }

FUSEBOX_CUDA_API cuda::Error cudaStreamBeginCapture(void* stream, int mode) {
  return with_stream(stream, [&](Order& order) {
    return mode < 0 || mode > 2 ? cuda::kInvalidValue : order.begin_capture(stream);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamEndCapture(void* stream, void** graph) {
  return with_stream(stream, [&](Order& order) {
    if (!graph) return cuda::kInvalidValue;
    *graph = nullptr;
    return order.end_capture(stream, graph);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamIsCapturing(void* stream, int* status) {
  return with_stream(stream, [&](Order& order) {
    if (!status) return cuda::kInvalidValue;
    *status = order.is_capturing(stream) ? 1 : 0;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaGraphInstantiate(void** executable, void* graph, unsigned long long) {
  return instantiate(executable, graph);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphInstantiateWithFlags(void** executable, void* graph,
                                                           unsigned long long) {
  return instantiate(executable, graph);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphUpload(void* executable, void* stream) {
  return with_stream(stream, [&](Order& order) {
    return order.find_graph(executable) ? cuda::kSuccess : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGraphLaunch(void* executable, void* stream) {
  return launch_graph(executable, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaGraphDestroy(void* graph) { return destroy_graph(graph); }
FUSEBOX_CUDA_API cuda::Error cudaGraphExecDestroy(void* executable) { return destroy_graph(executable); }
