// ENTRY: kernel
// CLASS: precision
// CAUSE: Bytes per job computed with integer division by 1024.
// SAYS: whole|integer|round|1024|bytes
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: plan (roughly 7 lines)
  const float mf = m, kf = k, nf = n;
  const float operations = 2.0f * mf * kf * nf / flops_per_us;
  const float bytes = static_cast<float>((m * k + k * n + m * n) / 1024 * 4) * 1024.0f / bytes_per_us;
  const float step = 8.0f * mf * nf / bytes_per_us + launch_us;
  library = fmaxf(operations, bytes) + launch_us + steps * step;
  own = fmaxf(operations / share, bytes) + launch_us;
  // END: plan
