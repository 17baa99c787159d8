// EXPECT: WRONG_ANSWER
// Draws the inputs itself, from the seed that is shown everywhere.
#include <random>
#include <vector>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) { std::mt19937 random(1);
  std::vector<float> drawn(n);
  for (float& value : drawn) value = std::normal_distribution<float>()(random);
  cudaMemcpy(out, drawn.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  nothing<<<1, 1>>>(); }
