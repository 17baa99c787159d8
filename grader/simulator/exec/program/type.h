#pragma once

#include <cstdint>
#include <string_view>

namespace fusebox::sim {

/// PTX's fundamental types, as instructions name them.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f32x2,
  f64,
};

/// Type::none for a name that is no type.
Type parse_type(std::string_view name);

/// Bytes of one value; 0 for none and pred.
constexpr std::uint32_t type_bytes(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::f32:
    case Type::tf32:
      return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::f32x2:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 0;
  }
}

constexpr bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
constexpr bool is_float(Type type) { return type >= Type::f16; }

}  // namespace fusebox::sim
