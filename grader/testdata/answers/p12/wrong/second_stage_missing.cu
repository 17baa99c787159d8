// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Each warp goes on with its own moments: those of the other warps are never merged.
// SAYS: variance|squares|rstd|mean|statistics|block_stage|moments
// SAYS: warp|block|stage|first|own|partial|column|times|factor|merge|mean|rows?
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: block_stage (roughly 6 lines)
  m = warp_moments(m);
// END: block_stage
