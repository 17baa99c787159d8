// ENTRY: kernel
// CLASS: scaling
// CAUSE: The mean of a chunk is its sum divided by 4 even if the row ends within the chunk and fewer than four of its values exist, so the mean of a last chunk that is not full is too small.
// HELD: no
// SAYS: mean|divi|count|four|\b4\b|0\.25|quarter
  // FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float delta = b.mean - a.mean, share = b.count / count;
  a.squares += b.squares + delta * delta * a.count * share;
  a.mean += delta * share;
  a.count = count;
  // END: merge
  // FILL ME IN: statistics (roughly 12 lines)
  // Four values of a lane at a time: their own moments in two passes over registers, then merged.
  Moments m;
  for (int c = lane; c < columns; c += 4 * kWarp) {
    float values[4];
    Moments chunk;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool there = c + i * kWarp < columns;
      values[i] = there ? x_row[c + i * kWarp] : 0.0f;
      chunk.count += there ? 1.0f : 0.0f;
      sum += values[i];
    }
    chunk.mean = sum / 4.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (c + i * kWarp < columns) chunk.squares += (values[i] - chunk.mean) * (values[i] - chunk.mean);
    m = merged(m, chunk);
  }
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Moments other{warp.shfl_down(m.count, distance), warp.shfl_down(m.mean, distance),
                        warp.shfl_down(m.squares, distance)};
    m = merged(m, other);
  }
  row_mean = warp.shfl(m.mean, 0);
  row_rstd = rsqrtf(warp.shfl(m.squares, 0) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
  // END: statistics
