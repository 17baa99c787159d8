// ENTRY: kernel
// CLASS: index
// CAUSE: The shuffle is told a width of 8: lanes see only their own group of 8, and three quarters of the warp are left out.
// SAYS: column|lanes?|group|sum|blank warp_sum
// SAYS: \b8\b|group|only|quarter|width|warp_sum
// NEVER: \brace\b
// HELD: no
// FILL ME IN: warp_sum (roughly 2 lines)
  for (int distance = 4; distance > 0; distance /= 2)
    value += __shfl_down_sync(kAllLanes, value, distance, 8);
// END: warp_sum
