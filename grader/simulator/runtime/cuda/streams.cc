#include "grader/simulator/runtime/cuda/runtime.h"

// Streams and events. Everything is done when its call returns; an event's time is the modelled time of the
// launches before it.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

Error create_stream(void** handle, unsigned flags, int priority) {
  return entry([&](Runtime& state) {
    if (!handle) return cuda::kInvalidValue;
    static std::uint64_t next_id = 1;
    auto stream = std::make_unique<Stream>(Stream{flags, priority, next_id++});
    *handle = stream.get();
    state.streams[*handle] = std::move(stream);
    return cuda::kSuccess;
  });
}

/// Runs `body` on a stream, the default ones included.
template <class Body>
Error with_stream(const void* handle, Body body) {
  return quiet_entry([&](Runtime& state) {
    if (!state.is_stream(handle)) return cuda::kInvalidResourceHandle;
    const auto found = state.streams.find(handle);
    return body(found == state.streams.end() ? Stream{} : *found->second);
  });
}
Error need_stream(const void* handle) {
  return with_stream(handle, [](const Stream&) { return cuda::kSuccess; });
}

Error wait_for(const void* handle) {
  return quiet_entry([&](Runtime& state) {
    return state.is_stream(handle) ? refuse_to_wait(state, handle) : cuda::kInvalidResourceHandle;
  });
}

constexpr unsigned kEventDisableTiming = 2;

Error create_event(void** handle, unsigned flags) {
  return entry([&](Runtime& state) {
    if (!handle) return cuda::kInvalidValue;
    auto event = std::make_unique<Event>();
    event->timed = (flags & kEventDisableTiming) == 0;
    *handle = event.get();
    state.events[*handle] = std::move(event);
    return cuda::kSuccess;
  });
}

template <class Body>
Error with_event(const void* handle, Body body) {
  return quiet_entry([&](Runtime& state) {
    const auto found = state.events.find(handle);
    return found == state.events.end() ? cuda::kInvalidResourceHandle : body(state, *found->second);
  });
}
Error need_event(const void* handle) {
  return with_event(handle, [](Runtime&, Event&) { return cuda::kSuccess; });
}

/// Outside the lock, unless it is written down for later.
template <class Function>
Error call_back(void* stream, Function* function, std::function<void()> call) {
  bool now = false;
  const Error error = entry([&](Runtime& state) {
    if (!function) return cuda::kInvalidValue;
    const Captured where = captured(state, stream, GraphNode::Kind::host);
    now = !where.node && where.error == cuda::kSuccess;
    if (where.node)
      where.node->work = [call](Runtime&) {
        call();
        return cuda::kSuccess;
      };
    return where.error;
  });
  if (now) call();
  return error;
}

Error record(const void* event, const void* stream) {
  return with_event(event, [&](Runtime& state, Event& found) {
    if (!state.is_stream(stream)) return cuda::kInvalidResourceHandle;
    if (capture_record(state, stream, found)) return cuda::kSuccess;
    found.recorded = true;
    found.seconds = state.seconds;
    return cuda::kSuccess;
  });
}

Error elapsed(float* milliseconds, const void* start, const void* end) {
  return with_event(start, [&](Runtime& state, Event& first) {
    const auto found = state.events.find(end);
    if (found == state.events.end()) return cuda::kInvalidResourceHandle;
    const Event& last = *found->second;
    if (!milliseconds) return cuda::kInvalidValue;
    if (!first.recorded || !last.recorded || !first.timed || !last.timed) return cuda::kInvalidResourceHandle;
    state.journal.note("the times that the program read with cudaEventElapsedTime are modelled, of a " +
                       state.gpu().full_name + ": launches only, copies take none");
    *milliseconds = static_cast<float>((last.seconds - first.seconds) * 1e3);
    return cuda::kSuccess;
  });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaStreamCreate(void** stream) { return create_stream(stream, 0, 0); }
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return create_stream(stream, flags, 0);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return create_stream(stream, flags, priority);
}
FUSEBOX_CUDA_API cuda::Error cudaStreamDestroy(void* stream) {
  return entry([&](Runtime& state) {
    return state.streams.erase(stream) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamSynchronize(void* stream) { return wait_for(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamQuery(void* stream) { return wait_for(stream); }
FUSEBOX_CUDA_API cuda::Error cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  const cuda::Error error = need_stream(stream);
  if (error != cuda::kSuccess) return error;
  return with_event(event,
                    [&](Runtime& state, const Event& found) { return capture_wait(state, stream, found); });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetFlags(void* stream, unsigned* flags) {
  return with_stream(stream, [&](const Stream& found) {
    if (!flags) return cuda::kInvalidValue;
    *flags = found.flags;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetPriority(void* stream, int* priority) {
  return with_stream(stream, [&](const Stream& found) {
    if (!priority) return cuda::kInvalidValue;
    *priority = found.priority;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetId(void* stream, unsigned long long* id) {
  return with_stream(stream, [&](const Stream& found) {
    if (!id) return cuda::kInvalidValue;
    *id = found.id;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetDevice(void* stream, int* device) {
  return with_stream(stream, [&](const Stream&) {
    if (!device) return cuda::kInvalidValue;
    *device = 0;
    return cuda::kSuccess;
  });
}
// Callbacks may call the runtime or wait for other threads that do, so they run outside the lock.
FUSEBOX_CUDA_API cuda::Error cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return call_back(stream, function, [=] { function(data); });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamAddCallback(void* stream, void (*function)(void*, cuda::Error, void*),
                                                   void* data, unsigned) {
  return call_back(stream, function, [=] { function(stream, cuda::kSuccess, data); });
}

FUSEBOX_CUDA_API cuda::Error cudaEventCreate(void** event) { return create_event(event, 0); }
FUSEBOX_CUDA_API cuda::Error cudaEventCreateWithFlags(void** event, unsigned flags) {
  return create_event(event, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaEventDestroy(void* event) {
  return entry([&](Runtime& state) {
    return state.events.erase(event) ? cuda::kSuccess : cuda::kInvalidResourceHandle;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaEventRecord(void* event, void* stream) { return record(event, stream); }
FUSEBOX_CUDA_API cuda::Error cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return record(event, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaEventSynchronize(void* event) { return need_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventQuery(void* event) { return need_event(event); }
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
  return elapsed(milliseconds, start, end);
}
FUSEBOX_CUDA_API cuda::Error cudaEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
  return elapsed(milliseconds, start, end);
}
