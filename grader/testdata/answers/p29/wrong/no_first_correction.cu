// ENTRY: kernel
// CLASS: missing-term
// CAUSE: m is not corrected for its start at 0: step_size is lr alone.
// SAYS: correction|step_size|1 ?- ?beta1|m_hat|launch
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|correction|factor|ratio|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: yes
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps, lr};
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
