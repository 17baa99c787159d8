// One small kernel per fault, and beside each the launch that is almost at fault and must report nothing. The format of
// the //# lines is described in counting.cu; counters are not compared here. A fault reads
//
//   fault KIND: WHAT; WHERE; block (x,y,z) thread (x,y,z); [source line]; lanes=N

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// ---- Out of bounds --------------------------------------------------------------------------------------

extern "C" __global__ void unguarded_store(int* out) {
  out[THREAD] = 7;
}
//# case last_element: unguarded_store<<<2, 64>>>(out:512?) faults
//# case one_too_many: unguarded_store<<<2, 64>>>(out:508?) faults
//# fault out-of-bounds: out-of-bounds store of 4 bytes; just past the end of `out` (508 bytes); block (1,0,0) thread (63,0,0); [out[THREAD] = 7;]; lanes=1
//# case a_block_too_many: unguarded_store<<<2, 64>>>(out:256?) faults
//# fault out-of-bounds: out-of-bounds store of 4 bytes; just past the end of `out` (256 bytes); block (1,0,0) thread (0,0,0); [out[THREAD] = 7;]; lanes=64
//# case across_the_end: unguarded_store<<<1, 32>>>(out:126?) faults
//# fault out-of-bounds: out-of-bounds store of 4 bytes; across the end of `out` (126 bytes); block (0,0,0) thread (31,0,0); [out[THREAD] = 7;]; lanes=1

extern "C" __global__ void read_from(const int* x, int* out, int shift) {
  int value = x[static_cast<int>(THREAD) + shift];
  out[THREAD] = value;
}
//# case from_the_start: read_from<<<1, 32>>>(x:128, out:128?, 0) faults
//# case two_before: read_from<<<1, 32>>>(x:128, out:128?, -2) faults
//# fault out-of-bounds: out-of-bounds load of 4 bytes; 8 bytes before the start of `x` (128 bytes); block (0,0,0) thread (0,0,0); [int value = x[static_cast<int>(THREAD) + shift];]; lanes=2
//# case two_behind: read_from<<<1, 32>>>(x:128, out:128?, 2) faults
//# fault out-of-bounds: out-of-bounds load of 4 bytes; just past the end of `x` (128 bytes); block (0,0,0) thread (30,0,0); [int value = x[static_cast<int>(THREAD) + shift];]; lanes=2

extern "C" __global__ void bump(int* bins, int n) {
  atomicAdd(&bins[threadIdx.x % n], 1);
}
//# case inside: bump<<<1, 32>>>(bins:16, 4) faults
//# case outside: bump<<<1, 32>>>(bins:16, 5) faults
//# fault out-of-bounds: out-of-bounds atomic operation of 4 bytes; just past the end of `bins` (16 bytes); block (0,0,0) thread (4,0,0); [atomicAdd(&bins[threadIdx.x % n], 1);]; lanes=6

extern "C" __global__ void through_null(const int* x, int* out) {
  int value = x[threadIdx.x + 3];
  out[threadIdx.x] = value;
}
//# case null_pointer: through_null<<<1, 32>>>(null, out:128?) faults
//# fault null-pointer: load of 4 bytes through a null pointer; 12 bytes from a null pointer; block (0,0,0) thread (0,0,0); [int value = x[threadIdx.x + 3];]; lanes=32

extern "C" __global__ void shared_shift(int* out, int shift) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + shift];
}
//# case inside: shared_shift<<<1, 32>>>(out:128?, 0) faults
//# case outside: shared_shift<<<1, 32>>>(out:128?, 1) faults
//# fault out-of-bounds: out-of-bounds load of 4 bytes from shared memory; just past the end of `tile` (128 bytes); block (0,0,0) thread (31,0,0); [out[threadIdx.x] = tile[threadIdx.x + shift];]; lanes=1

// ---- Uninitialised --------------------------------------------------------------------------------------

extern "C" __global__ void read_global(const int* x, int* out) {
  int value = x[threadIdx.x];
  out[threadIdx.x] = value;
}
//# case defined: read_global<<<1, 64>>>(x:256, out:256?) faults
//# case undefined: read_global<<<1, 64>>>(x:256?, out:256?) faults
//# fault uninitialised-read: uninitialised read: load of 4 bytes; at byte 0 of `x` (256 bytes), which nothing ever writes; block (0,0,0) thread (0,0,0); [int value = x[threadIdx.x];]; lanes=64

