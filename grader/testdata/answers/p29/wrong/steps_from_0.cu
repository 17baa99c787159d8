// ENTRY: kernel
// CLASS: index
// CAUSE: The power is taken of step - 1 although steps count from 1: at the first step the correction divides by 0.
// SAYS: step|correction|NaN|\binf(inity)?\b|divi
// SAYS: step|(is|are|by|with|to|be|gives?|has|stays?|=|grid) \(?0(?![.,]?\d)|zero|power|correction|NaN|\binf(inity)?\b
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step - 1)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step - 1)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
