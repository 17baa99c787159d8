// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A run that is shorter than kRun returns at once, and its steps are never written.
// SAYS: never written|nobody|not written|unwritten|last|rows?|steps?|return
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: keep (roughly 7 lines)
  if (first + kRun > steps) return;
  for (int k = 0; k < 4; k++) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < 3; i++) window[i] = first + i >= 3 ? x[(size_t)(first - 3 + i) * channels + channel] : 0.f;
// END: keep
