// STYLE: bits are shifted and masked by hand; rounding to nearest even in integers; two accesses of 16 bytes as int4
// FILL ME IN: load_eight
    if (count > 0) {
      const int4 raw = __ldg(reinterpret_cast<const int4*>(from));
      const unsigned words[4] = {unsigned(raw.x), unsigned(raw.y), unsigned(raw.z), unsigned(raw.w)};
#pragma unroll
      for (int e = 0; e < 8; ++e)
        eight.value[e] = __uint_as_float(e % 2 ? words[e / 2] & 0xffff0000u : words[e / 2] << 16);
    }
// END: load_eight
// FILL ME IN: store_eight
    if (count > 0) {
      unsigned words[4];
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        unsigned low = __float_as_uint(eight.value[2 * p]), high = __float_as_uint(eight.value[2 * p + 1]);
        low += 0x7fffu + (low >> 16 & 1u);
        high += 0x7fffu + (high >> 16 & 1u);
        words[p] = low >> 16 | (high & 0xffff0000u);
      }
      *reinterpret_cast<int4*>(to) = make_int4(words[0], words[1], words[2], words[3]);
    }
// END: store_eight
