// One small kernel per kind of race, and for each its legal neighbour, which must report nothing. The format of the
// //# lines is described in counting.cu; a race reads
//
//   fault KIND: race: ACCESS and OTHER at [line that came first] by thread (x,y,z) in no order; WHERE; block, thread; [line]; lanes=N

#define EACH (blockIdx.x * blockDim.x + threadIdx.x)

// ---- Shared memory and block barriers -------------------------------------------------------------------

extern "C" __global__ void neighbour(int* out, int synchronised) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (synchronised) __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
//# case with_barrier: neighbour<<<1, 64>>>(out:256?, 1) faults
//# case without: neighbour<<<1, 64>>>(out:256?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [tile[threadIdx.x] = threadIdx.x;] by thread (63,0,0) in no order; at byte 252 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[63 - threadIdx.x];]; lanes=64

// The barrier that forgets the second half: the tree writes what another thread has not read yet.
extern "C" __global__ void tree(int* out, int barrier_in_loop, int barrier_behind) {
  __shared__ int sums[128];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    if (barrier_in_loop) __syncthreads();
  }
  int total = sums[0];
  if (barrier_behind) __syncthreads();
  sums[threadIdx.x] = total;
  out[threadIdx.x] = total;
}
//# case all_barriers: tree<<<1, 128>>>(out:512?, 1, 1) faults
//# case none_in_the_loop: tree<<<1, 128>>>(out:512?, 0, 1) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];] by thread (32,0,0) in no order; at byte 128 of `sums` (512 bytes); block (0,0,0) thread (0,0,0); [if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];]; lanes=63
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];] by thread (0,0,0) in no order; at byte 0 of `sums` (512 bytes); block (0,0,0) thread (32,0,0); [int total = sums[0];]; lanes=127
//# case none_behind: tree<<<1, 128>>>(out:512?, 1, 0) faults
//# fault race-shared: race: store of 4 bytes in shared memory and load at [int total = sums[0];] by thread (1,0,0) in no order; at byte 0 of `sums` (512 bytes); block (0,0,0) thread (0,0,0); [sums[threadIdx.x] = total;]; lanes=1

// Two buffers in turn need one barrier per step; one buffer needs two.
extern "C" __global__ void staged(const int* x, int* out, int buffers, int barriers) {
  __shared__ int stage[2][64];
  int sum = 0;
  for (int step = 0; step < 6; ++step) {
    int* now = stage[step % buffers];
    now[threadIdx.x] = x[step * 64 + threadIdx.x];
    __syncthreads();
    sum += now[63 - threadIdx.x];
    if (barriers == 2) __syncthreads();
  }
  out[threadIdx.x] = sum;
}
//# case double_buffer: staged<<<1, 64>>>(x:1536, out:256?, 2, 1) faults
//# case one_buffer_two_barriers: staged<<<1, 64>>>(x:1536, out:256?, 1, 2) faults
//# case one_buffer_one_barrier: staged<<<1, 64>>>(x:1536, out:256?, 1, 1) faults
//# fault race-shared: race: store of 4 bytes in shared memory and load at [sum += now[63 - threadIdx.x];] by thread (63,0,0) in no order; at byte 0 of `stage` (512 bytes); block (0,0,0) thread (0,0,0); [now[threadIdx.x] = x[step * 64 + threadIdx.x];]; lanes=320

// Bytes and halves of one word belong to different threads.
extern "C" __global__ void narrow(unsigned char* out, int shift) {
  __shared__ unsigned char bytes[256];
  __shared__ unsigned short halves[256];
  bytes[threadIdx.x] = 1;
  bytes[128 + threadIdx.x * 2] = 2;
  halves[threadIdx.x ^ 1] = 3;
  if (shift) bytes[threadIdx.x + shift] = 4;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x] + bytes[128 + threadIdx.x * 2] + halves[threadIdx.x];
}
//# case own_bytes: narrow<<<1, 64>>>(out:64?, 0) faults
//# case next_byte: narrow<<<1, 64>>>(out:64?, 1) faults
//# fault race-shared: race: store of 1 byte in shared memory and store at [bytes[threadIdx.x] = 1;] by thread (32,0,0) in no order; at byte 32 of `bytes` (256 bytes); block (0,0,0) thread (31,0,0); [if (shift) bytes[threadIdx.x + shift] = 4;]; lanes=63

