#pragma once

#include <cstdint>
#include <string>

// What cuBLAS's matrix products compute, on the host: D = epilogue(alpha * op(A) op(B) + beta * C). Matrices
// lie column by column. Sums are those of a BLAS of this machine, in fp32.
namespace fusebox::sim {

/// cudaDataType's numbers.
enum class Number : int { f32 = 0, f16 = 2, bf16 = 14 };
bool is_number(int type);
std::uint64_t bytes_of(Number type);
float read_number(const void* at, Number type);
/// Rounded to nearest, ties to even.
void write_number(void* at, Number type, float value);

struct Matrix {
  std::byte* data = nullptr;
  Number type = Number::f32;
  std::int64_t leading = 0;  ///< elements from one column to the next

  std::byte* at(std::int64_t row, std::int64_t column) const {
    return data + static_cast<std::uint64_t>(row + column * leading) * bytes_of(type);
  }
};

struct Epilogue {
  bool relu = false, gelu = false;  ///< gelu: by tanh
  const std::byte* bias = nullptr;  ///< one for each row of D; null: none
  Number bias_type = Number::f32;
  Matrix before;  ///< where the sums go as they are before relu or gelu; no data: nowhere
};

struct MatrixProduct {
  std::int64_t m = 0, n = 0, k = 0;  ///< D has m rows and n columns
  bool a_transposed = false, b_transposed = false;
  Matrix a, b, c, d;  ///< c may be d
  float alpha = 1, beta = 0;
  Epilogue epilogue;
};

/// Empty when it is computed; else why this machine cannot, and what to do.
std::string compute(const MatrixProduct& product);

}  // namespace fusebox::sim
