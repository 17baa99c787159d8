#include <algorithm>
#include <cstring>

#include "grader/simulator/runtime/cuda/runtime.h"

// CUDA arrays, and the texture and surface objects that read and write them or plain memory.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

constexpr int kSigned = 0, kFloat = 2;                   // cudaChannelFormatKind; between them: unsigned
constexpr int kOfArray = 0, kOfLinear = 2, kOfRows = 3;  // cudaResourceType; 1 has mipmaps

/// cudaResourceDesc.
struct ResourceDescription {
  int type, padding;
  union {
    const void* array;
    struct {
      void* pointer;
      cuda::Channels channels;
      std::uint32_t padding;
      std::size_t bytes;
    } linear;
    struct {
      void* pointer;
      cuda::Channels channels;
      std::uint32_t padding;
      std::size_t width, height, pitch;
    } rows;
    std::byte space[128];
  };
  unsigned flags;
};
static_assert(sizeof(ResourceDescription) == 144);

/// cudaTextureDesc, as far as it is read.
struct TextureDescription {
  int edges[3], filter, read, srgb;
  float border[4];
  int normalised;
  unsigned rest[7];
};
static_assert(sizeof(TextureDescription) == 72);

bool known(const cuda::Channels& c) {
  const int bits = c.bits[0];
  if ((bits != 8 && bits != 16 && bits != 32) || c.kind < kSigned || c.kind > kFloat) return false;
  if (c.kind == kFloat && bits == 8) return false;
  int used = 0;
  for (const int b : c.bits) {
    if (b != 0 && b != bits) return false;
    used += b != 0;
  }
  return used == 1 || used == 2 || used == 4;
}

void describe(Texture& texture, const cuda::Channels& c) {
  texture.channels =
      static_cast<std::uint8_t>(std::count_if(c.bits, c.bits + 4, [](int bits) { return bits != 0; }));
  texture.channel_bytes = static_cast<std::uint8_t>(c.bits[0] / 8);
  texture.format = static_cast<Texture::Format>(c.kind);
}

Error of_resource(Runtime& state, const ResourceDescription& resource, Texture& texture) {
  switch (resource.type) {
    case kOfArray: {
      const auto found = state.arrays.find(resource.array);
      if (found == state.arrays.end()) return cuda::kInvalidValue;
      const Array& array = *found->second;
      describe(texture, array.channels);
      texture.data = array.data;
      texture.row_bytes = array.row_bytes();
      texture.slice_bytes = array.slice_bytes();
      texture.size = array.size();
      return cuda::kSuccess;
    }
    case kOfLinear:
      if (!known(resource.linear.channels)) return cuda::kInvalidChannelDescriptor;
      describe(texture, resource.linear.channels);
      texture.data = address_of(resource.linear.pointer);
      texture.size[0] = static_cast<std::uint32_t>(resource.linear.bytes / texture.element_bytes());
      return state.session.memory().live(texture.data, resource.linear.bytes) ? cuda::kSuccess
                                                                              : cuda::kInvalidValue;
    case kOfRows:
      if (!known(resource.rows.channels)) return cuda::kInvalidChannelDescriptor;
      describe(texture, resource.rows.channels);
      texture.data = address_of(resource.rows.pointer);
      texture.row_bytes = resource.rows.pitch;
      texture.size = {static_cast<std::uint32_t>(resource.rows.width),
                      static_cast<std::uint32_t>(resource.rows.height), 1};
      return resource.rows.width * texture.element_bytes() <= resource.rows.pitch ? cuda::kSuccess
                                                                                  : cuda::kInvalidValue;
    default:
      return cuda::kNotSupported;
  }
}

Error make_object(const char* function, unsigned long long* object, const ResourceDescription* resource,
                  const TextureDescription* reading) {
  if (resource && resource->type == 1) return not_supported(function, "mipmapped arrays");
  if (reading && reading->srgb) return not_supported(function, "sRGB");
  return entry([&](Runtime& state) {
    if (!object || !resource) return cuda::kInvalidValue;
    Texture texture;
    if (const Error error = of_resource(state, *resource, texture); error != cuda::kSuccess) return error;
    if (reading) {
      for (std::size_t k = 0; k < 3; ++k)
        texture.edges[k] = static_cast<Texture::Edge>(reading->edges[k] & 3);
      texture.linear_filter = reading->filter == 1;
      texture.to_unit_range = reading->read == 1;
      texture.normalised_position = reading->normalised != 0;
      std::copy(reading->border, reading->border + 4, texture.border.begin());
      const bool gives_floats = texture.format == Texture::Format::floating || texture.to_unit_range;
      if (texture.linear_filter && !gives_floats) return cuda::kInvalidFilterSetting;
      if (texture.to_unit_range && texture.channel_bytes == 4 && texture.format != Texture::Format::floating)
        return cuda::kInvalidNormSetting;
    }
    static unsigned long long next = 0x7e00'0000'0001ull;
    *object = next++;
    state.session.textures()[*object] = texture;
    std::memcpy(state.resources[*object].data(), resource, sizeof *resource);
    state.journal.note("textures and surfaces are read and written as they should be, but are in no counter");
    return cuda::kSuccess;
  });
}

