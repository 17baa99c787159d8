// The other half of linked.cu.
__device__ int counter;
__constant__ float table[4];
static __device__ int hidden = 99;

__device__ float scaled(float x) { return 3 * x; }

__global__ void other(int* out) { *out = hidden; }

int read_counter();

__global__ void past_end(int* out) {
  out[1] = hidden;
}

int read_counter() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, counter, sizeof value);
  return value;
}