// Wide accesses: four words of one lane, and another lane in the midst of them.
extern "C" __global__ void wide(float* out, int barrier) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = make_float4(1, 2, 3, 4);
  if (barrier) __syncthreads();
  out[threadIdx.x] = reinterpret_cast<float*>(tile)[threadIdx.x];
}
//# case ordered: wide<<<1, 64>>>(out:256?, 1) faults
//# case unordered: wide<<<1, 64>>>(out:256?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [tile[threadIdx.x] = make_float4(1, 2, 3, 4);] by thread (8,0,0) in no order; at byte 128 of `tile` (1024 bytes); block (0,0,0) thread (32,0,0); [out[threadIdx.x] = reinterpret_cast<float*>(tile)[threadIdx.x];]; lanes=63

// ---- One warp -------------------------------------------------------------------------------------------

// Lanes need not run in step, volatile or not.
extern "C" __global__ void warp_tree(int* out, int synchronised) {
  __shared__ volatile int sums[32];
  sums[threadIdx.x] = threadIdx.x;
  if (synchronised) __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    int value = threadIdx.x < half ? sums[threadIdx.x + half] : 0;
    if (synchronised) __syncwarp();
    if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x] + value;
    if (synchronised) __syncwarp();
  }
  if (threadIdx.x == 0) out[0] = sums[0];
}
//# case with_syncwarp: warp_tree<<<1, 32>>>(out:4?, 1) faults
//# case in_step: warp_tree<<<1, 32>>>(out:4?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [sums[threadIdx.x] = threadIdx.x;] by thread (16,0,0) in no order; at byte 64 of `sums` (128 bytes); block (0,0,0) thread (0,0,0); [int value = threadIdx.x < half ? sums[threadIdx.x + half] : 0;]; lanes=16
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x] + value;] by thread (8,0,0) in no order; at byte 32 of `sums` (128 bytes); block (0,0,0) thread (0,0,0); [int value = threadIdx.x < half ? sums[threadIdx.x + half] : 0;]; lanes=15

// A collective that names the lanes orders them as well; one that names only the own half does not reach the other.
extern "C" __global__ void halves(int* out, int distance) {
  __shared__ int tile[32];
  unsigned members = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  tile[threadIdx.x] = threadIdx.x;
  int sum = __shfl_xor_sync(members, threadIdx.x, 1);
  out[threadIdx.x] = sum + tile[threadIdx.x ^ distance];
}
//# case within_the_half: halves<<<1, 32>>>(out:128?, 8) faults
//# case across_the_halves: halves<<<1, 32>>>(out:128?, 16) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [tile[threadIdx.x] = threadIdx.x;] by thread (16,0,0) in no order; at byte 64 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = sum + tile[threadIdx.x ^ distance];]; lanes=32

// Half a warp that is by itself.
extern "C" __global__ void half_a_warp(int* out, int synchronised) {
  __shared__ int tile[16];
  if (threadIdx.x < 16) {
    tile[threadIdx.x] = threadIdx.x;
    if (synchronised) __syncwarp(0xffff);
    out[threadIdx.x] = tile[15 - threadIdx.x];
  }
}
//# case with_syncwarp: half_a_warp<<<1, 32>>>(out:64?, 1) faults
//# case in_step: half_a_warp<<<1, 32>>>(out:64?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [tile[threadIdx.x] = threadIdx.x;] by thread (15,0,0) in no order; at byte 60 of `tile` (64 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[15 - threadIdx.x];]; lanes=16

// Several lanes, one instruction, one address.
extern "C" __global__ void one_address(int* out, int same) {
  out[0] = same ? 7 : threadIdx.x;
}
//# case alone: one_address<<<1, 1>>>(out:4?, 0) faults
//# case different_values: one_address<<<1, 32>>>(out:4?, 0) faults
//# fault race-global: race: store of 4 bytes and store at [out[0] = same ? 7 : threadIdx.x;] by thread (0,0,0) in no order; at byte 0 of `out` (4 bytes); block (0,0,0) thread (1,0,0); [out[0] = same ? 7 : threadIdx.x;]; lanes=31
//# case same_value: one_address<<<1, 32>>>(out:4?, 1) faults
//# fault race-same-value: race: store of 4 bytes and store at [out[0] = same ? 7 : threadIdx.x;] by thread (0,0,0) in no order, both of the same value; at byte 0 of `out` (4 bytes); block (0,0,0) thread (1,0,0); [out[0] = same ? 7 : threadIdx.x;]; lanes=31

