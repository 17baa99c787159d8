#include "grader/simulator/exec/program/type.h"

#include <array>
#include <utility>

namespace fusebox::sim {

Type parse_type(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Type>, 22> kTypes{{
      {"pred", Type::pred},   {"b8", Type::b8},         {"b16", Type::b16},   {"b32", Type::b32},
      {"b64", Type::b64},     {"b128", Type::b128},     {"u8", Type::u8},     {"u16", Type::u16},
      {"u32", Type::u32},     {"u64", Type::u64},       {"s8", Type::s8},     {"s16", Type::s16},
      {"s32", Type::s32},     {"s64", Type::s64},       {"f16", Type::f16},   {"f16x2", Type::f16x2},
      {"bf16", Type::bf16},   {"bf16x2", Type::bf16x2}, {"tf32", Type::tf32}, {"f32", Type::f32},
      {"f32x2", Type::f32x2}, {"f64", Type::f64},
  }};
  for (const auto& [text, type] : kTypes)
    if (text == name) return type;
  return Type::none;
}

}  // namespace fusebox::sim
