// ENTRY: kernel
// CLASS: pointer
// CAUSE: x and weight are passed in each other's place.
// SAYS: x\b|weight
// SAYS: exchang|swap|place|instead|past|behind|beyond|end|out-of-bounds
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: launch (roughly 2 lines)
  dim3 grid((channels + kThreads - 1) / kThreads, (steps + kRun - 1) / kRun);
  conv_kernel<<<grid, kThreads>>>(weight, x, out, steps, channels);
// END: launch
