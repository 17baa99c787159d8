#include <algorithm>
#include <cstdlib>

#include "grader/simulator/runtime/cuda/runtime.h"

// Allocation of device, managed and host memory. A device address is the host address of its byte, so managed
// and pinned memory are device memory that the host may touch.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

constexpr std::size_t kPitch = 512;

Error allocate(void** pointer, std::size_t bytes, MemoryKind kind) {
  return entry([&](Runtime& state) {
    if (!pointer) return cuda::kInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return kind == MemoryKind::managed ? cuda::kInvalidValue : cuda::kSuccess;
    const DeviceAddress address = state.memory.allocate(bytes, kind);
    if (address == 0) return cuda::kMemoryAllocation;
    *pointer = pointer_to(address);
    return cuda::kSuccess;
  });
}

Error release(const void* pointer, bool host) {
  return entry([&](Runtime& state) {
    if (!pointer) return cuda::kSuccess;
    if (state.memory.free(address_of(pointer), host)) return cuda::kSuccess;
    state.journal.note(std::string(host ? "cudaFreeHost" : "cudaFree") +
                       " of a pointer that is not the start of a live allocation (cudaErrorInvalidValue)");
    return cuda::kInvalidValue;
  });
}

Error allocate_host(void** pointer, std::size_t bytes, unsigned flags) {
  const Error error = allocate(pointer, bytes, MemoryKind::host);
  if (error != cuda::kSuccess || !*pointer) return error;
  return entry([&](Runtime& state) {
    state.host_flags[address_of(*pointer)] = flags;
    return cuda::kSuccess;
  });
}

Error allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows) {
  if (!pitch || !pointer) return entry([](Runtime&) { return cuda::kInvalidValue; });
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  if (rows != 0 && *pitch > ~std::size_t{0} / rows)
    return entry([](Runtime&) { return cuda::kMemoryAllocation; });
  return allocate(pointer, *pitch * rows, MemoryKind::device);
}

/// Fills rows of `width` bytes, `pitch` apart.
Error fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows) {
  return entry([&](Runtime& state) {
    if (width == 0 || rows == 0) return cuda::kSuccess;
    if (rows > 1 && width > pitch) return cuda::kInvalidPitch;
    const DeviceAddress begin = address_of(to);
    if (!state.session.memory().live(begin, (rows - 1) * pitch + width)) return cuda::kInvalidValue;
    for (std::size_t row = 0; row < rows; ++row) {
      state.session.fill(begin + row * pitch, static_cast<std::uint8_t>(value), width);
      if (!state.compared) state.session.model_copy_later(begin + row * pitch, 0, width);
    }
    return cuda::kSuccess;
  });
}

Error fill_volume(const cuda::PitchedPointer& to, int value, const cuda::Volume& volume) {
  const std::size_t slice = to.pitch * to.height;
  for (std::size_t z = 0; z < volume.depth; ++z)
    if (const Error error = fill(static_cast<std::byte*>(to.pointer) + z * slice, to.pitch, value,
                                 volume.width, volume.height);
        error != cuda::kSuccess)
      return error;
  return cuda::kSuccess;
}

/// In a stream that is being captured the graph owns the memory, and has it from now on: its address is asked
/// for before the graph first runs.
Error allocate_in(void* stream, void** pointer, std::size_t bytes) {
  const Error error = allocate(pointer, bytes, MemoryKind::device);
  if (error != cuda::kSuccess) return error;
  return entry([&](Runtime& state) {
    const Captured where = captured(state, stream, GraphNode::Kind::allocation);
    if (where.node) {
      where.node->allocated = *pointer;
      state.graph_memory.insert(*pointer);
    }
    return where.error;
  });
}

// cudaMemPoolAttr: 1 to 3 are ints, from 4 on 64 bits; 5 to 8 tell how much is in use.
constexpr int kFirstWideAttribute = 4, kFirstUseAttribute = 5, kLastAttribute = 8;

Pool* find_pool(Runtime& state, const void* handle) {
  if (handle == &state.default_pool) return &state.default_pool;
  const auto found = state.pools.find(handle);
  return found == state.pools.end() ? nullptr : found->second.get();
}

