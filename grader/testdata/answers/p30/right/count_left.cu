// STYLE: pointers moved to the chunk, a count that goes down, the tail as a branch of its own behind the loop
// FILL ME IN: step (roughly 22 lines)
  float* p = parameters + chunks[blockIdx.x].first;
  const float* g = gradients + chunks[blockIdx.x].first;
  m += chunks[blockIdx.x].first;
  v += chunks[blockIdx.x].first;
  const int count = static_cast<int>(chunks[blockIdx.x].count), whole = count / 4 * 4;
  for (int i = 4 * threadIdx.x; i < whole; i += 4 * kThreads) {
    float4 a = *(const float4*)(p + i), b = *(const float4*)(g + i), c = *(const float4*)(m + i), d = *(const float4*)(v + i);
    for (int k = 0; k < 4; ++k) update_parameter((&a.x)[k], (&b.x)[k], (&c.x)[k], (&d.x)[k], adam);
    *(float4*)(p + i) = a;
    *(float4*)(m + i) = c;
    *(float4*)(v + i) = d;
  }
  if (whole + static_cast<int>(threadIdx.x) < count) {
    const int i = whole + threadIdx.x;
    update_parameter(p[i], g[i], m[i], v[i], adam);
  }
// END: step