Error drop_object(unsigned long long object) {
  return entry([&](Runtime& state) {
    state.resources.erase(object);
    return object == 0 || state.session.textures().erase(object) ? cuda::kSuccess : cuda::kInvalidValue;
  });
}

Error describe_resource(ResourceDescription* resource, unsigned long long object) {
  return entry([&](Runtime& state) {
    const auto found = state.resources.find(object);
    if (!resource || found == state.resources.end()) return cuda::kInvalidValue;
    std::memcpy(resource, found->second.data(), sizeof *resource);
    return cuda::kSuccess;
  });
}

constexpr unsigned kCube = 4;  // cudaArrayCubemap

Error make_array(const char* function, void** handle, const cuda::Channels* channels,
                 const cuda::Volume& extent, unsigned flags) {
  if (flags & kCube) return not_supported(function, "cube maps");
  return entry([&](Runtime& state) {
    if (!handle || !channels || extent.width == 0) return cuda::kInvalidValue;
    if (!known(*channels)) return cuda::kInvalidChannelDescriptor;
    auto array = std::make_unique<Array>();
    array->channels = *channels;
    array->extent = extent;
    array->flags = flags;
    const auto size = array->size();
    array->data = state.memory.allocate(array->slice_bytes() * size[2], MemoryKind::device);
    if (array->data == 0) return cuda::kMemoryAllocation;
    *handle = array.get();
    state.arrays[*handle] = std::move(array);
    return cuda::kSuccess;
  });
}

/// Rows of an array as plain memory: where (x in bytes, y) lies.
struct Rows {
  std::byte* pointer = nullptr;
  std::size_t pitch = 0;
};
/// A part of an array: bytes across, rows down.
struct Area {
  std::size_t x = 0, y = 0, width = 0, rows = 0;
};
Rows rows_of(const void* handle, const Area& area) {
  Rows result;
  entry([&](Runtime& state) {
    const auto found = state.arrays.find(handle);
    if (found == state.arrays.end()) return cuda::kSuccess;
    const Array& array = *found->second;
    if (area.x + area.width > array.row_bytes() || area.y + area.rows > array.size()[1])
      return cuda::kSuccess;
    result = {static_cast<std::byte*>(pointer_to(array.data)) + area.y * array.row_bytes() + area.x,
              array.row_bytes()};
    return cuda::kSuccess;
  });
  return result;
}

Error copy_in(void* array, const Area& area, const void* from, std::size_t pitch, int kind) {
  const Rows to = rows_of(array, area);
  if (!to.pointer) return entry([](Runtime&) { return cuda::kInvalidValue; });
  return cudaMemcpy2D(to.pointer, to.pitch, from, pitch, area.width, area.rows, kind);
}
Error copy_out(void* to, std::size_t pitch, const void* array, const Area& area, int kind) {
  const Rows from = rows_of(array, area);
  if (!from.pointer) return entry([](Runtime&) { return cuda::kInvalidValue; });
  return cudaMemcpy2D(to, pitch, from.pointer, from.pitch, area.width, area.rows, kind);
}
/// Both areas are of one size.
Error copy_across(void* to, const Area& target, const void* from, const Area& source) {
  const Rows rows = rows_of(from, source);
  if (!rows.pointer) return entry([](Runtime&) { return cuda::kInvalidValue; });
  return copy_in(to, target, rows.pointer, rows.pitch, cuda::kDeviceToDevice);
}

/// A plain run of bytes through an array, from (x, y) on to the ends of rows.
template <class Copy>
Error copy_run(const void* array, std::size_t x, std::size_t y, std::size_t bytes, Copy copy) {
  std::size_t done = 0;
  const Rows row = rows_of(array, {});
  if (!row.pointer) return entry([](Runtime&) { return cuda::kInvalidValue; });
  for (; done < bytes; ++y, x = 0) {
    const std::size_t now = std::min(bytes - done, row.pitch - x);
    if (const Error error = copy(x, y, done, now); error != cuda::kSuccess) return error;
    done += now;
  }
  return cuda::kSuccess;
}

}  // namespace

