// STYLE: v Phi(v) with erfcf, and the sum by fmaf
// FILL ME IN: gelu_erf (answer)
  result = 0.5f * v * erfcf(-v * kRootHalf);
// END: gelu_erf
