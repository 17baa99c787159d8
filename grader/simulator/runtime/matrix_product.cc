#include "grader/simulator/runtime/matrix_product.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "grader/simulator/exec/instructions/lanes/half.h"

namespace fusebox::sim {
namespace {

/// The BLAS function of that name, as Fortran has it.
using Sgemm = void (*)(const char* a_op, const char* b_op, const int* m, const int* n, const int* k,
                       const float* alpha, const float* a, const int* a_leading, const float* b,
                       const int* b_leading, const float* beta, float* c, const int* c_leading);

/// Looked for when a program first needs it: others load nothing. Null: this machine has none.
Sgemm find_sgemm() {
  for (const char* library : {"libopenblas.so.0", "libblas.so.3", "libblis.so.4"})
    if (void* blas = dlopen(library, RTLD_NOW | RTLD_LOCAL))
      if (void* function = dlsym(blas, "sgemm_")) return reinterpret_cast<Sgemm>(function);
  return nullptr;
}

/// op(matrix) as numbers one after the other: nothing but this copies what may be guarded from the BLAS's
/// threads.
std::vector<float> packed(const Matrix& matrix, bool transposed, std::int64_t rows, std::int64_t columns) {
  std::vector<float> numbers(static_cast<std::size_t>(rows * columns));
  if (matrix.type == Number::f32 && !transposed) {
    for (std::int64_t column = 0; column < columns; ++column)
      std::memcpy(numbers.data() + column * rows, matrix.at(0, column),
                  static_cast<std::size_t>(rows) * sizeof(float));
    return numbers;
  }
  for (std::int64_t column = 0; column < columns; ++column)
    for (std::int64_t row = 0; row < rows; ++row)
      numbers[static_cast<std::size_t>(column * rows + row)] =
          read_number(transposed ? matrix.at(column, row) : matrix.at(row, column), matrix.type);
  return numbers;
}

float gelu(float x) {
  constexpr float kRoot2OverPi = 0.7978845608028654f;
  return 0.5f * x * (1 + std::tanh(kRoot2OverPi * (x + 0.044715f * x * x * x)));
}

/// What becomes of one sum.
void store(const MatrixProduct& product, std::int64_t row, std::int64_t column, float sum) {
  const Epilogue& epilogue = product.epilogue;
  float value = product.alpha * sum;
  if (product.beta != 0) value += product.beta * read_number(product.c.at(row, column), product.c.type);
  if (epilogue.bias != nullptr)
    value += read_number(epilogue.bias + static_cast<std::uint64_t>(row) * bytes_of(epilogue.bias_type),
                         epilogue.bias_type);
  if (epilogue.before.data != nullptr)
    write_number(epilogue.before.at(row, column), epilogue.before.type, value);
  if (epilogue.relu) value = std::max(value, 0.0f);
  if (epilogue.gelu) value = gelu(value);
  write_number(product.d.at(row, column), product.d.type, value);
}

}  // namespace

bool is_number(int type) {
  return type == static_cast<int>(Number::f32) || type == static_cast<int>(Number::f16) ||
         type == static_cast<int>(Number::bf16);
}

std::uint64_t bytes_of(Number type) { return type == Number::f32 ? 4 : 2; }

float read_number(const void* at, Number type) {
  float value = 0;
  std::uint16_t bits = 0;
  if (type == Number::f32) {
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::memcpy(&bits, at, sizeof bits);
  return type == Number::f16 ? half_to_float(bits) : bf16_to_float(bits);
}

void write_number(void* at, Number type, float value) {
  if (type == Number::f32) {
    std::memcpy(at, &value, sizeof value);
    return;
  }
  const std::uint16_t bits = type == Number::f16 ? float_to_half(value) : float_to_bf16(value);
  std::memcpy(at, &bits, sizeof bits);
}

std::string compute(const MatrixProduct& product) {
  static const Sgemm sgemm = find_sgemm();
  if (sgemm == nullptr)
    return "this machine has no BLAS to compute it with; install one (Debian and Ubuntu: apt-get install libopenblas0)";
  const std::int64_t m = product.m, n = product.n, k = product.k;
  std::vector<float> sums(static_cast<std::size_t>(m * n));
  if (m == 0 || n == 0) return "";
  if (k > 0 && product.alpha != 0) {
    const std::vector<float> a = packed(product.a, product.a_transposed, m, k),
                             b = packed(product.b, product.b_transposed, k, n);
    const int rows = static_cast<int>(m), columns = static_cast<int>(n), inner = static_cast<int>(k);
    const float one = 1, zero = 0;
    sgemm("N", "N", &rows, &columns, &inner, &one, a.data(), &rows, b.data(), &inner, &zero, sums.data(),
          &rows);
  }
  for (std::int64_t column = 0; column < n; ++column)
    for (std::int64_t row = 0; row < m; ++row)
      store(product, row, column, sums[static_cast<std::size_t>(column * m + row)]);
  return "";
}

}  // namespace fusebox::sim
