// ENTRY: fused
// CLASS: index
// CAUSE: The weight is read as if it were [H,O]: weight[h * O + o] instead of weight[o * H + h].
// SAYS: weight|fused_output
// SAYS: transpos|index|\[H,O\]|axis|axes|order|exchanged|swap
// NEVER: without (gamma|beta|bias)|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += kWarps) {
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight[static_cast<size_t>(h) * out_dim + o];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
