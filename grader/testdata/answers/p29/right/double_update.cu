// STYLE: the arithmetic in double
// FILL ME IN: update (roughly 3 lines)
  const double b1 = adam.beta1, b2 = adam.beta2, gradient = g;
  const double new_m = b1 * m + (1.0 - b1) * gradient, new_v = b2 * v + (1.0 - b2) * gradient * gradient;
  m = static_cast<float>(new_m);
  v = static_cast<float>(new_v);
  p = static_cast<float>(p - adam.step_size * new_m / (sqrt(new_v) * adam.root_correction + adam.eps));
// END: update
