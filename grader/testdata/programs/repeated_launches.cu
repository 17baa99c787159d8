// A benchmark's loop: launches that the host cannot tell apart are counted three times and carried out each time.
// One of them, which nobody counts, stores past the end: that is found, and told with the numbers of an earlier one.
//# exit 1
//# stdout 1000 1
//# stdout wide: 20 20
//# says add 1,000 1 64 4,000 16,000
//# says of 1,000 launches of add 997 have the counts of launch 4
//# says --every-launch counts all
//# launch first grid=1 block=1
//# launch add grid=1 block=64 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=8
//# launch add grid=1 block=64 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=8
//# launch add grid=1 block=64 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=8
//# launch store grid=1 block=1 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=1
//# launch store grid=1 block=1
//# launch store grid=1 block=1
//# launch store grid=1 block=1 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=1
//# fault out-of-bounds 22
#include <cstdio>

__global__ void first(int* x) { *x = 0; }
__global__ void add(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void store(int* x, const int* at) { x[*at] = 1; }

int main() {
  int *x, *at, host[64];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&at, sizeof(int));
  cudaMemset(x, 0, sizeof host);
  first<<<1, 1>>>(at);
  for (int i = 0; i < 1000; ++i) add<<<1, 64>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 5; ++i) {
    const int where = i == 3 ? 64 : i;
    cudaMemcpy(at, &where, sizeof where, cudaMemcpyHostToDevice);
    store<<<1, 1>>>(x, at);
  }
  cudaMemcpy(host, x, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[63], host[4]);
  // Enough blocks for several cores, and the buffers change meanwhile.
  int *wide, *late, *other[20], ends[2];
  cudaMalloc(&late, 65536 * sizeof(int));
  cudaMalloc(&wide, 65536 * sizeof(int));
  cudaMemset(wide, 0, 65536 * sizeof(int));
  for (int*& buffer : other) {
    add<<<256, 256>>>(wide);
    cudaMalloc(&buffer, 100);
    cudaMemset(buffer, 1, 100);
    if (&buffer == other + 10) cudaMemset(late, 0, 65536 * sizeof(int));
  }
  add<<<255, 256>>>(late);  // finds in the L2 what was set between launches that nobody counted
  cudaMemcpy(ends, wide, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(ends + 1, wide + 65535, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("wide: %d %d\n", ends[0], ends[1]);
}
