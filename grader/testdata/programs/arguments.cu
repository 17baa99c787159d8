// What a call hands over, and hands back, the assembler keeps in registers: no local memory is asked for. An
// array whose place is only known when it runs lies there all the same.
//# exit 0
//# stdout 96 7
//# launch calls grid=1 block=32 l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum=0
//l1tex__t_requests_pipe_lsu_mem_local_op_st.sum=0 # launch picks grid=1 block=32
//l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum=1
#include <cstdio>

struct Pair {
  double first, second;
};

__device__ __noinline__ Pair turned(Pair pair, float factor) { return {pair.second * factor, pair.first}; }

__global__ void calls(double* out) {
  const Pair pair = turned({1.0 * threadIdx.x, 48.0}, 2.0f);
  out[threadIdx.x] = pair.first;
}

__global__ void picks(int* out, int at) {
  int some[8];
  for (int i = 0; i < 8; ++i) some[(i * at) & 7] = i;
  out[threadIdx.x] = some[(at + threadIdx.x) & 7];
}

int main() {
  double *doubles, a;
  int *integers, b;
  cudaMalloc(&doubles, 32 * sizeof a);
  cudaMalloc(&integers, 32 * sizeof b);
  calls<<<1, 32>>>(doubles);
  picks<<<1, 32>>>(integers, 1);
  cudaMemcpy(&a, doubles + 31, sizeof a, cudaMemcpyDeviceToHost);
  cudaMemcpy(&b, integers + 6, sizeof b, cudaMemcpyDeviceToHost);
  std::printf("%.0f %d\n", a, b);
}
