#include "grader/simulator/exec/instructions/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/raise_fault.h"
#include "grader/simulator/exec/state/block.h"

namespace fusebox::sim {
namespace {

using Edge = Texture::Edge;

/// The four channels of one element; integers keep their bits.
struct Element {
  std::array<std::uint32_t, 4> bits{};
};

const Texture* texture_of(Warp& w, const DecodedInstruction& s, const TextureOp& op, int lane) {
  const Textures* all = w.block->launch->textures;
  const std::uint64_t handle = w.lanes_of<std::uint64_t>(op.handle)[lane];
  const auto found = all == nullptr ? Textures::const_iterator{} : all->find(handle);
  if (all != nullptr && found != all->end()) return &found->second;
  raise_fault(w, s, FaultKind::bad_texture, lane, {Space::global, AccessKind::load, handle, 0});
  return nullptr;
}

std::uint32_t in_unit_range(std::uint32_t value, const Texture& texture) {
  const unsigned bits = 8u * texture.channel_bytes;
  float result = 0;
  if (texture.format == Texture::Format::unsigned_integer)
    result = static_cast<float>(value) / static_cast<float>((1u << bits) - 1);
  else
    result = std::max(-1.0f, static_cast<float>(static_cast<std::int32_t>(value)) /
                                 static_cast<float>((1u << (bits - 1)) - 1));
  return std::bit_cast<std::uint32_t>(result);
}

Element decode(const Texture& texture, const std::uint8_t* from) {
  Element element;
  for (std::size_t c = 0; c < texture.channels; ++c) {
    std::uint32_t value = 0;
    std::memcpy(&value, from + c * texture.channel_bytes, texture.channel_bytes);
    if (texture.format == Texture::Format::floating) {
      if (texture.channel_bytes == 2)
        value = std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(value)));
    } else {
      if (texture.format == Texture::Format::signed_integer && texture.channel_bytes < 4) {
        const unsigned unused = 32 - 8u * texture.channel_bytes;
        value = static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
      }
      if (texture.to_unit_range) value = in_unit_range(value, texture);
    }
    element.bits[c] = value;
  }
  return element;
}

/// -1: outside, where the border's colour is.
std::int64_t within(std::int64_t index, std::int64_t size, Edge edge) {
  if (index >= 0 && index < size) return index;
  switch (edge) {
    case Edge::wrap:
      return (index % size + size) % size;
    case Edge::mirror: {
      const std::int64_t at = (index % (2 * size) + 2 * size) % (2 * size);
      return at < size ? at : 2 * size - 1 - at;
    }
    case Edge::border:
      return -1;
    case Edge::clamp:
      break;
  }
  return std::clamp<std::int64_t>(index, 0, size - 1);
}

class Fetch {
 public:
  Fetch(Warp& w, const DecodedInstruction& s, const TextureOp& op, const Texture& texture, int lane)
      : w_(w), s_(s), op_(op), texture_(texture), lane_(lane) {
    if (op.layer != kNoOperand)
      slice_ = std::clamp<std::int64_t>(w.lanes_of<std::int32_t>(op.layer)[lane], 0, texture.size[2] - 1);
  }

  Element run() {
    if (op_.whole_positions) return at_whole_position();
    std::array<std::int64_t, 3> low{};
    std::array<float, 3> weight{};
    for (std::size_t k = 0; k < op_.dimensions; ++k) {
      float position = w_.lanes_of<float>(op_.position[k])[lane_];
      if (texture_.normalised_position) {
        if (texture_.edges[k] == Edge::wrap) position -= std::floor(position);
        position *= static_cast<float>(texture_.size[k]);
      }
      if (texture_.linear_filter) position -= 0.5f;
      const float floor = std::floor(position);
      // Far outside, or not a number: any index that is outside will do.
      low[k] = floor > -1e9f && floor < 1e9f ? static_cast<std::int64_t>(floor)
               : floor < 0                   ? -1000000000
                                             : 1000000000;
      // Hardware has 8 bits for the weight.
      weight[k] = std::nearbyint((position - floor) * 256.0f) / 256.0f;
    }
    return texture_.linear_filter ? between(low, weight) : element(low);
  }

 private:
  Element at_whole_position() {
    std::array<std::int64_t, 3> index{};
    for (std::size_t k = 0; k < op_.dimensions; ++k) {
      index[k] = w_.lanes_of<std::int32_t>(op_.position[k])[lane_];
      if (index[k] < 0 || index[k] >= texture_.size[k]) return {};
    }
    return element(index);
  }

  Element element(std::array<std::int64_t, 3> index) {
    for (std::size_t k = 0; k < op_.dimensions; ++k) {
      // Wrapping and mirroring need positions from 0 to 1.
      Edge edge = texture_.edges[k];
      if (!texture_.normalised_position && (edge == Edge::wrap || edge == Edge::mirror)) edge = Edge::clamp;
      index[k] = within(index[k], texture_.size[k], edge);
      if (index[k] < 0) return border();
    }
    if (op_.layered) index[2] = slice_;
    const auto offset = static_cast<std::uint64_t>(index[2]) * texture_.slice_bytes +
                        (op_.dimensions > 1 ? static_cast<std::uint64_t>(index[1]) * texture_.row_bytes : 0) +
                        static_cast<std::uint64_t>(index[0]) * texture_.element_bytes();
    const std::uint8_t* from = use_bytes(w_, s_, lane_, own_place(w_, Space::global, texture_.data + offset),
                                         {AccessKind::load, texture_.element_bytes(), 1})
                                   .data;
    return from == nullptr ? Element{} : decode(texture_, from);
  }

