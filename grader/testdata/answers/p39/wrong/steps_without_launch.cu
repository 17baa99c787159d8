// ENTRY: kernel
// CLASS: missing-term
// CAUSE: A step has no launch_us: only its bytes are counted.
// SAYS: launch_us|launch
// NEVER: barrier|\brace\b|bias
// HELD: no
// FILL ME IN: plan (roughly 7 lines)
  float flops = 2.0f * m * k * n;
  float bytes = 4.0f * ((float)m * k + (float)k * n + (float)m * n);
  float step = 8.0f * m * n / bytes_per_us;
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
// END: plan
