// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has a block for each step along y where it needs one for each run: most blocks begin behind the last step.
// SAYS: grid|blocks?|launch|steps|past|behind|beyond|out-of-bounds|end
// NEVER: barrier
// HELD: no
// FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < 4; k++) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < 3; i++) window[i] = first + i >= 3 ? x[(size_t)(first - 3 + i) * channels + channel] : 0.f;
// END: keep
// FILL ME IN: launch (roughly 2 lines)
  dim3 grid((channels + kThreads - 1) / kThreads, steps);
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
// END: launch
