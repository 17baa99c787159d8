// STYLE: float4 along the weight's rows where they are aligned
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x & 31;
  for (int o = threadIdx.x >> 5; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    if (hidden % 4 == 0) {
      for (int h = 4 * lane; h < hidden; h += 128) {
        const float4 w = __ldg(reinterpret_cast<const float4*>(weight_row + h));
        const float4 n = *reinterpret_cast<const float4*>(normalized + h);
        dot += n.x * w.x + n.y * w.y + n.z * w.z + n.w * w.w;
      }
    } else {
      for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight_row[h];
    }
    dot = warp_sum(dot);
    if (lane == 31) out_row[o] = dot + bias[o];
  }
// END: fused_output
