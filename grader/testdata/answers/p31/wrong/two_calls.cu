// ENTRY: kernel
// CLASS: race
// CAUSE: Group_sums called twice with one partial and no barrier in between.
// SAYS: race|syncthreads|partial
// NEVER: out.of.bounds
// HELD: yes
  // FILL ME IN: means (roughly 9 lines)
  float2 sums{};
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    sums.x += total(from_dy[i]);
    sums.y += total(from_dy[i] * from_x[i]);
  }
  first_mean = group_sums<kGroup>({sums.x, 0.0f}, partial).x / columns;
  second_mean = group_sums<kGroup>({sums.y, 0.0f}, partial).x / columns;
  // END: means
