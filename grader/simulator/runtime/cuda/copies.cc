#include <cstring>

#include "grader/simulator/runtime/cuda/runtime.h"

// Copies between host and device, straight, in rows, in volumes, and from and to variables.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

/// Rows of `width` bytes in slices: one row for a plain copy.
struct CopyExtent {
  std::size_t width = 0, rows = 1, slices = 1;
};
struct Side {
  const void* pointer = nullptr;
  std::size_t pitch = 0, slice = 0;  ///< bytes from row to row, from slice to slice
  std::size_t reach(const CopyExtent& extent) const {
    return (extent.slices - 1) * slice + (extent.rows - 1) * pitch + extent.width;
  }
};

struct Place {
  bool device = false;  ///< in the device's addresses
  bool host_may_touch = true;
  bool valid = false;
};

Place place_of(const Runtime& state, const void* pointer, std::size_t bytes) {
  const DeviceAddress address = address_of(pointer);
  if (!state.memory.is_device(address)) return {false, true, pointer != nullptr};
  const DeviceMemory::Block* block = state.memory.find(address);
  return {true, block && block->kind != MemoryKind::device, state.session.memory().live(address, bytes)};
}

void copy_row(Runtime& state, bool to_device, std::byte* to, bool from_device, const std::byte* from,
              std::size_t bytes) {
  if (to_device && from_device)
    state.session.copy(address_of(to), address_of(from), bytes);
  else if (to_device)
    state.session.write(address_of(to), from, bytes);
  else
    std::memmove(to, from, bytes);
  if ((to_device || from_device) && !state.compared)
    state.session.model_copy_later(to_device ? address_of(to) : 0, from_device ? address_of(from) : 0, bytes);
  if (from_device && !to_device && state.compared) state.journal.copied_back(to, bytes);
}

Error copy(Runtime& state, const Side& to, const Side& from, const CopyExtent& extent, int kind) {
  if (kind < cuda::kHostToHost || kind > cuda::kInferred) return cuda::kInvalidMemcpyDirection;
  if (extent.width == 0 || extent.rows == 0 || extent.slices == 0) return cuda::kSuccess;
  if (extent.rows > 1 && (extent.width > to.pitch || extent.width > from.pitch)) return cuda::kInvalidPitch;
  const Place target = place_of(state, to.pointer, to.reach(extent));
  const Place source = place_of(state, from.pointer, from.reach(extent));
  if (!target.valid || !source.valid) return cuda::kInvalidValue;
  const bool to_device = kind == cuda::kHostToDevice || kind == cuda::kDeviceToDevice;
  const bool from_device = kind == cuda::kDeviceToHost || kind == cuda::kDeviceToDevice;
  if (kind != cuda::kInferred) {
    if (to_device ? !target.device : !target.host_may_touch) return cuda::kInvalidValue;
    if (from_device ? !source.device : !source.host_may_touch) return cuda::kInvalidValue;
  }
  auto* target_bytes = static_cast<std::byte*>(const_cast<void*>(to.pointer));
  const auto* source_bytes = static_cast<const std::byte*>(from.pointer);
  for (std::size_t z = 0; z < extent.slices; ++z)
    for (std::size_t y = 0; y < extent.rows; ++y)
      copy_row(state, target.device, target_bytes + z * to.slice + y * to.pitch, source.device,
               source_bytes + z * from.slice + y * from.pitch, extent.width);
  return cuda::kSuccess;
}

Error copy(void* to, const void* from, std::size_t bytes, int kind) {
  return entry([&](Runtime& state) { return copy(state, {to, 0, 0}, {from, 0, 0}, {bytes, 1, 1}, kind); });
}

Error copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t rows, int kind) {
  return entry([&](Runtime& state) {
    return copy(state, {to, to_pitch, 0}, {from, from_pitch, 0}, {width, rows, 1}, kind);
  });
}

