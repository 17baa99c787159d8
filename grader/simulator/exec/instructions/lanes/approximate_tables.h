#pragma once

#include <cstdint>

// What the special function unit of an H200 interpolates with: bench/approximations/fit.py found these
// numbers in sweeps recorded on one, and writes approximate_tables.cc.

namespace fusebox::sim {

/// One interval's parabola: c0 in quarters of c1's unit; c1 for the whole interval, c2 for its square.
struct Parabola {
  std::uint32_t c0;
  std::int32_t c1, c2;
};

extern const Parabola kReciprocal[128];      ///< 1 / x, x from 1 to 2; unit 2^-24
extern const Parabola kReciprocalRoot[128];  ///< 1 / sqrt(x), x from 1 to 2, then 2 to 4; unit 2^-24
extern const Parabola kRoot[128];            ///< sqrt(x), likewise; unit 2^-24
extern const Parabola kPowerOfTwo[64];       ///< 2^x, x from 0 to 1; unit 2^-23
extern const Parabola kLogarithm[64];        ///< log2(x), x from 1 to 2; unit 2^-24
extern const Parabola kQuarterSine[64];      ///< sin(pi / 2 x), x from 0 to 1; unit 2^-24
extern const Parabola
    kTangent[51];  ///< tanh(x), the octaves from 2^-8 to 8 in kTangentParts parts; unit 2^-24

/// The logarithm to base two of the parts that each octave of kTangent has.
constexpr std::uint8_t kTangentParts[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};

}  // namespace fusebox::sim
