// ENTRY: fused
// CLASS: over-budget
// CAUSE: x + bias is put into out and read back from there: out travels three times instead of once.
// SAYS: \bout\b
// SAYS: read|\bagain\b|back|twice|passes|\btwo\b|\bthree\b|scratch
// NEVER: uncoalesced|not coalesced|32 sectors|normali[sz]e once
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = x[row + c] + bias[c];
  }
  __syncthreads();
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(out[row + c]);
  }
// END: fused
