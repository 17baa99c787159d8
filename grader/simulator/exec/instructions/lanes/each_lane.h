// Included last by each lanes_*.cc: from here on code is compiled for FUSEBOX_ISA. The same source has
// two builds, plain and for AVX2 + FMA, because a fused multiply-add of 32 lanes is one instruction on one
// machine and 32 library calls on another. The pragma, rather than a compiler flag, keeps the standard
// library's inline functions plain: the linker may keep either copy.
#pragma once

#include <cstdint>

#include "grader/simulator/exec/state/warp.h"

#ifndef FUSEBOX_ISA
#define FUSEBOX_ISA plain
#endif

#ifdef FUSEBOX_ISA_AVX2
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,bmi2")
#endif
#endif

// The last line of each file that includes this: clang wants told where that ends.
#if defined(FUSEBOX_ISA_AVX2) && defined(__clang__)
#define FUSEBOX_LANES_END _Pragma("clang attribute pop")
#else
#define FUSEBOX_LANES_END
#endif

#ifdef __clang__
#define FUSEBOX_VECTORISE _Pragma("clang loop vectorize(assume_safety)")
#else
#define FUSEBOX_VECTORISE _Pragma("GCC ivdep")
#endif

namespace fusebox::sim::FUSEBOX_ISA {

/// Calls f(lane) for each lane of the mask. The full mask is the common case and vectorises: a destination
/// may be a source, but only lane by lane.
template <class F>
[[gnu::always_inline]] inline void each_lane(LaneMask mask, F f) {
  if (mask == ~LaneMask{0}) {
    FUSEBOX_VECTORISE
    for (int lane = 0; lane < kWarpSize; ++lane) f(lane);
  } else {
    for (const int lane : lanes_in(mask)) f(lane);
  }
}

template <class D, class A, class Op>
void unary(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  D* d = w.lanes_of<D>(s.d);
  const A* a = w.lanes_of<A>(s.a);
  each_lane(mask, [=](int l) { d[l] = Op{}(a[l]); });
}

template <class D, class A, class B, class Op>
void binary(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  D* d = w.lanes_of<D>(s.d);
  const A* a = w.lanes_of<A>(s.a);
  const B* b = w.lanes_of<B>(s.b);
  each_lane(mask, [=](int l) { d[l] = Op{}(a[l], b[l]); });
}

template <class D, class A, class B, class C, class Op>
void ternary(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  D* d = w.lanes_of<D>(s.d);
  const A* a = w.lanes_of<A>(s.a);
  const B* b = w.lanes_of<B>(s.b);
  const C* c = w.lanes_of<C>(s.c);
  each_lane(mask, [=](int l) { d[l] = Op{}(a[l], b[l], c[l]); });
}

/// The mask of lanes for which f(lane) is true.
template <class F>
[[gnu::always_inline]] inline LaneMask mask_of(F f) {
#if defined(FUSEBOX_ISA_AVX2)
  // A comparison of 4-byte lanes leaves 32 bits each, whose signs one instruction collects.
  alignas(32) std::int32_t wide[kWarpSize];
  FUSEBOX_VECTORISE
  for (int lane = 0; lane < kWarpSize; ++lane) wide[lane] = f(lane) ? -1 : 0;
  LaneMask result = 0;
  for (int i = 0; i < kWarpSize; i += 8)
    result |=
        static_cast<LaneMask>(_mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const float*>(wide + i))))
        << i;
#ifndef __clang__
  // g++ 12 forgets this in callers of mask_of, and all SSE code behind them then runs at half its speed.
  __builtin_ia32_vzeroupper();
#endif
  return result;
#else
  std::uint64_t bytes[4];
  auto* byte = reinterpret_cast<unsigned char*>(bytes);
  FUSEBOX_VECTORISE
  for (int lane = 0; lane < kWarpSize; ++lane) byte[lane] = f(lane) ? 1 : 0;
  LaneMask result = 0;
  // Eight 0/1 bytes gather into the top byte of the product, first byte lowest.
  for (int i = 0; i < 4; ++i)
    result |= static_cast<LaneMask>((bytes[i] * 0x0102040810204080ull) >> 56) << (8 * i);
  return result;
#endif
}

}  // namespace fusebox::sim::FUSEBOX_ISA
