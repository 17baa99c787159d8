// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Vectors of four are launched for every row, also where N is no multiple of 4.
// SAYS: launch|aligned|column|piece|row|multiple
// SAYS: 4|16|align|multiple|float4|vector|written|column|launch|piece|row
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: launch (roughly 18 lines)

  if (columns <= 4 * 32 * 6)
    launch = launch_kernel<float4, 32, 6>;
  else
    launch = launch_kernel<float4, 512, 8>;
// END: launch
