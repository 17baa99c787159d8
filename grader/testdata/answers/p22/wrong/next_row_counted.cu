// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The loop runs over whole blocks of 256 and reads on into the next row; in the last row it leaves x.
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|next row|tail|256|columns
// SAYS: x
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps|weight (is )?missing
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int first = 0; first < columns; first += kThreads) {
    const float value = x_row[first + threadIdx.x];
    sum += value * value;
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: row_statistics