// Each thread reads what it wrote itself, and the last one something that nobody wrote.
extern "C" __global__ void write_then_read(volatile int* tmp, int* out, int shift) {
  tmp[threadIdx.x] = 5;
  __syncthreads();
  int value = tmp[threadIdx.x + shift];
  out[threadIdx.x] = value;
}
//# case own_element: write_then_read<<<1, 32>>>(tmp:256?, out:128?, 0) faults
//# case the_next_element: write_then_read<<<1, 32>>>(tmp:256?, out:128?, 1) faults
//# fault uninitialised-read: uninitialised read: load of 4 bytes; at byte 128 of `tmp` (256 bytes), which nothing ever writes (128 of the 256 bytes of `tmp` are written); block (0,0,0) thread (31,0,0); [int value = tmp[threadIdx.x + shift];]; lanes=1

extern "C" __global__ void half_written_tile(int* out, int writers) {
  __shared__ int tile[32];
  if (threadIdx.x < writers) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[THREAD] = tile[threadIdx.x];
}
//# case all_write: half_written_tile<<<2, 32>>>(out:256?, 32) faults
//# case half_write: half_written_tile<<<2, 32>>>(out:256?, 16) faults
//# fault uninitialised-read: uninitialised read: load of 4 bytes from shared memory; at byte 64 of `tile` (128 bytes); block (0,0,0) thread (16,0,0); [out[THREAD] = tile[threadIdx.x];]; lanes=32

// ---- Alignment ------------------------------------------------------------------------------------------

extern "C" __global__ void wide_load(const float4* x, float4* out) {
  out[threadIdx.x] = x[threadIdx.x];
}
//# case aligned: wide_load<<<1, 4>>>(x:80@16, out:64?) faults
//# case four_off: wide_load<<<1, 4>>>(x:80@4, out:64?) faults
//# fault misaligned: misaligned load of 16 bytes; at byte 4 of `x` (80 bytes), not a multiple of 16; block (0,0,0) thread (0,0,0); [out[threadIdx.x] = x[threadIdx.x];]; lanes=4

// ---- Barriers, loops, traps -----------------------------------------------------------------------------

extern "C" __global__ void barrier_for_some(int* out, int threads) {
  if (threadIdx.x < threads) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = 3;
    __syncthreads();
  }
}
//# case nobody: barrier_for_some<<<1, 64>>>(out:256?, 0) faults
//# case everybody: barrier_for_some<<<1, 64>>>(out:256?, 64) faults
//# case part_of_a_warp: barrier_for_some<<<1, 64>>>(out:256?, 48) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 32..47 wait here, threads 48..63 of the same warp at line 103; block (0,0,0) thread (32,0,0); [__syncthreads();]; lanes=1
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 32..47 left the kernel at line 107 and never came to this barrier; block (0,0,0) thread (48,0,0); [__syncthreads();]; lanes=1

extern "C" __global__ void wait_for(volatile int* flag, int value) {
  while (*flag != value) {
  }
}
//# case already_there: wait_for<<<1, 32>>>(flag:4, 0) faults
//# case never_comes: wait_for<<<1, 32>>>(flag:4, 1) faults
//# fault endless-loop: the kernel has not ended: it was stopped when it had cost as much as 1,000,000 warp instructions; block (0,0,0) thread (0,0,0); [while (*flag != value) {]; lanes=1

extern "C" __global__ void give_up(int when) {
  if (threadIdx.x == when) __trap();
}
//# case never: give_up<<<1, 32>>>(99) faults
//# case lane_seven: give_up<<<1, 32>>>(7) faults
//# fault trap: the kernel stopped itself; block (0,0,0) thread (7,0,0); [if (threadIdx.x == when) __trap();]; lanes=1
//# case largest_block: give_up<<<1, 1024>>>(-1) faults
//# case block_too_large: give_up<<<1, 1025>>>(-1) faults
//# fault bad-launch: the launch was refused: the block's x is 1025, but the limit is 1024; block (0,0,0) thread (0,0,0); []; lanes=1
//# case no_blocks: give_up<<<0, 32>>>(-1) faults
//# fault bad-launch: the launch was refused: the grid's x is 0, but must be at least 1; block (0,0,0) thread (0,0,0); []; lanes=1
//# case shared_too_large: give_up<<<1, 32, 300000>>>(-1) faults
//# fault bad-launch: the launch was refused: a block asks for 300000 bytes of shared memory, but the limit is 232448; block (0,0,0) thread (0,0,0); []; lanes=1