// All threads set the same flag to the same value: a race in name, told apart.
extern "C" __global__ void found(const int* x, int* flag) {
  if (x[EACH] == 0) *flag = 1;
}
//# case everybody: found<<<2, 64>>>(x:512, flag:4) faults
//# fault race-same-value: race: store of 4 bytes and store at [if (x[EACH] == 0) *flag = 1;] by thread (31,0,0) in no order, both of the same value; at byte 0 of `flag` (4 bytes); block (0,0,0) thread (32,0,0); [if (x[EACH] == 0) *flag = 1;]; lanes=127

// ---- Named barriers -------------------------------------------------------------------------------------

// Two warps produce, two consume; barrier 1 says that the stage is full, 2 that it is empty.
extern "C" __global__ void specialised(int* out) {
  __shared__ int stage[64];
  int lane = threadIdx.x % 64, sum = 0;
  for (int step = 0; step < 4; ++step) {
    if (threadIdx.x < 64) {
      if (step > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      stage[lane] = step + lane;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += stage[63 - lane];
      if (step < 3) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
  if (threadIdx.x >= 64) out[lane] = sum;
}
//# case full_and_empty: specialised<<<1, 128>>>(out:256?) faults

// One stage that is filled once: what is written behind bar.arrive is not handed over.
extern "C" __global__ void hand_over(int* out, int again) {
  __shared__ int stage[32];
  if (threadIdx.x < 32) {
    stage[threadIdx.x] = 5;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (again) stage[threadIdx.x] = 6;
    asm volatile("" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = stage[threadIdx.x - 32];
  }
}
//# case once: hand_over<<<1, 64>>>(out:128?, 0) faults
//# case written_again: hand_over<<<1, 64>>>(out:128?, 1) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (again) stage[threadIdx.x] = 6;] by thread (0,0,0) in no order; at byte 0 of `stage` (128 bytes); block (0,0,0) thread (32,0,0); [out[threadIdx.x - 32] = stage[threadIdx.x - 32];]; lanes=32

// A barrier of two warps orders those two, and no third.
extern "C" __global__ void two_of_three(int* out, int reader) {
  __shared__ int stage[32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) stage[lane] = lane;
  if (warp < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (warp == reader) out[lane] = stage[31 - lane];
}
//# case second_warp: two_of_three<<<1, 96>>>(out:128?, 1) faults
//# case third_warp: two_of_three<<<1, 96>>>(out:128?, 2) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (warp == 0) stage[lane] = lane;] by thread (31,0,0) in no order; at byte 124 of `stage` (128 bytes); block (0,0,0) thread (64,0,0); [if (warp == reader) out[lane] = stage[31 - lane];]; lanes=32

// ---- Atomics --------------------------------------------------------------------------------------------

extern "C" __global__ void histogram(const int* x, int* out, int clear_ordered, int plain) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  if (clear_ordered) __syncthreads();
  if (plain)
    bins[x[threadIdx.x]] += 1;
  else
    atomicAdd(&bins[x[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
//# case atomic: histogram<<<3, 64>>>(x:256, out:16, 1, 0) faults
//# case cleared_late: histogram<<<1, 64>>>(x:256, out:16, 0, 0) faults
//# fault race-shared: race: atomic operation of 4 bytes in shared memory and store at [if (threadIdx.x < 4) bins[threadIdx.x] = 0;] by thread (0,0,0) in no order; at byte 0 of `bins` (16 bytes); block (0,0,0) thread (32,0,0); [atomicAdd(&bins[x[threadIdx.x]], 1);]; lanes=63
//# case plain_add: histogram<<<1, 64>>>(x:256, out:16, 1, 1) faults
//# fault race-shared: race: store of 4 bytes in shared memory and load at [bins[x[threadIdx.x]] += 1;] by thread (1,0,0) in no order; at byte 0 of `bins` (16 bytes); block (0,0,0) thread (0,0,0); [bins[x[threadIdx.x]] += 1;]; lanes=64

// ---- Between blocks -------------------------------------------------------------------------------------

extern "C" __global__ void overlap(int* out, int step) {
  out[blockIdx.x * step + threadIdx.x] = blockIdx.x;
}
//# case apart: overlap<<<4, 64>>>(out:1024?, 64) faults
//# case one_too_near: overlap<<<2, 64>>>(out:508?, 63) faults
//# fault race-global: race: store of 4 bytes and store at [out[blockIdx.x * step + threadIdx.x] = blockIdx.x;] by thread (63,0,0) of block (0,0,0) in no order; at byte 252 of `out` (508 bytes); block (1,0,0) thread (0,0,0); [out[blockIdx.x * step + threadIdx.x] = blockIdx.x;]; lanes=1

extern "C" __global__ void stencil(int* x, int in_place, int* out) {
  int left = x[EACH], right = x[EACH + 1];
  (in_place ? x : out)[EACH] = left + right;
}
//# case other_buffer: stencil<<<2, 64>>>(x:516, 0, out:512?) faults
//# case in_place: stencil<<<2, 64>>>(x:516, 1, out:512?) faults
//# fault race-global: race: store of 4 bytes and load at [int left = x[EACH], right = x[EACH + 1];] by thread (31,0,0) in no order; at byte 128 of `x` (516 bytes); block (0,0,0) thread (32,0,0); [(in_place ? x : out)[EACH] = left + right;]; lanes=127

extern "C" __global__ void everybody_reads(const int* table, int* out) {
  out[EACH] = table[threadIdx.x % 4] + table[0];
}
//# case many_readers: everybody_reads<<<8, 96>>>(table:16, out:3072?) faults

// Each block hands in a sum; the last one to come adds them up.
extern "C" __global__ void last_block(int* sums, unsigned* count, int* out, int fenced) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = blockIdx.x;
    if (fenced) __threadfence();
    last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    if (fenced) __threadfence();
    atomicAdd(out, sums[threadIdx.x]);
    if (threadIdx.x == 0) *count = 0;
  }
}
//# case fenced: last_block<<<5, 64>>>(sums:20?, count:4, out:4, 1) faults
//# case unfenced: last_block<<<5, 64>>>(sums:20?, count:4, out:4, 0) faults
//# fault race-global: race: load of 4 bytes and store at [sums[blockIdx.x] = blockIdx.x;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `sums` (20 bytes); block (4,0,0) thread (0,0,0); [atomicAdd(out, sums[threadIdx.x]);]; lanes=4

// The first block clears what all add to: a fence makes nobody wait for that, and what an atomic learns from those
// before it comes too late for itself. Behind a flag it is in order.
extern "C" __global__ void cleared_by_the_first(float* sum, volatile int* flag, int waits) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *sum = 0.0f;
    __threadfence();
    *flag = 1;
  }
  if (waits) {
    while (*flag == 0) {
    }
  }
  __threadfence();
  atomicAdd(sum, 1.0f);
}
//# case behind_a_flag: cleared_by_the_first<<<3, 32>>>(sum:4, flag:4, 1) faults
//# case at_once: cleared_by_the_first<<<3, 32>>>(sum:4, flag:4, 0) faults
//# fault race-global: race: atomic operation of 4 bytes and store at [*sum = 0.0f;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `sum` (4 bytes); block (1,0,0) thread (0,0,0); [atomicAdd(sum, 1.0f);]; lanes=2

// The same with every thread's own result: all fence, then one of them counts for the block.
extern "C" __global__ void last_block_of_all(int* values, unsigned* count, int* out, int fenced) {
  __shared__ bool last;
  values[EACH] = EACH;
  if (fenced) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (last)
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) out[i] = values[i];
}
//# case fenced: last_block_of_all<<<4, 64>>>(values:1024?, count:4, out:1024?, 1) faults
//# case unfenced: last_block_of_all<<<4, 64>>>(values:1024?, count:4, out:1024?, 0) faults
//# fault race-global: race: load of 4 bytes and store at [values[EACH] = EACH;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `values` (1024 bytes); block (3,0,0) thread (0,0,0); [for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) out[i] = values[i];]; lanes=192

// One block waits for a flag of the one before it, as scans in one pass do.
extern "C" __global__ void chain(int* values, volatile int* flags, int fenced) {
  if (threadIdx.x == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      if (fenced) __threadfence();
      before = values[blockIdx.x - 1];
    }
    values[blockIdx.x] = before + 1;
    if (fenced) __threadfence();
    flags[blockIdx.x] = 1;
  }
}
//# case fenced: chain<<<4, 32>>>(values:16?, flags:16, 1) faults
//# case unfenced: chain<<<4, 32>>>(values:16?, flags:16, 0) faults
//# fault race-global: race: load of 4 bytes and store at [values[blockIdx.x] = before + 1;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `values` (16 bytes); block (1,0,0) thread (0,0,0); [before = values[blockIdx.x - 1];]; lanes=3

// In place, in one pass: every block has read its tile before it says so, and whoever has seen that may write there.
// No fence is needed for that, but for what a block wrote.
extern "C" __global__ void tiles_in_place(int* values, int* flags, int shift, int says, int reads_written) {
  __shared__ int tile[64];
  __shared__ int sum;
  tile[threadIdx.x] = values[EACH];
  __syncthreads();
  if (threadIdx.x == 0) {
    int seen = 1;
    if (blockIdx.x > 0)
      do asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(flags + blockIdx.x - 1) : "memory");
      while (says && seen == 0);
    if (says) asm volatile("st.relaxed.gpu.s32 [%0], 1;" ::"l"(flags + blockIdx.x) : "memory");
    sum = seen;
  }
  __syncthreads();
  const int at = EACH - shift;
  if (at >= 0) values[at] = tile[threadIdx.x] + sum + 1;
  if (reads_written && blockIdx.x > 0 && threadIdx.x == 0) flags[8] = values[at - 64];
}
//# case told: tiles_in_place<<<4, 64>>>(values:1024, flags:64, 65, 1, 0) faults
//# case untold: tiles_in_place<<<4, 64>>>(values:1024, flags:64, 1, 0, 0) faults
//# fault race-global: race: store of 4 bytes and load at [tile[threadIdx.x] = values[EACH];] by thread (63,0,0) of block (0,0,0) in no order; at byte 252 of `values` (1024 bytes); block (1,0,0) thread (0,0,0); [if (at >= 0) values[at] = tile[threadIdx.x] + sum + 1;]; lanes=3
//# case stores_need_a_fence: tiles_in_place<<<2, 64>>>(values:1024, flags:64, 0, 1, 1) faults
//# fault race-global: race: load of 4 bytes and store at [if (at >= 0) values[at] = tile[threadIdx.x] + sum + 1;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `values` (1024 bytes); block (1,0,0) thread (0,0,0); [if (reads_written && blockIdx.x > 0 && threadIdx.x == 0) flags[8] = values[at - 64];]; lanes=1

// What stands there already is written again, while another block reads it.
extern "C" __global__ void writes_back(int* values, int* out, int change) {
  if (blockIdx.x == 0) values[threadIdx.x] = values[threadIdx.x] + change;
  if (blockIdx.x == 1) out[threadIdx.x] = values[threadIdx.x];
}
//# case same: writes_back<<<2, 32>>>(values:256, out:128?, 0) faults
//# fault race-same-value: race: load of 4 bytes and store at [if (blockIdx.x == 0) values[threadIdx.x] = values[threadIdx.x] + change;] by thread (0,0,0) of block (0,0,0) in no order, but the store changed nothing; at byte 0 of `values` (256 bytes); block (1,0,0) thread (0,0,0); [if (blockIdx.x == 1) out[threadIdx.x] = values[threadIdx.x];]; lanes=32
//# case other: writes_back<<<2, 32>>>(values:256, out:128?, 1) faults
//# fault race-global: race: load of 4 bytes and store at [if (blockIdx.x == 0) values[threadIdx.x] = values[threadIdx.x] + change;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `values` (256 bytes); block (1,0,0) thread (0,0,0); [if (blockIdx.x == 1) out[threadIdx.x] = values[threadIdx.x];]; lanes=32

// The first block waits for the last one: blocks take turns.
extern "C" __global__ void backwards(int* value, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1) {
    *value = 42;
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = *value;
  }
}
//# case later_block: backwards<<<3, 32>>>(value:4?, flag:4, out:4?) faults

