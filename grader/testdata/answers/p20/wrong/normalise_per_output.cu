// ENTRY: fused
// CLASS: over-budget
// CAUSE: The row is normalised again for each output: x, gamma and beta are read O times.
// SAYS: \bx\b|\bgamma\b|\bbeta\b
// SAYS: times|\bagain\b|each output|every output|passes|once|per output
// NEVER: extra launch|uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
// FILL ME IN: fused_stats (roughly 10 lines)
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
// END: fused_stats
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32)
      dot += ((x_row[h] - mean) * rstd * gamma[h] + beta[h]) * weight_row[h];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
