// ENTRY: fused
// CLASS: index
// CAUSE: The two halves of each pair are stored the wrong way round.
// SAYS: swap|exchang|order|neighbour|half|halves|other (column|place)|odd|even
// NEVER: \brace\b|barrier
// HELD: yes
    // FILL ME IN: store_eight (roughly 6 lines)
    if (count > 0) {
      uint4 raw;
      __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&raw);
#pragma unroll
      for (int i = 0; i < 4; ++i) pairs[i] = __floats2bfloat162_rn(eight.value[2 * i + 1], eight.value[2 * i]);
      *reinterpret_cast<uint4*>(to) = raw;
    }
    // END: store_eight
