// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The bytes of a product leave out what it writes.
// SAYS: bytes|m\b|n\b|library_us|own_us|term|added
// NEVER: barrier|\brace\b|bias
// HELD: no
// FILL ME IN: plan (roughly 7 lines)
  float flops = 2.0f * m * k * n;
  float bytes = 4.0f * ((float)m * k + (float)k * n);
  float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
// END: plan
