// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Thread 0 of the block stores mean and rstd; the other groups of the block have threads 0 of their own that store nothing.
// SAYS: \bmean\b|rstd
// SAYS: written|row|group|thread|store|unwritten|never
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 18 lines)
  // Kept pieces, and then what a longer row has beyond them: seldom any, so that to unroll those loops would
  // only cost registers.
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) sum += total(kept[i]);
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) sum += total(x_row[p]);
  row_mean = group_sum<kGroup>(sum, partial[0]) / columns;
  // A second pass, over registers: it costs no traffic. A padded zero would add mean^2 here.
  float around = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i)
    if (thread + i * kGroup < pieces) around += squares(kept[i], row_mean);
#pragma unroll 1
  for (int p = thread + kShare * kGroup; p < pieces; p += kGroup) around += squares(x_row[p], row_mean);
  row_rstd = rsqrtf(group_sum<kGroup>(around, partial[1]) / columns + eps);
  if (threadIdx.x == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
