// What Thrust and CUB do with their own memory is no fault: merges look one element too far, and what is selected in
// place is handed from block to block without fences.
//# flags -std=c++17 -lineinfo -gencode arch=compute_80,code=compute_80
//# stdout 1 1
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>

struct Pair {
  int first, second;
};
struct Before {
  __host__ __device__ bool operator()(const Pair& a, const Pair& b) const {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

int main() {
  thrust::host_vector<Pair> pairs(3000);
  for (int i = 0; i < 3000; ++i) pairs[i] = {i * 7919 % 501, i};
  thrust::device_vector<Pair> sorted = pairs;
  thrust::sort(sorted.begin(), sorted.end(), Before());
  std::sort(pairs.begin(), pairs.end(), Before());
  const thrust::host_vector<Pair> got = sorted;
  bool same = true;
  for (int i = 0; i < 3000; ++i) same = same && got[i].first == pairs[i].first && got[i].second == pairs[i].second;

  thrust::host_vector<int> numbers(3000);
  for (int i = 0; i < 3000; ++i) numbers[i] = i / 2;
  thrust::device_vector<int> kept = numbers;
  kept.erase(thrust::unique(kept.begin(), kept.end()), kept.end());
  std::printf("%d %d\n", same, kept.size() == 1500 && kept[1499] == 1499);
}
