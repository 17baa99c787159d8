// A plain program with a check of its own, built with nvcc's default flags: compressed PTX, no line information.
//# flags
//# stdout PASSED
//# launch vector_add grid=4 block=256 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=250 l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum=125
#include <cstdio>
#include <vector>

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> a(n, 1.5f), b(n), c(n);
  for (int i = 0; i < n; ++i) b[i] = i;
  float *da, *db, *dc;
  cudaMalloc(&da, n * 4), cudaMalloc(&db, n * 4), cudaMalloc(&dc, n * 4);
  cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
  vector_add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  cudaMemcpy(c.data(), dc, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (c[i] != 1.5f + i) return std::puts("FAILED"), 1;
  cudaFree(da), cudaFree(db), cudaFree(dc);
  std::puts("PASSED");
}
