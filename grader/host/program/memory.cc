#include <cstdlib>
#include <cstring>

#include "grader/host/program/answer.h"
#include "grader/host/program/runtime.h"

// Memory of the device and of the host, and copies between them.
namespace fusebox::recording {
namespace {

using cuda::Error;

DeviceAddress address_of(const void* pointer) { return reinterpret_cast<DeviceAddress>(pointer); }

using InStream = std::optional<const void*>;  ///< none: the host itself

Error allocate(void** pointer, std::size_t bytes, InStream stream) {
  return entry([&](Runtime& state) {
    if (!pointer) return cuda::kInvalidValue;
    if (stream && !state.order.is_stream(*stream)) return cuda::kInvalidResourceHandle;
    *pointer = nullptr;
    if (bytes == 0) return cuda::kSuccess;
    const DeviceAddress address = state.allocate(bytes, stream);
    if (address == 0) return cuda::kMemoryAllocation;
    *pointer = reinterpret_cast<void*>(address);
    return cuda::kSuccess;
  });
}

Error release(const void* pointer, InStream stream) {
  return entry([&](Runtime& state) {
    if (stream && !state.order.is_stream(*stream)) return cuda::kInvalidResourceHandle;
    // On a GPU that succeeds, and whoever called the function is left with a pointer to nothing.
    if (state.is_argument(address_of(pointer)))
      refuse(FailureKind::unsupported, "Your host function called cudaFree with a tensor that it was given.",
             "Free only what the function itself has allocated: tensors belong to the caller.");
    return !pointer || state.free(address_of(pointer), stream) ? cuda::kSuccess : cuda::kInvalidValue;
  });
}

const char* word(cuda::Error error) {
  return error == cuda::kInvalidMemcpyDirection  ? "there is no such direction"
         : error == cuda::kInvalidSymbol         ? "there is no such variable on the device"
         : error == cuda::kInvalidResourceHandle ? "there is no such stream"
                                                 : "invalid value";
}

/// The direction that two pointers have.
const char* direction_of(const Runtime& state, const void* to, const void* from) {
  const bool to_device = state.is_device(address_of(to)), from_device = state.is_device(address_of(from));
  if (to_device) return from_device ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyHostToDevice";
  return from_device ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToHost";
}
const char* name_of(int kind) {
  constexpr const char* kNames[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                    "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                    "cudaMemcpyDefault"};
  return kind >= 0 && kind <= cuda::kInferred ? kNames[kind] : "none of the directions";
}

/// Keeps the first call of its kind that did nothing. A null pointer comes from elsewhere, an allocation that
/// failed: that is not told here.
Error refused(Runtime& state, const char* function, std::size_t bytes, Error error, std::string why,
              std::string hint) {
  if (error == cuda::kSuccess || !state.bad_copy.empty()) return error;
  state.bad_copy = std::string("A call of ") + function + " of " + std::to_string(bytes) +
                   " bytes is refused and does nothing: " + (why.empty() ? word(error) : why) + ".";
  state.bad_copy_hint = std::move(hint);
  return error;
}
Error refused_copy(Runtime& state, const char* function, const void* to, const void* from, std::size_t bytes,
                   int kind, Error error) {
  const std::string is = direction_of(state, to, from), said = name_of(kind);
  const bool otherwise = error != cuda::kInvalidResourceHandle && kind != cuda::kInferred && is != said;
  return refused(state, function, bytes, error,
                 otherwise ? "its direction is " + said + ", and the two pointers are those of " + is : "",
                 otherwise
                     ? "Say " + is + ", or cudaMemcpyDefault."
                     : "Look at the addresses and at the number of bytes, and at what the call returns.");
}

Error fill_in_bounds(void* to, int value, std::size_t bytes, const void* stream) {
  return entry([&](Runtime& state) {
    if (const Error error = check_stream(state, stream); error != cuda::kSuccess) return error;
    if (bytes == 0) return cuda::kSuccess;
    if (!state.in_bounds(address_of(to), bytes)) return cuda::kInvalidValue;
    state.record(MemsetOp{address_of(to), bytes, static_cast<std::uint8_t>(value)}, stream);
    return cuda::kSuccess;
  });
}

Error fill(const char* function, void* to, int value, std::size_t bytes, const void* stream) {
  const Error error = fill_in_bounds(to, value, bytes, stream);
  if (error == cuda::kSuccess || !to) return error;
  const std::lock_guard lock(runtime().mutex);
  return refused(runtime(), function, bytes, error,
                 error == cuda::kInvalidValue ? "not all of that lies in one allocation on the device" : "",
                 "Look at the address and at the number of bytes, and at what the call returns.");
}

[[noreturn]] void refuse_reading(const char* function) {
  refuse_call(
      function, "nothing has run yet, so results cannot be read on the host inside the host function",
      "Leave results in device memory and let a kernel read them; the grader fetches the outputs itself.");
}

cuda::CopyKind direction(const Runtime& state, const void* to, const void* from, int kind) {
  if (kind != cuda::kInferred) return static_cast<cuda::CopyKind>(kind);
  const bool to_device = state.is_device(address_of(to)), from_device = state.is_device(address_of(from));
  if (to_device) return from_device ? cuda::kDeviceToDevice : cuda::kHostToDevice;
  return from_device ? cuda::kDeviceToHost : cuda::kHostToHost;
}

/// `stream`: of an asynchronous copy; the others go to the default stream, and those from the host are waited
/// for.
Error copy_as_said(const char* function, void* to, const void* from, std::size_t bytes, int kind,
                   InStream stream) {
  return entry([&](Runtime& state) {
    if (const Error error = check_stream(state, stream.value_or(nullptr)); error != cuda::kSuccess)
      return error;
    if (kind < 0 || kind > cuda::kInferred) return cuda::kInvalidMemcpyDirection;
    if (bytes == 0) return cuda::kSuccess;
    switch (direction(state, to, from, kind)) {
      case cuda::kDeviceToHost:
        refuse_reading(function);
      case cuda::kHostToHost:
        if (state.is_device(address_of(to)) || state.is_device(address_of(from))) return cuda::kInvalidValue;
        std::memmove(to, from, bytes);
        return cuda::kSuccess;
      case cuda::kHostToDevice:
        if (!from || state.is_device(address_of(from)) || !state.in_bounds(address_of(to), bytes))
          return cuda::kInvalidValue;
        state.record(CopyOp{address_of(to), 0, bytes, {}, state.take_host_bytes(from, bytes)},
                     stream.value_or(nullptr));
        return stream ? cuda::kSuccess : state.order.join_stream(nullptr);
      default:
        if (!state.in_bounds(address_of(to), bytes) || !state.in_bounds(address_of(from), bytes))
          return cuda::kInvalidValue;
        state.record(CopyOp{address_of(to), address_of(from), bytes, {}, {}}, stream.value_or(nullptr));
        return cuda::kSuccess;
    }
  });
}

Error copy(const char* function, void* to, const void* from, std::size_t bytes, int kind, InStream stream) {
  const Error error = copy_as_said(function, to, from, bytes, kind, stream);
  if (error == cuda::kSuccess || !to || !from) return error;
  const std::lock_guard lock(runtime().mutex);
  return refused_copy(runtime(), function, to, from, bytes, kind, error);
}

Error copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                     InStream stream) {
  return entry([&](Runtime& state) {
    const void* in = stream.value_or(nullptr);
    if (const Error error = check_stream(state, in); error != cuda::kSuccess) return error;
    const auto found = state.symbols.find(symbol);
    if (found == state.symbols.end()) return cuda::kInvalidSymbol;
    const Symbol& target = found->second;
    if (offset > target.bytes || bytes > target.bytes - offset) return cuda::kInvalidValue;
    if (bytes == 0) return cuda::kSuccess;
    const bool from_device = state.is_device(address_of(from));
    if (kind == cuda::kInferred) kind = from_device ? cuda::kDeviceToDevice : cuda::kHostToDevice;
    if (kind == cuda::kHostToDevice && !from_device && from) {
      state.record(CopyOp{offset, 0, bytes, target.name, state.take_host_bytes(from, bytes)}, in);
      if (!stream) return state.order.join_stream(nullptr);
    } else if (kind == cuda::kDeviceToDevice && state.in_bounds(address_of(from), bytes)) {
      state.record(CopyOp{offset, address_of(from), bytes, target.name, {}}, in);
    } else {
      return kind == cuda::kHostToDevice || kind == cuda::kDeviceToDevice ? cuda::kInvalidValue
                                                                          : cuda::kInvalidMemcpyDirection;
    }
    return cuda::kSuccess;
  });
}

Error allocate_on_host(void** pointer, std::size_t bytes) {
  return entry([&](Runtime&) {
    if (!pointer) return cuda::kInvalidValue;
    *pointer = std::malloc(bytes);
    return *pointer || bytes == 0 ? cuda::kSuccess : cuda::kMemoryAllocation;
  });
}

}  // namespace
}  // namespace fusebox::recording

