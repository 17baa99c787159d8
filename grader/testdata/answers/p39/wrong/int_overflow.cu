// ENTRY: kernel
// CLASS: precision
// CAUSE: 2 * m * k * n in int overflows.
// SAYS: int\b|overflow|32 bits
// NEVER: fp16|bf16|\brace\b|barrier
// HELD: no
  // FILL ME IN: plan (roughly 7 lines)
  const float mf = m, kf = k, nf = n;
  const float operations = 2 * m * k * n / flops_per_us;
  const float bytes = 4.0f * (mf * kf + kf * nf + mf * nf) / bytes_per_us;
  const float step = 8.0f * mf * nf / bytes_per_us + launch_us;
  library = fmaxf(operations, bytes) + launch_us + steps * step;
  own = fmaxf(operations / share, bytes) + launch_us;
  // END: plan
