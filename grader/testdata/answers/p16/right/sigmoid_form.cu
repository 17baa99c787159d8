// STYLE: the tanh form written as v / (1 + e^-2t), columns from the last to the first
// FILL ME IN: fused (roughly 9 lines)
  const int mine = static_cast<int>(threadIdx.x) < columns ? (columns - 1 - threadIdx.x) / kThreads * kThreads + threadIdx.x : -1;
  float sum = 0.0f;
  for (int c = mine; c >= 0; c -= kThreads) sum += x_row[c];
  const float mean = block_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = mine; c >= 0; c -= kThreads) squares += (x_row[c] - mean) * (x_row[c] - mean);
  const float rstd = rsqrtf(block_sum(squares) / columns + eps);
  for (int c = mine; c >= 0; c -= kThreads) {
    const float v = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
    out_row[c] = v / (1.0f + expf(-1.5957691216f * v * (1.0f + 0.044715f * v * v)));
  }
// END: fused