std::size_t Array::element_bytes() const {
  return static_cast<std::size_t>(channels.bits[0] + channels.bits[1] + channels.bits[2] + channels.bits[3]) /
         8;
}
std::size_t Array::row_bytes() const { return extent.width * element_bytes(); }
std::array<std::uint32_t, 3> Array::size() const {
  const auto at_least_one = [](std::size_t n) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(n, 1));
  };
  return {at_least_one(extent.width), at_least_one(extent.height), at_least_one(extent.depth)};
}
std::size_t Array::slice_bytes() const { return row_bytes() * size()[1]; }

}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {{x, y, z, w}, kind};
}
FUSEBOX_CUDA_API cuda::Error cudaMallocArray(void** array, const cuda::Channels* channels, std::size_t width,
                                             std::size_t height, unsigned flags) {
  return make_array("cudaMallocArray", array, channels, {width, height, 0}, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaMalloc3DArray(void** array, const cuda::Channels* channels,
                                               cuda::Volume extent, unsigned flags) {
  return make_array("cudaMalloc3DArray", array, channels, extent, flags);
}
FUSEBOX_CUDA_API cuda::Error cudaFreeArray(void* array) {
  return entry([&](Runtime& state) {
    const auto found = state.arrays.find(array);
    if (!array) return cuda::kSuccess;
    if (found == state.arrays.end()) return cuda::kInvalidValue;
    state.memory.free(found->second->data, false);
    state.arrays.erase(found);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaArrayGetInfo(cuda::Channels* channels, cuda::Volume* extent, unsigned* flags,
                                              void* array) {
  return entry([&](Runtime& state) {
    const auto found = state.arrays.find(array);
    if (found == state.arrays.end()) return cuda::kInvalidValue;
    if (channels) *channels = found->second->channels;
    if (extent) *extent = found->second->extent;
    if (flags) *flags = found->second->flags;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGetChannelDesc(cuda::Channels* channels, void* array) {
  return channels ? cudaArrayGetInfo(channels, nullptr, nullptr, array)
                  : entry([](Runtime&) { return cuda::kInvalidValue; });
}

FUSEBOX_CUDA_API cuda::Error cudaCreateTextureObject(unsigned long long* object,
                                                     const ResourceDescription* resource,
                                                     const TextureDescription* reading, const void* view) {
  if (view) return not_supported("cudaCreateTextureObject", "resource views");
  if (!reading) return entry([](Runtime&) { return cuda::kInvalidValue; });
  return make_object("cudaCreateTextureObject", object, resource, reading);
}
FUSEBOX_CUDA_API cuda::Error cudaCreateSurfaceObject(unsigned long long* object,
                                                     const ResourceDescription* resource) {
  if (resource && resource->type != kOfArray) return entry([](Runtime&) { return cuda::kInvalidValue; });
  return make_object("cudaCreateSurfaceObject", object, resource, nullptr);
}
FUSEBOX_CUDA_API cuda::Error cudaDestroyTextureObject(unsigned long long object) {
  return drop_object(object);
}
FUSEBOX_CUDA_API cuda::Error cudaDestroySurfaceObject(unsigned long long object) {
  return drop_object(object);
}
FUSEBOX_CUDA_API cuda::Error cudaGetTextureObjectResourceDesc(ResourceDescription* resource,
                                                              unsigned long long object) {
  return describe_resource(resource, object);
}
FUSEBOX_CUDA_API cuda::Error cudaGetSurfaceObjectResourceDesc(ResourceDescription* resource,
                                                              unsigned long long object) {
  return describe_resource(resource, object);
}

FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                                 std::size_t pitch, std::size_t width, std::size_t height,
                                                 int kind) {
  return copy_in(array, {x, y, width, height}, from, pitch, kind);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y,
                                                      const void* from, std::size_t pitch, std::size_t width,
                                                      std::size_t height, int kind, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy, [=](Runtime&) {
    return copy_in(array, {x, y, width, height}, from, pitch, kind);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array,
                                                   std::size_t x, std::size_t y, std::size_t width,
                                                   std::size_t height, int kind) {
  return copy_out(to, pitch, array, {x, y, width, height}, kind);
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array,
                                                        std::size_t x, std::size_t y, std::size_t width,
                                                        std::size_t height, int kind, void* stream) {
  return in_stream(stream, GraphNode::Kind::copy, [=](Runtime&) {
    return copy_out(to, pitch, array, {x, y, width, height}, kind);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                               std::size_t bytes, int kind) {
  return copy_run(
      array, x, y, bytes, [&](std::size_t column, std::size_t row, std::size_t done, std::size_t now) {
        return copy_in(array, {column, row, now, 1}, static_cast<const std::byte*>(from) + done, now, kind);
      });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y,
                                                 std::size_t bytes, int kind) {
  return copy_run(
      array, x, y, bytes, [&](std::size_t column, std::size_t row, std::size_t done, std::size_t now) {
        return copy_out(static_cast<std::byte*>(to) + done, now, array, {column, row, now, 1}, kind);
      });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y,
                                                    const void* from, std::size_t bytes, int kind,
                                                    void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return cudaMemcpyToArray(array, x, y, from, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpyFromArrayAsync(void* to, const void* array, std::size_t x,
                                                      std::size_t y, std::size_t bytes, int kind,
                                                      void* stream) {
  return in_stream(stream, GraphNode::Kind::copy,
                   [=](Runtime&) { return cudaMemcpyFromArray(to, array, x, y, bytes, kind); });
}
FUSEBOX_CUDA_API cuda::Error cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y,
                                                      const void* from, std::size_t x, std::size_t y,
                                                      std::size_t width, std::size_t height, int) {
  return copy_across(to, {to_x, to_y, width, height}, from, {x, y, width, height});
}
