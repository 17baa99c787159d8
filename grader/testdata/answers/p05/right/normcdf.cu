// STYLE: the distribution function of the CUDA library
// FILL ME IN: gelu_erf (answer)
  result = v * normcdff(v);
// END: gelu_erf
