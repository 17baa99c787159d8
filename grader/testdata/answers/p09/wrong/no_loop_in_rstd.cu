// ENTRY: kernel
// CLASS: tail
// CAUSE: `row_rstd` has no loop: of a row longer than the block only the first 256 columns are counted.
// SAYS: rstd|row_rstd
// SAYS: 256|loop|columns|first|larger|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|N ?- ?1
// HELD: yes
// FILL ME IN: row_rstd (roughly 5 lines)
  float d = 0.0f;
  if (threadIdx.x < columns) d = x_row[threadIdx.x] - mean[blockIdx.x];
  const float squares = block_sum(d * d);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
// END: row_rstd
