// STYLE: each x is added to the four sums that it belongs to; nothing but sums is kept; 16 loads at a time
// FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < kTaps; ++k) taps[k] = weight[size_t(k) * channels + channel];
  float sums[4] = {0, 0, 0, 0};  // of the next four steps
  const float* p = x + channel;
#pragma unroll
  for (int back = 3; back >= 1; --back) {
    const float v = first >= back ? p[size_t(first - back) * channels] : 0.0f;
#pragma unroll
    for (int k = back; k < 4; ++k) sums[k - back] = fmaf(taps[k], v, sums[k - back]);
  }
// END: keep
// FILL ME IN: walk (roughly 16 lines)
#pragma unroll 1
  for (int step = first; step < end; step += 16) {
    float v[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) v[i] = step + i < end ? __ldcs(p + size_t(step + i) * channels) : 0.0f;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float done = fmaf(taps[0], v[i], sums[0]);
      if (step + i < end) out[size_t(step + i) * channels + channel] = done;
      sums[0] = fmaf(taps[1], v[i], sums[1]);
      sums[1] = fmaf(taps[2], v[i], sums[2]);
      sums[2] = taps[3] * v[i];
    }
  }
// END: walk
