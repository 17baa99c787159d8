// Without optimisation a struct is copied word by word, what nobody has set and what lies between its members included.
//# flags -G -gencode arch=compute_80,code=compute_80
//# exit 1
//# stdout 2.0
//# launch make grid=1 block=32
//# launch reverse grid=1 block=32
//# launch plain_copy grid=1 block=32
//# fault uninitialised-read 32
#include <cstdio>

struct State {
  float value;
  double seldom;  // behind a gap, and not set
  int count;
};

__global__ void make(State* states) {
  states[threadIdx.x].value = threadIdx.x;
  states[threadIdx.x].count = 0;
}

__global__ void reverse(const State* states, State* reversed) {
  State mine = states[31 - threadIdx.x];
  mine.count += 1;
  mine.value *= mine.count;
  reversed[threadIdx.x] = mine;
}

// Here nothing has been written.
__global__ void plain_copy(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = in[i];
}

int main() {
  State *states, *reversed, host[32];
  float *in, *out;
  cudaMalloc(&states, sizeof host);
  cudaMalloc(&reversed, sizeof host);
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  make<<<1, 32>>>(states);
  reverse<<<1, 32>>>(states, reversed);
  plain_copy<<<1, 32>>>(in, out);
  cudaMemcpy(host, reversed, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%.1f\n", host[29].value);
}
