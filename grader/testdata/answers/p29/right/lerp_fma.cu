// STYLE: moments by differences and fmaf
  // FILL ME IN: update (roughly 3 lines)
  m = fmaf(1.0f - adam.beta1, g - m, m);
  v = fmaf(1.0f - adam.beta2, g * g - v, v);
  p = fmaf(-adam.step_size, __fdiv_rn(m, fmaf(__fsqrt_rn(v), adam.root_correction, adam.eps)), p);
  // END: update