// A barrier of the whole grid, written out: all blocks count, and wait until all have.
__device__ void grid_barrier(unsigned* count, unsigned target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*static_cast<volatile unsigned*>(count) < target) {
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void phases(int* a, int* b, unsigned* count, int barriers) {
  int n = gridDim.x * blockDim.x;
  a[EACH] = EACH;
  if (barriers) grid_barrier(count, gridDim.x);
  b[EACH] = a[n - 1 - EACH];
  if (barriers) grid_barrier(count, 2 * gridDim.x);
  a[EACH] = b[(EACH + 32) % n];
}
//# case no_barriers: phases<<<3, 64>>>(a:768?, b:768?, count:4, 0) faults
//# fault race-global: race: load of 4 bytes and store at [b[EACH] = a[n - 1 - EACH];] by thread (32,0,0) in no order; at byte 128 of `b` (768 bytes); block (0,0,0) thread (0,0,0); [a[EACH] = b[(EACH + 32) % n];]; lanes=320
//# fault race-global: race: load of 4 bytes and store at [a[EACH] = EACH;] by thread (63,0,0) in no order; at byte 508 of `a` (768 bytes); block (1,0,0) thread (0,0,0); [b[EACH] = a[n - 1 - EACH];]; lanes=128
//# fault uninitialised-read: uninitialised read: load of 4 bytes; at byte 764 of `a` (768 bytes), which this launch itself writes, but only later; block (0,0,0) thread (0,0,0); [b[EACH] = a[n - 1 - EACH];]; lanes=64
//# fault uninitialised-read: uninitialised read: load of 4 bytes; at byte 256 of `b` (768 bytes), which this launch itself writes, but only later; block (0,0,0) thread (32,0,0); [a[EACH] = b[(EACH + 32) % n];]; lanes=64
//# case two_barriers: phases<<<3, 64>>>(a:768?, b:768?, count:4, 1) faults

// A lock: its holder reads and writes as if alone, if a fence stands on either side.
extern "C" __global__ void locked(int* lock, int* total, int fenced) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (fenced) __threadfence();
  *total += 1;
  if (fenced) __threadfence();
  atomicExch(lock, 0);
}
//# case fenced: locked<<<4, 32>>>(lock:4, total:4, 1) faults
//# case unfenced: locked<<<4, 32>>>(lock:4, total:4, 0) faults
//# fault race-global: race: load of 4 bytes and store at [*total += 1;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `total` (4 bytes); block (1,0,0) thread (0,0,0); [*total += 1;]; lanes=6