extern "C" __global__ void leave_early(int* out, int leavers) {
  if (threadIdx.x < leavers) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
//# case nobody: leave_early<<<1, 64>>>(out:256?, 0) faults
//# case half_a_warp: leave_early<<<1, 64>>>(out:256?, 16) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 0..15 left the kernel at line 140 and never came to this barrier; block (0,0,0) thread (16,0,0); [__syncthreads();]; lanes=1

// Lanes that call a function in a branch meet the others at the barrier behind it; those that leave, do not.
__device__ __noinline__ void keep(int* p, int v) { *p = v; }

extern "C" __global__ void calls_before_a_barrier(int* out, int leavers) {
  out[threadIdx.x] = -1;
  if ((threadIdx.x & 1) == 0) keep(&out[threadIdx.x], threadIdx.x);
  if (threadIdx.x < leavers) return;
  __syncthreads();
  out[threadIdx.x] += 1;
}
//# case all_stay: calls_before_a_barrier<<<1, 96>>>(out:384?, 0) faults
//# case half_a_warp_leaves: calls_before_a_barrier<<<1, 96>>>(out:384?, 16) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 0..15 left the kernel at line 154 and never came to this barrier; block (0,0,0) thread (16,0,0); [__syncthreads();]; lanes=1

struct Shape {
  virtual __device__ void keep(int* p) const = 0;
};
struct Square : Shape {
  __device__ void keep(int* p) const override { *p = 4; }
};
struct Circle : Shape {
  __device__ void keep(int* p) const override { *p = 0; }
};

// The same with a virtual function, and a barrier in a function that all call.
__device__ __noinline__ void meet(int* p) {
  __syncthreads();
  *p += 1;
}

extern "C" __global__ void virtual_calls_before_a_barrier(int* out, int callers) {
  Square square;
  Circle circle;
  const Shape* shape = &square;
  if (threadIdx.x % 3 == 0) shape = &circle;
  if ((threadIdx.x & 1) == 0) shape->keep(&out[threadIdx.x]);
  if (threadIdx.x < callers) meet(&out[threadIdx.x]);
}
//# case all_meet: virtual_calls_before_a_barrier<<<1, 96>>>(out:384, 96) faults
//# case half_a_warp_meets: virtual_calls_before_a_barrier<<<1, 96>>>(out:384, 48) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 48..63 left the kernel at line 182 and never came to this barrier; block (0,0,0) thread (32,0,0); [__syncthreads();]; lanes=1

// Warps take different numbers of turns: each comes to another barrier than the last.
extern "C" __global__ void barrier_in_loop(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += 64) {
    out[i] = i;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = 7;
  __syncthreads();
}
//# case as_many_turns: barrier_in_loop<<<1, 64>>>(out:512?, 128) faults
//# case one_more_for_some: barrier_in_loop<<<1, 64>>>(out:512?, 96) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 0..31 wait here, threads 32..63 at line 194; block (0,0,0) thread (0,0,0); [__syncthreads();]; lanes=1
// Then the second warp is gone as a whole.

// Both ends of a branch on which the whole block agrees, and one on which its warps do not.
extern "C" __global__ void barrier_in_both(int* out, int least) {
  if (threadIdx.x >= least) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}
//# case all_here: barrier_in_both<<<1, 64>>>(out:256?, 0) faults
//# case all_there: barrier_in_both<<<1, 64>>>(out:256?, 64) faults
//# case a_warp_each: barrier_in_both<<<1, 64>>>(out:256?, 32) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 0..31 wait here, threads 32..63 at line 205; block (0,0,0) thread (0,0,0); [__syncthreads();]; lanes=1

// ---- mbarriers ------------------------------------------------------------------------------------------

extern "C" __global__ void comes_to_mbarrier(int* out, int count) {
  __shared__ unsigned long long bar;
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&bar)), done = 0;
  if (threadIdx.x == 0 && count > 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(count));
  __syncthreads();
  unsigned long long state;
  if (count == 0) bar = 0;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address));
  while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(address), "l"(state));
  out[threadIdx.x] = 1;
}
//# case as_many_as_threads: comes_to_mbarrier<<<1, 64>>>(out:256?, 64) faults
//# case one_more: comes_to_mbarrier<<<1, 64>>>(out:256?, 65) faults
//# fault bad-mbarrier: an mbarrier is not used as it was set up: threads 0..31 wait at line 226 (mbarrier); threads 32..63 wait at line 226 (mbarrier): nobody can go on; block (0,0,0) thread (0,0,0); [while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(address), "l"(state));]; lanes=1
//# case one_less: comes_to_mbarrier<<<1, 63>>>(out:256?, 62) faults
//# fault bad-mbarrier: an mbarrier is not used as it was set up: thread 62 wait at line 226 (mbarrier): nobody can go on; block (0,0,0) thread (62,0,0); [while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(address), "l"(state));]; lanes=1

