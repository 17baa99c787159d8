// STYLE: the moments as steps towards the gradient, reciprocals instead of divisions, rsqrt nowhere
// FILL ME IN: first_moment (roughly 2 lines)
  const float old = m[i];
  m[i] = old + (1.0f - beta1) * (gradients[i] - old);
// END: first_moment
// FILL ME IN: second_moment (roughly 2 lines)
  const float scaled = sqrtf(1.0f - beta2) * gradients[i];
  v[i] = fmaf(scaled, scaled, beta2 * v[i]);
// END: second_moment
// FILL ME IN: correct (roughly 2 lines)
  const float factor = __frcp_rn(correction);
  hat[i] = factor * moment[i];
// END: correct
// FILL ME IN: update (roughly 2 lines)
  const float reciprocal = 1.0f / (eps + __fsqrt_rn(v_hat[i]));
  parameters[i] = fmaf(-lr * m_hat[i], reciprocal, parameters[i]);
// END: update
