// What costs the simulator most: requests whose lanes lie far apart, and atomics. `index` is a permutation.

extern "C" __global__ void gathered(const float* x, const int* index, float* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) out[i] = x[index[i]];
}
extern "C" __global__ void scattered(const float* x, const int* index, float* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) out[index[i]] = x[i];
}
extern "C" __global__ void counted(const float*, const int* index, float* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(reinterpret_cast<int*>(out) + index[i] % 65536, 1);
}
