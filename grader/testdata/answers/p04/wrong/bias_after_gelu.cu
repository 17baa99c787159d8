// ENTRY: fused
// CLASS: missing-term
// CAUSE: The bias is added after GELU instead of before: gelu(x) + bias.
// SAYS: bias
// SAYS: after|before|outside|gelu\(x\)|order|\+ bias
// NEVER: without (the )?bias|bias (is )?missing
// HELD: no
// FILL ME IN: fused (roughly 10 lines)
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(x[row + c]) + bias[c];
  }
// END: fused
