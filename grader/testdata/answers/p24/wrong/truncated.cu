// ENTRY: unfused
// CLASS: precision
// CAUSE: Store cuts (rounds to zero) in place of rounding to nearest.
// SAYS: cut|trunc|toward|nearest|round
// NEVER: \brace\b|barrier
// HELD: no
    // FILL ME IN: store_eight (roughly 6 lines)
    if (count > 0) {
      uint4 raw;
      __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&raw);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        pairs[i].x = __float2bfloat16_rz(eight.value[2 * i]);
        pairs[i].y = __float2bfloat16_rz(eight.value[2 * i + 1]);
      }
      *reinterpret_cast<uint4*>(to) = raw;
    }
    // END: store_eight