Error give_default_pool(void** pool, int device) {
  return entry([&](Runtime& state) {
    if (device != 0) return cuda::kInvalidDevice;
    if (!pool) return cuda::kInvalidValue;
    *pool = &state.default_pool;
    return cuda::kSuccess;
  });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaMalloc(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::device);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
  return allocate_in(stream, pointer, bytes);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* pool,
                                                     void* stream) {
  const cuda::Error known =
      entry([&](Runtime& state) { return find_pool(state, pool) ? cuda::kSuccess : cuda::kInvalidValue; });
  return known != cuda::kSuccess ? known : allocate_in(stream, pointer, bytes);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  return allocate(pointer, bytes, MemoryKind::managed);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocHost(void** pointer, std::size_t bytes) {
  return allocate_host(pointer, bytes, 0);
}
FUSEBOX_CUDA_API cuda::Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return allocate_host(pointer, bytes, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                             std::size_t height) {
  return allocate_rows(pointer, pitch, width, height);
}
FUSEBOX_CUDA_API cuda::Error cudaMalloc3D(cuda::PitchedPointer* target, cuda::Volume volume) {
  if (!target) return entry([](Runtime&) { return cuda::kInvalidValue; });
  target->width = volume.width;
  target->height = volume.height;
  return allocate_rows(&target->pointer, &target->pitch, volume.width, volume.height * volume.depth);
}

FUSEBOX_CUDA_API cuda::Error cudaFree(void* pointer) { return release(pointer, false); }
FUSEBOX_CUDA_API cuda::Error cudaFreeAsync(void* pointer, void* stream) {
  return in_stream(stream, GraphNode::Kind::release, [=](Runtime& state) {
    return state.graph_memory.contains(pointer) ? cuda::kSuccess : release(pointer, false);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaFreeHost(void* pointer) { return release(pointer, true); }

FUSEBOX_CUDA_API cuda::Error cudaMemset(void* to, int value, std::size_t bytes) {
  return fill(to, 0, value, bytes, 1);
}
FUSEBOX_CUDA_API cuda::Error cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
  return in_stream(stream, GraphNode::Kind::fill, [=](Runtime&) { return fill(to, 0, value, bytes, 1); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height) {
  return fill(to, pitch, value, width, height);
}
FUSEBOX_CUDA_API cuda::Error cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                               std::size_t height, void* stream) {
  return in_stream(stream, GraphNode::Kind::fill,
                   [=](Runtime&) { return fill(to, pitch, value, width, height); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemset3D(cuda::PitchedPointer to, int value, cuda::Volume volume) {
  return fill_volume(to, value, volume);
}
FUSEBOX_CUDA_API cuda::Error cudaMemset3DAsync(cuda::PitchedPointer to, int value, cuda::Volume volume,
                                               void* stream) {
  return in_stream(stream, GraphNode::Kind::fill, [=](Runtime&) { return fill_volume(to, value, volume); });
}

FUSEBOX_CUDA_API cuda::Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  return entry([&](Runtime& state) {
    if (!pointer || bytes == 0) return cuda::kInvalidValue;
    if (state.registered.contains(pointer) || state.memory.is_device(address_of(pointer)))
      return cuda::kHostMemoryAlreadyRegistered;
    const DeviceAddress alias = state.memory.allocate(bytes, MemoryKind::host);
    if (alias == 0) return cuda::kMemoryAllocation;
    state.registered[pointer] = {bytes, alias};
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaHostUnregister(void* pointer) {
  return entry([&](Runtime& state) {
    const auto found = state.registered.find(pointer);
    if (found == state.registered.end()) return cuda::kHostMemoryNotRegistered;
    state.memory.free(found->second.alias, true);
    state.registered.erase(found);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return entry([&](Runtime& state) {
    if (!device) return cuda::kInvalidValue;
    const std::byte* wanted = static_cast<std::byte*>(host);
    for (const auto& [start, range] : state.registered) {
      const auto* begin = static_cast<const std::byte*>(start);
      if (wanted >= begin && wanted < begin + range.bytes) {
        *device = pointer_to(range.alias + static_cast<std::uint64_t>(wanted - begin));
        return cuda::kSuccess;
      }
    }
    const DeviceMemory::Block* block = state.memory.find(address_of(host));
    if (!block || block->kind == MemoryKind::device) return cuda::kInvalidValue;
    *device = host;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaHostGetFlags(unsigned* flags, void* host) {
  return entry([&](Runtime& state) {
    const auto found = state.host_flags.find(address_of(host));
    if (!flags || found == state.host_flags.end()) return cuda::kInvalidValue;
    *flags = found->second;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return entry([&](Runtime& state) {
    if (!free || !total) return cuda::kInvalidValue;
    *free = state.memory.free_bytes();
    *total = state.memory.total_bytes();
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaPointerGetAttributes(cuda::PointerAttributes* target, const void* pointer) {
  return entry([&](Runtime& state) {
    if (!target) return cuda::kInvalidValue;
    constexpr int kNoDevice = -2;
    *target = {cuda::kUnregisteredMemory, kNoDevice, nullptr, const_cast<void*>(pointer)};
    const DeviceMemory::Block* block = state.memory.find(address_of(pointer));
    if (block || state.session.memory().live(address_of(pointer), 1)) {
      const MemoryKind kind = block                                   ? block->kind
                              : state.is_managed(address_of(pointer)) ? MemoryKind::managed
                                                                      : MemoryKind::device;
      target->type = kind == MemoryKind::device    ? cuda::kDeviceMemory
                     : kind == MemoryKind::managed ? cuda::kManagedMemory
                                                   : cuda::kHostMemory;
      target->device = 0;
      target->device_pointer = const_cast<void*>(pointer);
      if (kind == MemoryKind::device) target->host_pointer = nullptr;
      return cuda::kSuccess;
    }
    for (const auto& [start, range] : state.registered) {
      const auto offset = static_cast<const std::byte*>(pointer) - static_cast<const std::byte*>(start);
      if (offset >= 0 && static_cast<std::uint64_t>(offset) < range.bytes)
        *target = {cuda::kHostMemory, 0, pointer_to(range.alias + static_cast<std::uint64_t>(offset)),
                   const_cast<void*>(pointer)};
    }
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
  return entry([](Runtime&) { return cuda::kSuccess; });
}

FUSEBOX_CUDA_API cuda::Error cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return give_default_pool(pool, device);
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetMemPool(void** pool, int device) {
  return give_default_pool(pool, device);
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetMemPool(int device, void* pool) {
  return entry([&](Runtime& state) {
    if (device != 0) return cuda::kInvalidDevice;
    return find_pool(state, pool) ? cuda::kSuccess : cuda::kInvalidValue;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolCreate(void** handle, const void* properties) {
  return entry([&](Runtime& state) {
    if (!handle || !properties) return cuda::kInvalidValue;
    auto pool = std::make_unique<Pool>();
    *handle = pool.get();
    state.pools[*handle] = std::move(pool);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolDestroy(void* pool) {
  return entry(
      [&](Runtime& state) { return state.pools.erase(pool) ? cuda::kSuccess : cuda::kInvalidValue; });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolTrimTo(void* pool, std::size_t) {
  return entry([&](Runtime& state) { return find_pool(state, pool) ? cuda::kSuccess : cuda::kInvalidValue; });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolGetAccess(int* flags, void* pool, const cuda::Location* location) {
  return entry([&](Runtime& state) {
    constexpr int kReadAndWrite = 3;
    if (!flags || !location || !find_pool(state, pool)) return cuda::kInvalidValue;
    *flags = location->type == cuda::Location::kDevice && location->id == 0 ? kReadAndWrite : 0;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolSetAccess(void* pool, const void*, std::size_t) {
  return cudaMemPoolTrimTo(pool, 0);
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolSetAttribute(void* handle, int attribute, const void* value) {
  return entry([&](Runtime& state) {
    Pool* pool = find_pool(state, handle);
    if (!pool || !value || attribute < 1 || attribute > kLastAttribute) return cuda::kInvalidValue;
    pool->attributes[attribute] = attribute < kFirstWideAttribute
                                      ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                                      : *static_cast<const std::uint64_t*>(value);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemPoolGetAttribute(void* handle, int attribute, void* value) {
  return entry([&](Runtime& state) {
    Pool* pool = find_pool(state, handle);
    if (!pool || !value || attribute < 1 || attribute > kLastAttribute) return cuda::kInvalidValue;
    const auto set = pool->attributes.find(attribute);
    std::uint64_t answer = set != pool->attributes.end()     ? set->second
                           : attribute < kFirstWideAttribute ? 1
                                                             : 0;
    if (attribute >= kFirstUseAttribute) answer = state.memory.total_bytes() - state.memory.free_bytes();
    if (attribute < kFirstWideAttribute)
      *static_cast<int*>(value) = static_cast<int>(answer);
    else
      *static_cast<std::uint64_t*>(value) = answer;
    return cuda::kSuccess;
  });
}
