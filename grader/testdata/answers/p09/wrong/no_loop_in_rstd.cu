// ENTRY: kernel
// CLASS: tail
// CAUSE: `row_rstd` has no loop: of a row longer than the block only the first 256 columns are counted.
// SAYS: \brstd\b|row_rstd
// SAYS: \b256 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 256(?![.,]?\d)(?! of)|loop|columns|only the first|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|(exactly this|divided by).*N ?- ?1
// HELD: no
// FILL ME IN: row_rstd (roughly 5 lines)
  float d = 0.0f;
  if (threadIdx.x < columns) d = x_row[threadIdx.x] - mean[blockIdx.x];
  const float squares = block_sum(d * d);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
// END: row_rstd
