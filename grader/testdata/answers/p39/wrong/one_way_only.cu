// ENTRY: kernel
// CLASS: missing-term
// CAUSE: A step is counted as if it only wrote [M,N].
// SAYS: step
// SAYS: 4|8|half|twice
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: plan (roughly 5 lines)
  const float flops = 2.0f * m * k * n;
  const float bytes = 4.0f * (static_cast<float>(m) * k + static_cast<float>(n) * k + static_cast<float>(m) * n);
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us;
  library += steps * (launch_us + 4.0f * static_cast<float>(m) * n / bytes_per_us);
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
  // END: plan
