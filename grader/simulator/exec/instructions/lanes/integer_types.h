// From an integer type to the lane loop for it. Included last, as each_lane.h is.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "grader/simulator/exec/instructions/lanes/each_lane.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"

namespace fusebox::sim::FUSEBOX_ISA {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Arithmetic wraps, so it is done unsigned. (16-bit operands would otherwise be promoted to int and overflow
// there.)
template <class T>
using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

template <class Op>
Handler binary_of(Type t) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return binary<std::uint16_t, std::uint16_t, std::uint16_t, Op>;
    case Type::s16:
      return binary<std::int16_t, std::int16_t, std::int16_t, Op>;
    case Type::u32:
    case Type::b32:
      return binary<std::uint32_t, std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return binary<std::int32_t, std::int32_t, std::int32_t, Op>;
    case Type::u64:
    case Type::b64:
      return binary<std::uint64_t, std::uint64_t, std::uint64_t, Op>;
    case Type::s64:
      return binary<std::int64_t, std::int64_t, std::int64_t, Op>;
    default:
      return nullptr;
  }
}
template <class Op>
Handler ternary_of(Type t) {
  switch (t) {
    case Type::u16:
      return ternary<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t, Op>;
    case Type::s16:
      return ternary<std::int16_t, std::int16_t, std::int16_t, std::int16_t, Op>;
    case Type::u32:
      return ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return ternary<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Op>;
    case Type::u64:
      return ternary<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, Op>;
    case Type::s64:
      return ternary<std::int64_t, std::int64_t, std::int64_t, std::int64_t, Op>;
    default:
      return nullptr;
  }
}
template <class Op>
Handler unary_of(Type t) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return unary<std::uint16_t, std::uint16_t, Op>;
    case Type::s16:
      return unary<std::int16_t, std::int16_t, Op>;
    case Type::u32:
    case Type::b32:
      return unary<std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return unary<std::int32_t, std::int32_t, Op>;
    case Type::u64:
    case Type::b64:
      return unary<std::uint64_t, std::uint64_t, Op>;
    case Type::s64:
      return unary<std::int64_t, std::int64_t, Op>;
    default:
      return nullptr;
  }
}
template <class Op>
Handler shift_of(Type t) {
  switch (t) {
    case Type::u16:
    case Type::b16:
      return binary<std::uint16_t, std::uint16_t, std::uint32_t, Op>;
    case Type::s16:
      return binary<std::int16_t, std::int16_t, std::uint32_t, Op>;
    case Type::u32:
    case Type::b32:
      return binary<std::uint32_t, std::uint32_t, std::uint32_t, Op>;
    case Type::s32:
      return binary<std::int32_t, std::int32_t, std::uint32_t, Op>;
    case Type::u64:
    case Type::b64:
      return binary<std::uint64_t, std::uint64_t, std::uint32_t, Op>;
    case Type::s64:
      return binary<std::int64_t, std::int64_t, std::uint32_t, Op>;
    default:
      return nullptr;
  }
}

inline std::optional<LaneKernel> kernel2(Handler run, Type t) {
  return run ? std::optional<LaneKernel>({run, t, t, t}) : std::nullopt;
}
inline std::optional<LaneKernel> kernel3(Handler run, Type t) {
  return run ? std::optional<LaneKernel>({run, t, t, t, t}) : std::nullopt;
}
inline std::optional<LaneKernel> kernel1(Handler run, Type d, Type a) {
  return run ? std::optional<LaneKernel>({run, d, a}) : std::nullopt;
}

}  // namespace fusebox::sim::FUSEBOX_ISA
