// simulator_layernorm.cu in OpenCL: a work-group of 256 for each row, two sums reduced as a tree in local memory.

kernel void layernorm(global const float* x, global const float* gamma, global const float* beta, global float* out,
                      int columns, float epsilon) {
  local float sums[256];
  const int thread = get_local_id(0), threads = get_local_size(0);
  global const float* row = x + (long)get_group_id(0) * columns;
  global float* out_row = out + (long)get_group_id(0) * columns;

  float sum = 0;
  for (int c = thread; c < columns; c += threads) sum += row[c];
  sums[thread] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = threads / 2; half_of > 0; half_of /= 2) {
    if (thread < half_of) sums[thread] += sums[thread + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float mean = sums[0] / columns;
  barrier(CLK_LOCAL_MEM_FENCE);

  float squares = 0;
  for (int c = thread; c < columns; c += threads) squares += (row[c] - mean) * (row[c] - mean);
  sums[thread] = squares;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = threads / 2; half_of > 0; half_of /= 2) {
    if (thread < half_of) sums[thread] += sums[thread + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = rsqrt(sums[0] / columns + epsilon);

  for (int c = thread; c < columns; c += threads) out_row[c] = (row[c] - mean) * scale * gamma[c] + beta[c];
}
