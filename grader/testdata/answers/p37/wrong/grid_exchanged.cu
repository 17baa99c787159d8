// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The grid has its two extents exchanged: channels along y, runs along x.
// SAYS: grid|blocks?|launch|steps|channels
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: launch (roughly 2 lines)
  dim3 grid((steps + kRun - 1) / kRun, (channels + kThreads - 1) / kThreads);
  conv_kernel<<<grid, kThreads>>>(x, weight, out, steps, channels);
// END: launch
