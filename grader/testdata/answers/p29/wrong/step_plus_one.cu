// ENTRY: kernel
// CLASS: scaling
// CAUSE: The corrections are those of the next step: beta^(step + 1).
// SAYS: step|correction|launch
// SAYS: step|power|\+ ?1\b|next|correction|\bone\b|factor|ratio|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: \brace\b|never (been )?written|\b(m|v) (is|are) wrong
// HELD: no
// FILL ME IN: launch (roughly 7 lines)
  const double t = step + 1;
  AdamStep adam{beta1, beta2, eps, static_cast<float>(lr / (1 - std::pow(double(beta1), t))),
                static_cast<float>(1 / std::sqrt(1 - std::pow(double(beta2), t)))};
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
