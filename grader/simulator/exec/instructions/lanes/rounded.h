#pragma once

#include <cstdint>

namespace fusebox::sim {

enum class Rounding : std::uint8_t { nearest_even, toward_zero, down, up };
enum class RoundedOp : std::uint8_t { add, mul, fma, div, sqrt };

/// IEEE arithmetic in a directed rounding mode, one value at a time: such instructions are rare, so clarity
/// wins over speed. Operands that an operation does not have are ignored.
float rounded(RoundedOp op, Rounding mode, float a, float b, float c);
double rounded(RoundedOp op, Rounding mode, double a, double b, double c);
float rounded_to_float(Rounding mode, double a);
float rounded_to_float(Rounding mode, std::int64_t a);
float rounded_to_float(Rounding mode, std::uint64_t a);
double rounded_to_double(Rounding mode, std::int64_t a);
double rounded_to_double(Rounding mode, std::uint64_t a);

}  // namespace fusebox::sim