// ---- Structs with padding, which compilers copy in one piece ----------------------------------------------

struct Padded {
  long long wide;
  int narrow;
};

extern "C" __global__ void copies_structs(Padded* a, longlong2* b) {
  a[threadIdx.x].wide = 1;
  b[threadIdx.x] = *reinterpret_cast<longlong2*>(a + threadIdx.x);
}
//# case copied: copies_structs<<<1, 32>>>(a:512?, b:512?) faults

extern "C" __global__ void reads_structs(Padded* a, longlong2* b) {
  a[threadIdx.x].wide = 1;
  longlong2 both = *reinterpret_cast<longlong2*>(a + threadIdx.x);
  b[threadIdx.x] = make_longlong2(both.x, both.y + 1);
}
//# case read: reads_structs<<<1, 32>>>(a:512?, b:512?) faults
//# fault uninitialised-read: uninitialised read: load of 16 bytes; at byte 0 of `a` (512 bytes), of whose 16 bytes nothing ever writes 8 (256 of the 512 bytes of `a` are written); block (0,0,0) thread (0,0,0); [longlong2 both = *reinterpret_cast<longlong2*>(a + threadIdx.x);]; lanes=32

// ---- Where lanes parted: at the barrier that some passed by, or at the shuffle ------------------------------

extern "C" __global__ void parts_at(int* out, int barrier_for, int shuffle_for) {
  if (threadIdx.x < barrier_for) __syncthreads();
  int value = threadIdx.x;
  if (threadIdx.x < shuffle_for) value = __shfl_xor_sync(0xffffffffu, value, 1);
  out[threadIdx.x] = value;
  __syncthreads();
}
//# case together: parts_at<<<1, 32>>>(out:128?, 32, 32) faults
//# case at_the_barrier: parts_at<<<1, 32>>>(out:128?, 8, 32) faults
//# fault barrier-divergence: not all threads of the block reach the same barrier: threads 0..7 wait at line 259 (barrier 0); threads 8..31 wait at line 261 for threads 0..7: nobody can go on; block (0,0,0) thread (0,0,0); [if (threadIdx.x < barrier_for) __syncthreads();]; lanes=1
//# case at_the_shuffle: parts_at<<<1, 32>>>(out:128?, 32, 8) faults
//# fault missing-lanes: not all lanes that the mask names reach this warp operation: threads 0..7 wait at line 261 for threads 8..31; threads 8..31 wait at line 263 (barrier 0): nobody can go on; block (0,0,0) thread (0,0,0); [if (threadIdx.x < shuffle_for) value = __shfl_xor_sync(0xffffffffu, value, 1);]; lanes=1

// A whole warp that leaves before a barrier is no fault: since sm_70 it waits for those that have not exited. A part of one is (half_a_warp).
//# case whole_warp: leave_early<<<1, 64>>>(out:256?, 32) faults

// Nothing ever sets `sum`; what one lane sets and all shuffle is set.
extern "C" __global__ void sum_without_start(const float* x, float* out, int n) {
  float sum;
  for (int i = 0; i < n; ++i) sum += x[i];
  *out = sum;
}
//# case turns: sum_without_start<<<1, 1>>>(x:16, out:4?, 4) faults
//# fault unset-variable: this line computes with a variable that was never given a value; block (0,0,0) thread (0,0,0); [for (int i = 0; i < n; ++i) sum += x[i];]; lanes=1

extern "C" __global__ void one_lane_sets(const float* x, float* out) {
  float value;
  if (threadIdx.x == 0) value = x[0];
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 0) + 1.0f;
}
//# case all: one_lane_sets<<<1, 32>>>(x:16, out:128?) faults
