#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/catalog/puzzle.h"

namespace fusebox {

/// Little-endian bytes of `values` as elements of `dtype`, as a kernel reads them. bf16 rounds to nearest
/// even.
std::vector<std::byte> encode(std::span<const double> values, DType dtype);

/// Element `i` of bytes that hold elements of `dtype`.
double decode(std::span<const std::byte> bytes, std::int64_t i, DType dtype);

/// Row-major position of element `i`: {2, 7} in a matrix. A tensor without dimensions gives {}.
std::vector<std::int64_t> index_of(std::int64_t i, std::span<const std::int64_t> shape);

}  // namespace fusebox
