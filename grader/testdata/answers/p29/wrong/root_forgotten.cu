// ENTRY: kernel
// CLASS: scaling
// CAUSE: root_correction is 1 / (1 - beta2^step): the square root is missing.
// SAYS: root|sqrt|correction|launch
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|square|correction|factor|ratio|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: yes
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
