// Warpgroups: what is counted of wgmma, its races with whoever writes what it reads, and its mistakes; for each its legal
// neighbour, which must report nothing. The format of the //# lines is described in counting.cu.
//# for sm_90a

namespace warpgroups {

constexpr int kA = 128, kB = 16;  // pieces of 16 bytes: A is 64 x 16 and B 16 x 8, of bf16, in blocks of 8 x 8 elements

__device__ unsigned long long matrix(const void* first) {
  const unsigned long long at = __cvta_generic_to_shared(first);
  return at >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ void fence_proxies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void multiply(float (&d)[4], const uint4* a, const uint4* b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(matrix(a)), "l"(matrix(b)));
}

}  // namespace warpgroups

// ---- What is counted ------------------------------------------------------------------------------------

extern "C" __global__ void tile_product(float* out) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80);
  fence_proxies();
  __syncthreads();
  float d[4] = {};
  fence();
  multiply(d, tile, tile + kA);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
//# case counted: tile_product<<<1, 128>>>(out:512?)
//# global store requests=4 sectors=16 lines=4 useful=512 ideal=16 lanes=128
//# shared store requests=5 wavefronts=18 ideal=18 lanes=144
//# flops 16384
//# barriers 4
//# tensor out requested=0/512 compulsory=0/512

// ---- Races ----------------------------------------------------------------------------------------------

// Stores, then fence.proxy.async of each thread that stored, or of one behind a barrier, then a barrier.
extern "C" __global__ void stored_before(float* out, int each_fences, int one_fences, int barrier) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0, 0, 0, 0);
  if (each_fences) fence_proxies();
  if (barrier) __syncthreads();
  if (one_fences) {
    if (threadIdx.x == 0) fence_proxies();
    __syncthreads();
  }
  float d[4] = {};
  fence();
  multiply(d, tile, tile + kA);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
//# case each_fences: stored_before<<<1, 128>>>(out:512?, 1, 0, 1) faults
//# case one_fences: stored_before<<<1, 128>>>(out:512?, 0, 1, 1) faults
//# case nobody_fences: stored_before<<<1, 128>>>(out:512?, 0, 0, 1) faults
//# fault race-shared: race: load of 16 bytes from shared memory and store at [for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0, 0, 0, 0);] by thread (0,0,0) in no order; at byte 2048 of `tile` (2304 bytes); block (0,0,0) thread (32,0,0); [: "l"(matrix(a)), "l"(matrix(b)));]; lanes=192
//# case no_barrier: stored_before<<<1, 128>>>(out:512?, 1, 0, 0) faults
//# fault race-shared: race: load of 16 bytes from shared memory and store at [for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0, 0, 0, 0);] by thread (0,0,0) in no order; at byte 2048 of `tile` (2304 bytes); block (0,0,0) thread (32,0,0); [: "l"(matrix(a)), "l"(matrix(b)));]; lanes=174

// The next tile, over the one that wgmma reads: by the threads themselves, and by another warp that one of theirs tells.
extern "C" __global__ void overwritten(float* out, int waits, int commits) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0, 0, 0, 0);
  fence_proxies();
  __syncthreads();
  float d[4] = {};
  fence();
  multiply(d, tile, tile + kA);
  if (commits) commit();
  if (waits) wait();
  __syncthreads();
  if (threadIdx.x < kB) tile[kA + threadIdx.x] = make_uint4(1, 1, 1, 1);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
//# case waited_for: overwritten<<<1, 128>>>(out:512?, 1, 1) faults
//# case not_waited_for: overwritten<<<1, 128>>>(out:512?, 0, 1) faults
//# fault race-shared: race: store of 16 bytes in shared memory and wgmma at [: "l"(matrix(a)), "l"(matrix(b)));] by the same thread in no order; at byte 2048 of `tile` (2304 bytes); block (0,0,0) thread (0,0,0); [if (threadIdx.x < kB) tile[kA + threadIdx.x] = make_uint4(1, 1, 1, 1);]; lanes=16
//# case not_committed: overwritten<<<1, 128>>>(out:512?, 1, 0) faults
//# fault race-shared: race: store of 16 bytes in shared memory and wgmma at [: "l"(matrix(a)), "l"(matrix(b)));] by the same thread in no order; at byte 2048 of `tile` (2304 bytes); block (0,0,0) thread (0,0,0); [if (threadIdx.x < kB) tile[kA + threadIdx.x] = make_uint4(1, 1, 1, 1);]; lanes=16

