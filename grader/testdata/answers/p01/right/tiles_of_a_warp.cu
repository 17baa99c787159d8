// STYLE: each warp copies tiles of 128 elements, lane by lane
// FILL ME IN: copy_loop (answer)
  const long lane = threadIdx.x % 32, warp = first / 32, warps = threads / 32;
  for (long tile = warp * 128; tile < n; tile += warps * 128)
    for (long i = tile + lane; i < tile + 128 && i < n; i += 32) out[i] = x[i];
// END: copy_loop
