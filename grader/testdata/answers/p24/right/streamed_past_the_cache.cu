// STYLE: loads and stores with hints to the cache: __ldcs and __stcs of uint4
// FILL ME IN: load_eight
    if (count <= 0) return eight;
    const uint4 bits = __ldcs(reinterpret_cast<const uint4*>(from));
    const auto* pairs = reinterpret_cast<const __nv_bfloat162*>(&bits);
    for (int i = 0; i < kEight / 2; ++i) {
      eight.value[2 * i] = __low2float(pairs[i]);
      eight.value[2 * i + 1] = __high2float(pairs[i]);
    }
// END: load_eight
// FILL ME IN: store_eight
    if (count <= 0) return;
    uint4 bits;
    auto* pairs = reinterpret_cast<__nv_bfloat162*>(&bits);
    for (int i = 0; i < kEight / 2; ++i)
      pairs[i] = __floats2bfloat162_rn(eight.value[2 * i], eight.value[2 * i + 1]);
    __stcs(reinterpret_cast<uint4*>(to), bits);
// END: store_eight
