// ENTRY: kernel
// CLASS: scaling
// CAUSE: `normalize` divides by rstd; rstd is the reciprocal already and must multiply.
// SAYS: rstd
// SAYS: divi|multipl|recipro|square|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|without (gamma|beta)|\brace\b
// HELD: yes
// FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) / s * gamma[c] + beta[c];
// END: normalize
