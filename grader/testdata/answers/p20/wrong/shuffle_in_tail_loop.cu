// ENTRY: fused
// CLASS: mask
// CAUSE: The full-mask shuffle stands inside the loop over h, which some lanes leave earlier: the mask names lanes that do not come.
// SAYS: mask|lanes?|shfl|shuffle
// SAYS: loop|mask|not (come|reach|there|take)|exited|left|absent|diverg|\bpart
// NEVER: __activemask|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads|without (gamma|beta|bias)
// HELD: yes
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += warp_sum(normalized[h] * weight_row[h]);
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