using namespace fusebox;
using namespace fusebox::recording;

FUSEBOX_CUDA_API cuda::Error cudaMalloc(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, {});
}
FUSEBOX_CUDA_API cuda::Error cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
  return allocate(pointer, bytes, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaFree(void* pointer) { return release(pointer, {}); }
FUSEBOX_CUDA_API cuda::Error cudaFreeAsync(void* pointer, void* stream) { return release(pointer, stream); }
FUSEBOX_CUDA_API cuda::Error cudaMemset(void* to, int value, std::size_t bytes) {
  return fill("cudaMemset", to, value, bytes, nullptr);
}
FUSEBOX_CUDA_API cuda::Error cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
  return fill("cudaMemsetAsync", to, value, bytes, stream);
}

FUSEBOX_CUDA_API cuda::Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return copy("cudaMemcpy", to, from, bytes, kind, {});
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind,
                                             void* stream) {
  return copy("cudaMemcpyAsync", to, from, bytes, kind, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                                std::size_t offset, int kind) {
  return copy_to_symbol(symbol, from, bytes, offset, kind, {});
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, int kind, void* stream) {
  return copy_to_symbol(symbol, from, bytes, offset, kind, stream);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, int) {
  refuse_reading("cudaMemcpyFromSymbol");
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromSymbolAsync(void*, const void*, std::size_t, std::size_t, int,
                                                       void*) {
  refuse_reading("cudaMemcpyFromSymbolAsync");
}
FUSEBOX_CUDA_API cuda::Error cudaGetSymbolAddress(void**, const void*) {
  refuse_call("cudaGetSymbolAddress", "the variable has no address before the device runs",
              "Use cudaMemcpyToSymbol, or let a kernel take the address.");
}
FUSEBOX_CUDA_API cuda::Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return entry([&](Runtime& state) {
    const auto found = state.symbols.find(symbol);
    if (found == state.symbols.end()) return cuda::kInvalidSymbol;
    *bytes = found->second.bytes;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaMallocManaged(void**, std::size_t, unsigned) {
  refuse_call("cudaMallocManaged", "managed memory is shared with the host, and nothing has run yet",
              "Use cudaMalloc.");
}
FUSEBOX_CUDA_API cuda::Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return allocate_on_host(pointer, bytes);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocHost(void** pointer, std::size_t bytes) {
  return allocate_on_host(pointer, bytes);
}
FUSEBOX_CUDA_API cuda::Error cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cuda::kSuccess;
}

FUSEBOX_CUDA_API cuda::Error cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return entry([&](Runtime& state) {
    if (free) *free = state.free_bytes();
    if (total) *total = state.request.gpu.global_bytes;
    return cuda::kSuccess;
  });
}
