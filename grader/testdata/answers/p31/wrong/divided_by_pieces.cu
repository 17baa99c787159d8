// ENTRY: kernel
// CLASS: scaling
// CAUSE: The means are divided by the number of pieces, not of columns: four times too large where pieces are float4.
// SAYS: mean|divi|column|piece|factor|times
// NEVER: \brace\b|gamma stands
// HELD: yes
// FILL ME IN: means (roughly 9 lines)
  float a = 0.0f, b = 0.0f;
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    a += total(from_dy[i]);
    b += total(from_dy[i] * from_x[i]);
  }
  const float2 sums = group_sums<kGroup>({a, b}, partial);
  first_mean = sums.x / pieces;
  second_mean = sums.y / pieces;
// END: means