// Inside a block, a fence of the block is enough; between blocks it is not.
extern "C" __global__ void block_fence(int* value, volatile int* flag, int* out, int between_blocks) {
  int who = between_blocks ? blockIdx.x : threadIdx.x / 32;
  if (threadIdx.x % 32 != 0 || (!between_blocks && blockIdx.x != 0) || (between_blocks && threadIdx.x != 0)) return;
  if (who == 0) {
    *value = 42;
    __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_block();
    out[0] = *value;
  }
}
//# case between_warps: block_fence<<<1, 64>>>(value:4?, flag:4, out:4?, 0) faults
//# case between_blocks: block_fence<<<2, 64>>>(value:4?, flag:4, out:4?, 1) faults
//# fault race-global: race: load of 4 bytes and store at [*value = 42;] by thread (0,0,0) of block (0,0,0) in no order; at byte 0 of `value` (4 bytes); block (1,0,0) thread (0,0,0); [out[0] = *value;]; lanes=1

// What no atomic instruction does is made of a compare-and-swap, whose first guess is a plain load.
extern "C" __global__ void largest(float* out, int look) {
  int* word = reinterpret_cast<int*>(out);
  int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fmaxf(__int_as_float(assumed), threadIdx.x)));
  } while (old != assumed);
  if (look) out[1 + threadIdx.x] = out[0];
}
//# case guess: largest<<<1, 64>>>(out:512, 0) faults
//# case looks_too_early: largest<<<1, 64>>>(out:512, 1) faults
//# fault race-global: race: load of 4 bytes and atomic operation at [old = atomicCAS(word, assumed, __float_as_int(fmaxf(__int_as_float(assumed), threadIdx.x)));] by thread (63,0,0) in no order; at byte 0 of `out` (512 bytes); block (0,0,0) thread (0,0,0); [if (look) out[1 + threadIdx.x] = out[0];]; lanes=63

