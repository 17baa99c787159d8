// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A ring of four values is indexed by the step, which only the running kernel knows: it lies in local memory.
// SAYS: local memory
// SAYS: array|registers|index
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
// FILL ME IN: walk (roughly 16 lines)
  float ring[4];
  for (int i = 1; i <= 3; i++) ring[(first + 4 - i) % 4] = first - i >= 0 ? x[(size_t)(first - i) * channels + channel] : 0.f;
  for (int t = first; t < end; t++) {
    ring[t % 4] = x[(size_t)t * channels + channel];
    float y = 0.f;
    for (int k = 0; k < 4; k++) y += taps[k] * ring[(t - k + 4) % 4];
    out[(size_t)t * channels + channel] = y;
  }
// END: walk
