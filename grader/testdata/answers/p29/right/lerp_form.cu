// STYLE: the averages as m += (1 - beta1)(g - m), the correction as a division
// FILL ME IN: update (roughly 3 lines)
  m = fmaf(1.0f - adam.beta1, g - m, m);
  v = fmaf(1.0f - adam.beta2, g * g - v, v);
  const float root = __fsqrt_rn(v) / (1.0f / adam.root_correction);
  p = p - __fdiv_rn(adam.step_size * m, root + adam.eps);
// END: update
