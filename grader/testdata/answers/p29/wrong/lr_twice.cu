// ENTRY: kernel
// CLASS: scaling
// CAUSE: The update is multiplied by a typed-in learning rate of 0.001 although step_size holds lr already: the step is 1000 times too small.
// SAYS: parameters|\bp\b|update|step|\blr\b|0\.001
// SAYS: twice|\bagain\b|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b|smaller|\b1000 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 1000(?![.,]?\d)(?! of)|\blr\b|0\.001|update
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: update (roughly 3 lines)
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= 0.001f * adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
// END: update
