// ENTRY: fused
// CLASS: approximation
// CAUSE: `gelu_tanh` computes the erf form of GELU; the puzzle asks for the tanh form, and near 2.70 the two differ by 4.7e-4.
// SAYS: erf
// NEVER: bias (is )?(missing|not added)|without (the )?bias
// HELD: yes
// FILL ME IN: gelu_tanh (roughly 2 lines)
  result = 0.5f * v * (1.0f + erff(v * 0.70710678f));
// END: gelu_tanh
