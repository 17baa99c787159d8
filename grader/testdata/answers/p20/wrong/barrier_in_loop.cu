// ENTRY: fused
// CLASS: barrier
// CAUSE: __syncthreads() stands inside the loop over columns, which threads run a different number of times.
// SAYS: barrier|__syncthreads
// SAYS: loop|diverg|\ball\b|\bsome\b|different|threads|reach
// NEVER: __activemask|without (gamma|beta)|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: yes
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < count; h += 32) {
      normalized[y * width + h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
      __syncthreads();
    }
    for (int h = count + threadIdx.x; h < width; h += 32) normalized[y * width + h] = 0.0f;
  }
// END: fused_stats
