// ENTRY: kernel
// CLASS: precision
// CAUSE: 2 m k n is worked out in an int and overflows.
// SAYS: int|overflow
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: plan (roughly 7 lines)
  const float flops = static_cast<float>(2 * m * k * n), in_out = 4.0f * (static_cast<float>(m) * k + static_cast<float>(n) * k + static_cast<float>(m) * n);
  const float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = fmaxf(flops / flops_per_us, in_out / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), in_out / bytes_per_us) + launch_us;
  // END: plan
