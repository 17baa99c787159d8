#include "grader/judge/compare/tensor_bytes.h"

#include <bit>
#include <cstring>

namespace fusebox {
namespace {

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
T get(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

std::vector<std::byte> encode(std::span<const double> values, DType dtype) {
  const std::uint64_t width = size_of(dtype);
  std::vector<std::byte> bytes(values.size() * width);
  std::byte* to = bytes.data();
  switch (dtype) {
    case DType::f32:
      for (double value : values) put(to, static_cast<float>(value)), to += width;
      break;
    case DType::bf16:
      for (double value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(round_to_bf16(value)));
        put(to, static_cast<std::uint16_t>(bits >> 16)), to += width;
      }
      break;
    case DType::i32:
      for (double value : values) put(to, static_cast<std::int32_t>(value)), to += width;
      break;
    case DType::i64:
      for (double value : values) put(to, static_cast<std::int64_t>(value)), to += width;
      break;
  }
  return bytes;
}

double decode(std::span<const std::byte> bytes, std::int64_t i, DType dtype) {
  const std::byte* from = bytes.data() + static_cast<std::uint64_t>(i) * size_of(dtype);
  switch (dtype) {
    case DType::f32:
      return get<float>(from);
    case DType::bf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(get<std::uint16_t>(from)) << 16);
    case DType::i32:
      return get<std::int32_t>(from);
    case DType::i64:
      return static_cast<double>(get<std::int64_t>(from));
  }
  return 0;
}

std::vector<std::int64_t> index_of(std::int64_t i, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = i % shape[d];
    i /= shape[d];
  }
  return index;
}

}  // namespace fusebox
