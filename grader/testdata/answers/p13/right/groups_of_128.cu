// STYLE: always 128 threads, with shares of 2, 8 and 32
// FILL ME IN: launch (roughly 18 lines)

  if (aligned)
    launch = columns <= 1024 ? launch_kernel<float4, 128, 2> : columns <= 4096 ? launch_kernel<float4, 128, 8> : launch_kernel<float4, 128, 16>;
  else
    launch = columns <= 256 ? launch_kernel<float, 128, 2> : columns <= 1024 ? launch_kernel<float, 128, 8> : launch_kernel<float, 128, 32>;
// END: launch
