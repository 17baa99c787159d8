// ENTRY: fused
// CLASS: over-budget
// CAUSE: A thread for each output: the lanes walk along 32 different rows of the weight, and each request touches 32 sectors.
// SAYS: weight
// SAYS: sectors?|coalesc|neighbour|apart|lanes|stride
// NEVER: extra launch|normali[sz]e once|wrong (answer|result|value)
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  for (int o = threadIdx.x; o < out_dim; o += kThreads) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = bias[o];
    for (int h = 0; h < hidden; ++h) dot += normalized[h] * weight_row[h];
    out_row[o] = dot;
  }
// END: fused_output