  Element border() const {
    Element element;
    for (std::size_t c = 0; c < 4; ++c) element.bits[c] = std::bit_cast<std::uint32_t>(texture_.border[c]);
    return element;
  }

  Element between(const std::array<std::int64_t, 3>& low, const std::array<float, 3>& weight) {
    std::array<float, 4> sum{};
    for (unsigned corner = 0; corner < 1u << op_.dimensions; ++corner) {
      std::array<std::int64_t, 3> index = low;
      float share = 1;
      for (std::size_t k = 0; k < op_.dimensions; ++k) {
        const bool high = (corner >> k & 1) != 0;
        index[k] += high;
        share *= high ? weight[k] : 1 - weight[k];
      }
      if (share == 0) continue;
      const Element e = element(index);
      for (std::size_t c = 0; c < 4; ++c) sum[c] += share * std::bit_cast<float>(e.bits[c]);
    }
    Element element;
    for (std::size_t c = 0; c < 4; ++c) element.bits[c] = std::bit_cast<std::uint32_t>(sum[c]);
    return element;
  }

  Warp& w_;
  const DecodedInstruction& s_;
  const TextureOp& op_;
  const Texture& texture_;
  int lane_;
  std::int64_t slice_ = 0;
};

/// Where a surface access of `bytes` goes; 0: nowhere.
DeviceAddress surface_address(Warp& w, const TextureOp& op, const Texture& surface, int lane,
                              std::uint32_t bytes, bool& outside) {
  std::array<std::int64_t, 3> at{};
  std::array<std::int64_t, 3> last{std::int64_t{surface.size[0]} * surface.element_bytes() - bytes,
                                   std::int64_t{surface.size[1]} - 1, std::int64_t{surface.size[2]} - 1};
  for (std::size_t k = 0; k < op.dimensions; ++k) at[k] = w.lanes_of<std::int32_t>(op.position[k])[lane];
  if (op.layer != kNoOperand) at[2] = w.lanes_of<std::int32_t>(op.layer)[lane];
  outside = false;
  for (std::size_t k = 0; k < 3; ++k) {
    outside = outside || at[k] < 0 || at[k] > last[k];
    if (op.outside == TextureOp::Outside::clamp) at[k] = std::clamp<std::int64_t>(at[k], 0, last[k]);
  }
  if (outside && op.outside == TextureOp::Outside::zero) return 0;
  return surface.data + static_cast<std::uint64_t>(at[2]) * surface.slice_bytes +
         static_cast<std::uint64_t>(at[1]) * surface.row_bytes + static_cast<std::uint64_t>(at[0]);
}

template <class Body>
void each_surface(Warp& w, const DecodedInstruction& s, LaneMask mask, AccessKind kind, Body body) {
  const TextureOp& op = w.frame->program->texture_ops[s.extra];
  const auto bytes = static_cast<std::uint32_t>(op.bytes * op.data.size());
  for (const int l : lanes_in(mask)) {
    const Texture* surface = texture_of(w, s, op, l);
    if (surface == nullptr) continue;
    bool outside = false;
    const DeviceAddress address = surface_address(w, op, *surface, l, bytes, outside);
    std::uint8_t* memory = nullptr;
    if (outside && op.outside == TextureOp::Outside::trap)
      raise_fault(w, s, FaultKind::out_of_bounds, l, {Space::global, kind, address, bytes});
    else if (address != 0)
      memory = use_bytes(w, s, l, own_place(w, Space::global, address), {kind, bytes, op.bytes}).data;
    body(op, l, memory);
  }
}

template <class T>
void put(Warp& w, std::uint32_t reg, int lane, const std::uint8_t* from, std::uint8_t bytes) {
  T value = 0;
  if (from != nullptr) std::memcpy(&value, from, bytes);
  w.lanes_of<T>(reg)[lane] = value;
}

}  // namespace

void texture_fetch(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const TextureOp& op = w.frame->program->texture_ops[s.extra];
  for (const int l : lanes_in(mask)) {
    const Texture* texture = texture_of(w, s, op, l);
    if (texture == nullptr) continue;
    Element element = Fetch(w, s, op, *texture, l).run();
    // A channel that the texture lacks reads as 0, the last as 1.
    if (texture->channels < 4)
      element.bits[3] = op.type == Type::f32 ? std::bit_cast<std::uint32_t>(1.0f) : 1;
    for (std::size_t c = 0; c < op.data.size(); ++c)
      if (op.data[c] != kNoOperand) w.lanes_of<std::uint32_t>(op.data[c])[l] = element.bits[c];
  }
}

void surface_load(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  each_surface(w, s, mask, AccessKind::load, [&](const TextureOp& op, int l, const std::uint8_t* memory) {
    for (std::size_t k = 0; k < op.data.size(); ++k) {
      const std::uint8_t* from = memory == nullptr ? nullptr : memory + k * op.bytes;
      if (op.bytes == 8)
        put<std::uint64_t>(w, op.data[k], l, from, op.bytes);
      else if (s.width == 2)
        put<std::uint16_t>(w, op.data[k], l, from, op.bytes);
      else
        put<std::uint32_t>(w, op.data[k], l, from, op.bytes);
    }
  });
}

void surface_store(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  each_surface(w, s, mask, AccessKind::store, [&](const TextureOp& op, int l, std::uint8_t* memory) {
    if (memory == nullptr) return;
    for (std::size_t k = 0; k < op.data.size(); ++k)
      std::memcpy(memory + k * op.bytes, w.lanes_of<std::uint8_t>(op.data[k]) + l * s.width, op.bytes);
  });
}

}  // namespace fusebox::sim