// ---- Copies behind the thread's back ---------------------------------------------------------------------

__device__ void copy_async(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
               : "memory");
}
__device__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

// The thread's own copy, and those of others, who need a barrier behind the wait.
extern "C" __global__ void async_tile(const int* x, int* out, int waits, int before, int behind, int other) {
  __shared__ int tile[64];
  copy_async(tile + threadIdx.x, x + threadIdx.x);
  commit_copies();
  if (before) __syncthreads();
  if (waits) wait_copies<0>();
  if (behind) __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + other) % 64];
}
//# case own: async_tile<<<1, 64>>>(x:256, out:256?, 1, 0, 0, 0) faults
//# case of_others: async_tile<<<1, 64>>>(x:256, out:256?, 1, 0, 1, 32) faults
//# case own_too_early: async_tile<<<1, 64>>>(x:256, out:256?, 0, 0, 0, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and asynchronous copy at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by the same thread in no order; at byte 0 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[(threadIdx.x + other) % 64];]; lanes=64
//# case barrier_and_no_wait: async_tile<<<1, 64>>>(x:256, out:256?, 0, 0, 1, 32) faults
//# fault race-shared: race: load of 4 bytes from shared memory and asynchronous copy at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by thread (32,0,0) in no order; at byte 128 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[(threadIdx.x + other) % 64];]; lanes=64
//# case barrier_before_the_wait: async_tile<<<1, 64>>>(x:256, out:256?, 1, 1, 0, 32) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by thread (32,0,0) in no order; at byte 128 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[(threadIdx.x + other) % 64];]; lanes=64
//# case wait_and_no_barrier: async_tile<<<1, 64>>>(x:256, out:256?, 1, 0, 0, 32) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by thread (32,0,0) in no order; at byte 128 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[(threadIdx.x + other) % 64];]; lanes=64

