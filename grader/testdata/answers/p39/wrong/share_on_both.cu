// ENTRY: kernel
// CLASS: scaling
// CAUSE: Share divides the larger of operations and bytes, not operations alone.
// SAYS: share|bytes|larger|divid
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: plan (roughly 7 lines)
  const float mf = m, kf = k, nf = n;
  const float operations = 2.0f * mf * kf * nf / flops_per_us;
  const float bytes = 4.0f * (mf * kf + kf * nf + mf * nf) / bytes_per_us;
  const float step = 8.0f * mf * nf / bytes_per_us + launch_us;
  library = fmaxf(operations, bytes) + launch_us + steps * step;
  own = fmaxf(operations, bytes) / share + launch_us;
  // END: plan
