// ENTRY: atomics
// CLASS: race
// CAUSE: Blocks add with +=, not atomically: they overwrite each other's sums.
// SAYS: race|atomic|no order|overwrit|same (time|place)
// NEVER: exchanged|\brstd\b
// HELD: yes
// FILL ME IN: add (roughly 4 lines)
  if (threadIdx.y == 0 && column < columns) {
    dgamma[column] += sums.x;
    dbeta[column] += sums.y;
  }
// END: add