/// With an array on either side everything but plain pointers' positions counts in its elements.
Error copy_volume_of_arrays(Runtime& state, const cuda::Copy3D& order) {
  const auto find = [&](const void* handle) -> const Array* {
    const auto found = state.arrays.find(handle);
    return found == state.arrays.end() ? nullptr : found->second.get();
  };
  const Array *from = find(order.from_array), *to = find(order.to_array);
  if ((order.from_array && !from) || (order.to_array && !to)) return cuda::kInvalidValue;
  const std::size_t element = (from ? from : to)->element_bytes();
  const cuda::Volume& volume = order.volume;
  bool inside = true;
  const auto side = [&](const Array* array, const cuda::PitchedPointer& memory, const cuda::Position& at) {
    if (!array)
      return Side{static_cast<const std::byte*>(memory.pointer) + at.z * memory.pitch * memory.height +
                      at.y * memory.pitch + at.x,
                  memory.pitch, memory.pitch * memory.height};
    const auto size = array->size();
    inside = inside && at.x + volume.width <= size[0] && at.y + volume.height <= size[1] &&
             at.z + volume.depth <= size[2];
    return Side{
        pointer_to(array->data + at.z * array->slice_bytes() + at.y * array->row_bytes() + at.x * element),
        array->row_bytes(), array->slice_bytes()};
  };
  const Side target = side(to, order.to, order.to_position),
             source = side(from, order.from, order.from_position);
  if (!inside) return cuda::kInvalidValue;
  return copy(state, target, source, {volume.width * element, volume.height, volume.depth}, order.kind);
}

Error copy_volume(const cuda::Copy3D* order) {
  return entry([&](Runtime& state) {
    if (!order) return cuda::kInvalidValue;
    if (order->from_array || order->to_array) return copy_volume_of_arrays(state, *order);
    const auto side = [](const cuda::PitchedPointer& memory, const cuda::Position& at) {
      const std::size_t slice = memory.pitch * memory.height;
      return Side{static_cast<const std::byte*>(memory.pointer) + at.z * slice + at.y * memory.pitch + at.x,
                  memory.pitch, slice};
    };
    return copy(state, side(order->to, order->to_position), side(order->from, order->from_position),
                {order->volume.width, order->volume.height, order->volume.depth}, order->kind);
  });
}

/// `outward`: from the symbol.
Error copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset, int kind,
                  bool outward) {
  return entry([&](Runtime& state) {
    const Symbol* found = nullptr;
    DeviceAddress address = 0;
    if (const Error error = state.locate(symbol, found, address); error != cuda::kSuccess) return error;
    if (offset > found->bytes || bytes > found->bytes - offset) return cuda::kInvalidValue;
    const bool fits = outward ? kind == cuda::kDeviceToHost || kind == cuda::kDeviceToDevice
                              : kind == cuda::kHostToDevice || kind == cuda::kDeviceToDevice;
    if (!fits && kind != cuda::kInferred) return cuda::kInvalidMemcpyDirection;
    const Side inside{pointer_to(address + offset), 0, 0}, outside{other, 0, 0};
    return copy(state, outward ? outside : inside, outward ? inside : outside, {bytes, 1, 1}, kind);
  });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return copy(to, from, bytes, kind);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind,
                                             void* stream) {
  return in_stream(stream, GraphNode::Kind::copy, [=](Runtime&) { return copy(to, from, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                            std::size_t bytes) {
  if (to_device != 0 || from_device != 0) return entry([](Runtime&) { return cuda::kInvalidDevice; });
  return copy(to, from, bytes, cuda::kDeviceToDevice);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                                 std::size_t bytes, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return cudaMemcpyPeer(to, to_device, from, from_device, bytes); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                          std::size_t from_pitch, std::size_t width, std::size_t height,
                                          int kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                               std::size_t from_pitch, std::size_t width, std::size_t height,
                                               int kind, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy3D(const cuda::Copy3D* order) { return copy_volume(order); }
FUSEBOX_CUDA_API cuda::Error cudaMemcpy3DAsync(const cuda::Copy3D* order, void* stream) {
  if (!order) return cudaMemcpy3D(order);
  return in_stream(stream, GraphNode::Kind::copy, [order = *order](Runtime&) { return copy_volume(&order); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy3DPeer(const cuda::CopyPeers* order) {
  if (!order) return cudaMemcpy3D(nullptr);
  if (order->from_device != 0 || order->to_device != 0)
    return entry([](Runtime&) { return cuda::kInvalidDevice; });
  const cuda::Copy3D plain{order->from_array, order->from_position, order->from,
                           order->to_array,   order->to_position,   order->to,
                           order->volume,     cuda::kDeviceToDevice};
  return copy_volume(&plain);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy3DPeerAsync(const cuda::CopyPeers* order, void* stream) {
  if (!order) return cudaMemcpy3D(nullptr);
  return in_stream(stream, GraphNode::Kind::copy,
                   [order = *order](Runtime&) { return cudaMemcpy3DPeer(&order); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                                std::size_t offset, int kind) {
  return copy_symbol(symbol, from, bytes, offset, kind, false);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, int kind, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return copy_symbol(symbol, from, bytes, offset, kind, false); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, int kind) {
  return copy_symbol(symbol, to, bytes, offset, kind, true);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                                       std::size_t offset, int kind, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return copy_symbol(symbol, to, bytes, offset, kind, true); });
}
