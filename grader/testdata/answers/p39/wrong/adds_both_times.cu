// ENTRY: kernel
// CLASS: approximation
// CAUSE: The time of the operations and that of the bytes are added in both plans, where the larger one decides.
// SAYS: added|larger|sum|both|library_us|own_us|plan
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: plan (roughly 7 lines)
  float flops = 2.0f * m * k * n;
  float bytes = 4.0f * ((float)m * k + (float)k * n + (float)m * n);
  float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = flops / flops_per_us + bytes / bytes_per_us + launch_us + steps * step;
  own = flops / (flops_per_us * share) + bytes / bytes_per_us + launch_us;
// END: plan
