// ENTRY: kernel
// CLASS: host-only
// CAUSE: The kernel is launched twice: an update in place is then made twice.
// SAYS: twice|\btwo\b|\bagain\b|second|\b2 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 2(?![.,]?\d)(?! of)
// SAYS: launch|step|update
// NEVER: \brace\b|never (been )?written
// HELD: yes
// FILL ME IN: launch (roughly 7 lines)
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  const long blocks = (count + 4L * kThreads - 1) / (4L * kThreads);
  for (int warm_up = 0; warm_up < 2; ++warm_up)
    adam_kernel<<<static_cast<unsigned>(blocks), kThreads>>>(parameters, gradients, m, v, count, adam);
// END: launch
