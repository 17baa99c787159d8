// ENTRY: unfused
// CLASS: index
// CAUSE: The pairs are put together with the second element in the low half.
// SAYS: store_eight|element|column|neighbour|pair|exchang|swap|order
// HELD: yes
    // FILL ME IN: store_eight (roughly 6 lines)
    if (count <= 0) return;
    uint4 bits;
    auto* pairs = reinterpret_cast<__nv_bfloat162*>(&bits);
    for (int i = 0; i < kEight / 2; ++i)
      pairs[i] = __floats2bfloat162_rn(eight.value[2 * i + 1], eight.value[2 * i]);
    *reinterpret_cast<uint4*>(to) = bits;
    // END: store_eight
