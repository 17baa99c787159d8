// ENTRY: kernel
// CLASS: scaling
// CAUSE: A multiply-add is counted as one operation where it is two.
// SAYS: \b2\b|twice|half|factor|one operation|multiply-add|library_us|own_us
// NEVER: barrier|\brace\b|bias
// HELD: no
// FILL ME IN: plan (roughly 7 lines)
  float flops = 1.0f * m * k * n;
  float bytes = 4.0f * ((float)m * k + (float)k * n + (float)m * n);
  float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
// END: plan
