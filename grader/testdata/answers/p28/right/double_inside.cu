// STYLE: all arithmetic in double, rounded once at the store
// FILL ME IN: first_moment (roughly 3 lines)
  const double old = m[i], g = gradients[i], b = beta1;
  m[i] = static_cast<float>(b * old + (1.0 - b) * g);
// END: first_moment
// FILL ME IN: second_moment (roughly 3 lines)
  const double old = v[i], g = gradients[i], b = beta2;
  v[i] = static_cast<float>(b * old + (1.0 - b) * g * g);
// END: second_moment
// FILL ME IN: correct (roughly 1 lines)
  hat[i] = static_cast<float>(static_cast<double>(moment[i]) / correction);
// END: correct
// FILL ME IN: update (roughly 3 lines)
  const double change = static_cast<double>(lr) * m_hat[i] / (sqrt(static_cast<double>(v_hat[i])) + eps);
  parameters[i] = static_cast<float>(parameters[i] - change);
// END: update
