// Numbers for wgmma.cu and mma.cu to multiply, which tell one way of adding from another.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Format {
  std::string name;
  int mantissa, exponent, bits;
};
inline const Format kF16{"f16", 10, 5, 16}, kBf16{"bf16", 7, 8, 16}, kTf32{"tf32", 23, 8, 32},
    kE4m3{"e4m3", 3, 4, 8}, kE5m2{"e5m2", 2, 5, 8}, kF32{"f32", 23, 8, 32};

/// Of six styles: any exponent, near 1, a large C, small and subnormal, large with NaN and infinity, C is 0.
inline std::uint32_t element(std::mt19937& random, const Format& f, int style, bool is_c) {
  const int one = (1 << (f.exponent - 1)) - 1, top = (1 << f.exponent) - 1;
  const bool wide = f.exponent == 8;
  int low = wide ? one - 12 : 0, high = wide ? one + 12 : top - 1;
  if (style == 1) low = one - 1, high = one + 1;
  if (style == 2) low = is_c ? one + 6 : one - 3, high = is_c ? one + (wide ? 30 : 8) : one + 2;
  if (style == 3) low = 0, high = is_c ? (wide ? 110 : 3) : one / 2;
  if (style == 4) low = one - 3, high = top - 1;
  if (style == 5 && is_c) return 0;
  std::uint32_t exponent = low + random() % (high - low + 1), mantissa = random() & ((1u << f.mantissa) - 1);
  if (style == 4 && random() % 40 == 0) exponent = top;
  if (style == 4 && random() % 60 == 0) exponent = top, mantissa = 0;
  if (random() % 16 == 0) {
    mantissa = 0;
    if (random() % 2 == 0) exponent = 0;
  }
  return (random() & 1) << (f.mantissa + f.exponent) | exponent << f.mantissa | mantissa;
}
