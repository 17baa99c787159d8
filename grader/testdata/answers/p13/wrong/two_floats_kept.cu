// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The share holds 64 columns of a row of 512: the rest is read three times.
// SAYS: \bx\b
// SAYS: times|again|3|three|2|read|share
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: no
// FILL ME IN: launch (roughly 18 lines)
  launch = aligned ? launch_kernel<float4, 32, 1> : launch_kernel<float, 32, 1>;
// END: launch