extern "C" __global__ void told_by_one_warp(float* out, int waits) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB; i += blockDim.x) tile[i] = make_uint4(0, 0, 0, 0);
  fence_proxies();
  __syncthreads();
  if (threadIdx.x < 128) {
    float d[4] = {};
    fence();
    multiply(d, tile, tile + kA);
    commit();
    if (waits) wait();
    if (threadIdx.x >= 96) asm volatile("bar.arrive 1, 64;" ::: "memory");
    wait();
    out[threadIdx.x] = d[0];
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x < 128 + kB) tile[kA + threadIdx.x - 128] = make_uint4(1, 1, 1, 1);
  }
}
//# case it_has_waited: told_by_one_warp<<<1, 160>>>(out:512?, 1) faults
//# case it_has_not: told_by_one_warp<<<1, 160>>>(out:512?, 0) faults
//# fault race-shared: race: store of 16 bytes in shared memory and load at [: "l"(matrix(a)), "l"(matrix(b)));] by thread (0,0,0) in no order; at byte 2048 of `tile` (2304 bytes); block (0,0,0) thread (128,0,0); [if (threadIdx.x < 128 + kB) tile[kA + threadIdx.x - 128] = make_uint4(1, 1, 1, 1);]; lanes=16

// ---- Mistakes -------------------------------------------------------------------------------------------

extern "C" __global__ void sums_in_flight(float* out, int waits) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB; i += 128) tile[i] = make_uint4(0, 0, 0, 0);
  fence_proxies();
  __syncthreads();
  float d[4] = {};
  fence();
  multiply(d, tile, tile + kA);
  commit();
  if (waits) wait();
  out[threadIdx.x] = d[0] + d[1];
}
//# case waited_for: sums_in_flight<<<1, 128>>>(out:512?, 1) faults
//# case read_too_early: sums_in_flight<<<1, 128>>>(out:512?, 0) faults
//# fault bad-wgmma: wgmma is not used as a warpgroup must use it: it reads a sum of the wgmma at line 21 before wgmma.wait_group has waited for it; block (0,0,0) thread (0,0,0); [out[threadIdx.x] = d[0] + d[1];]; lanes=4
//# case three_warps: sums_in_flight<<<1, 96>>>(out:512?, 1) faults
//# fault bad-wgmma: wgmma is not used as a warpgroup must use it: a warpgroup is 128 threads from a multiple of 128 on, and this block ends at thread 95; block (0,0,0) thread (0,0,0); [__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }]; lanes=1

// The tile has room for a half of what the wgmma reads.
extern "C" __global__ void behind_the_tile(float* out, int missing) {
  using namespace warpgroups;
  __shared__ alignas(128) uint4 tile[kA + kB];
  for (int i = threadIdx.x; i < kA + kB - missing; i += 128) tile[i] = make_uint4(0, 0, 0, 0);
  fence_proxies();
  __syncthreads();
  float d[4] = {};
  fence();
  multiply(d, tile, missing < 0 ? tile + kA + 8 : tile + kA);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
//# case whole: behind_the_tile<<<1, 128>>>(out:512?, 0) faults
//# case not_written: behind_the_tile<<<1, 128>>>(out:512?, 8) faults
//# fault uninitialised-read: uninitialised read: load of 16 bytes from shared memory; at byte 2176 of `tile` (2304 bytes); block (0,0,0) thread (1,0,0); [: "l"(matrix(a)), "l"(matrix(b)));]; lanes=32