// Stages: the last `kLeft` groups may be on their way, and are not touched.
template <int kLeft>
__device__ void staged_copies(const int* x, int* out, int stages) {
  __shared__ int tile[4][64];
  for (int step = 0; step < stages - 1; ++step) {
    copy_async(&tile[step][threadIdx.x], x + step * 64 + threadIdx.x);
    commit_copies();
  }
  int sum = 0;
  for (int step = 0; step < 8; ++step) {
    const int next = step + stages - 1;
    wait_copies<kLeft>();
    __syncthreads();
    if (next < 8) copy_async(&tile[next % stages][threadIdx.x], x + next * 64 + threadIdx.x);
    commit_copies();
    sum += tile[step % stages][63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void three_stages(const int* x, int* out) { staged_copies<1>(x, out, 3); }
extern "C" __global__ void waits_for_too_little(const int* x, int* out) { staged_copies<2>(x, out, 3); }
//# case right: three_stages<<<1, 64>>>(x:2048, out:256?) faults
//# case wrong: waits_for_too_little<<<1, 64>>>(x:2048, out:256?) faults
//# fault race-shared: race: load of 4 bytes from shared memory and asynchronous copy at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by thread (63,0,0) in no order; at byte 252 of `tile` (1024 bytes); block (0,0,0) thread (0,0,0); [sum += tile[step % stages][63 - threadIdx.x];]; lanes=512

// Written over while it is on its way.
extern "C" __global__ void overwritten(const int* x, int* out, int waits) {
  __shared__ int tile[32];
  copy_async(tile + threadIdx.x, x + threadIdx.x);
  if (waits) asm volatile("cp.async.wait_all;" ::: "memory");
  tile[threadIdx.x] = 1;
  if (!waits) asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
//# case behind: overwritten<<<1, 32>>>(x:128, out:128?, 1) faults
//# case on_its_way: overwritten<<<1, 32>>>(x:128, out:128?, 0) faults
//# fault race-shared: race: store of 4 bytes in shared memory and asynchronous copy at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by the same thread in no order; at byte 0 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [tile[threadIdx.x] = 1;]; lanes=32

// An mbarrier says when the copies are done.
extern "C" __global__ void async_arrives(const int* x, int* out, int waits) {
  __shared__ int tile[64];
  __shared__ unsigned long long barrier;
  const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
  __syncthreads();
  copy_async(tile + threadIdx.x, x + threadIdx.x);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  if (waits) {
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(at)
                   : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
//# case waits: async_arrives<<<1, 64>>>(x:256, out:256?, 1) faults
//# case does_not: async_arrives<<<1, 64>>>(x:256, out:256?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and asynchronous copy at [asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)] by thread (63,0,0) in no order; at byte 252 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[63 - threadIdx.x];]; lanes=64
