// ENTRY: kernel
// CLASS: precision
// CAUSE: The operations and bytes are multiplied in int, which overflows for large jobs.
// SAYS: int\b|32 bits|overflow|wrap|large_jobs|2147483647|library_us|plan
// NEVER: barrier|\brace\b|bias
// HELD: no
// FILL ME IN: plan (roughly 7 lines)
  float flops = 2 * m * k * n;
  float bytes = 4 * (m * k + k * n + m * n);
  float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
// END: plan
