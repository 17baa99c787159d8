// ENTRY: kernel
// CLASS: index
// CAUSE: The shuffles go over distances 16, 8, 4 and 2 and stop: the odd lanes are never added.
// SAYS: column|lanes?|half|sum
// SAYS: half|every|odd|only|lane|1\b|2
// NEVER: \brace\b
// HELD: no
// FILL ME IN: warp_sum (roughly 2 lines)
  for (int distance = 16; distance >= 2; distance /= 2)
    value += __shfl_down_sync(kAllLanes, value, distance);
// END: warp_sum
