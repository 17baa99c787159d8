#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "grader/device/plan.h"

namespace fusebox::sim {

/// What a texture or surface object stands for: elements in device memory, row by row, and how they are read.
/// Device code knows it by a number.
struct Texture {
  enum class Format : std::uint8_t { signed_integer, unsigned_integer, floating };
  enum class Edge : std::uint8_t { wrap, clamp, mirror, border };  ///< as cudaTextureAddressMode counts them

  DeviceAddress data = 0;
  std::uint64_t row_bytes = 0, slice_bytes = 0;
  std::array<std::uint32_t, 3> size{1, 1, 1};  ///< elements; the last: slices or layers
  std::uint8_t channels = 1, channel_bytes = 4;
  Format format = Format::floating;
  // A surface has none of these.
  std::array<Edge, 3> edges{Edge::clamp, Edge::clamp, Edge::clamp};
  bool linear_filter = false;        ///< else the nearest element
  bool to_unit_range = false;        ///< integers become floats from 0 or -1 to 1
  bool normalised_position = false;  ///< positions go from 0 to 1
  std::array<float, 4> border{};

  std::uint32_t element_bytes() const { return std::uint32_t{channels} * channel_bytes; }
};

using Textures = std::map<std::uint64_t, Texture>;

}  // namespace fusebox::sim
