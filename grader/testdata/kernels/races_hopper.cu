// Races that there are from compute capability 9.0 on: in the shared memory of a cluster's blocks, and of bulk
// copies.

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
template <class T>
__device__ T* in_block(T* mine, unsigned rank) {
  T* theirs;
  asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(mine), "r"(rank));
  return theirs;
}
__device__ void wait_mbarrier(const void* barrier, int parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
}

// ---- clusters -------------------------------------------------------------------------------------------

// What lies between the blocks' own stores, the access to the other block, and the end.
extern "C" __global__ void __cluster_dims__(2, 1, 1) reads_neighbour(int* out, int before, int behind) {
  __shared__ int tile[32];
  tile[threadIdx.x] = (int)threadIdx.x;
  if (before) cluster_sync(); else __syncthreads();
  int seen = 0;
  if (blockIdx.x == 0) seen = in_block(tile, 1)[31 - threadIdx.x];
  if (behind) cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = seen;
}
//# case right: reads_neighbour<<<4, 32>>>(out:512?, 1, 1) faults
//# case no_end: reads_neighbour<<<2, 32>>>(out:256?, 1, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory of block (1,0,0) and the end of that block in no order; at byte 124 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [if (blockIdx.x == 0) seen = in_block(tile, 1)[31 - threadIdx.x];]; lanes=32
//# case no_begin: reads_neighbour<<<2, 32>>>(out:256?, 0, 1) faults
//# fault race-shared: race: load of 4 bytes from shared memory of block (1,0,0) and the beginning of that block in no order; at byte 124 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [if (blockIdx.x == 0) seen = in_block(tile, 1)[31 - threadIdx.x];]; lanes=32
//# fault race-shared: race: store of 4 bytes in shared memory and load at [if (blockIdx.x == 0) seen = in_block(tile, 1)[31 - threadIdx.x];] by thread (31,0,0) of block (0,0,0) in no order; at byte 0 of `tile` (128 bytes); block (1,0,0) thread (0,0,0); [tile[threadIdx.x] = (int)threadIdx.x;]; lanes=32
//# fault uninitialised-read: uninitialised read: load of 4 bytes from shared memory; at byte 124 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [if (blockIdx.x == 0) seen = in_block(tile, 1)[31 - threadIdx.x];]; lanes=32

// Each writes to the other, which reads it behind a barrier of the cluster or of its own alone.
extern "C" __global__ void __cluster_dims__(2, 1, 1) writes_neighbour(int* out, int together) {
  __shared__ int tile[32];
  cluster_sync();
  in_block(tile, blockIdx.x ^ 1)[threadIdx.x] = (int)threadIdx.x;
  if (together) cluster_sync(); else __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
  cluster_sync();
}
//# case right: writes_neighbour<<<2, 32>>>(out:256?, 1) faults
//# case wrong: writes_neighbour<<<2, 32>>>(out:256?, 0) faults
//# fault race-shared: race: store of 4 bytes in shared memory of block (1,0,0) and load at [out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];] by thread (31,0,0) of block (1,0,0) in no order; at byte 0 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [in_block(tile, blockIdx.x ^ 1)[threadIdx.x] = (int)threadIdx.x;]; lanes=64
//# fault uninitialised-read: uninitialised read: load of 4 bytes from shared memory; at byte 124 of `tile` (128 bytes); block (1,0,0) thread (0,0,0); [out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];]; lanes=32

// Counts of all blocks in one of them.
extern "C" __global__ void __cluster_dims__(4, 1, 1) counts_in_first(int* out, int atomically) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  cluster_sync();
  int* theirs = in_block(bins, 0) + threadIdx.x % 8;
  if (atomically) atomicAdd(theirs, 1); else *theirs += 1;
  cluster_sync();
  if (blockIdx.x % 4 == 0 && threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
//# case right: counts_in_first<<<4, 64>>>(out:32?, 1) faults
//# case wrong: counts_in_first<<<4, 8>>>(out:32?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [if (atomically) atomicAdd(theirs, 1); else *theirs += 1;] by thread (0,0,0) of block (3,0,0) in no order; at byte 0 of `bins` (32 bytes); block (0,0,0) thread (0,0,0); [if (atomically) atomicAdd(theirs, 1); else *theirs += 1;]; lanes=48

// A block's own next turn does not wait for those who read the last one.
extern "C" __global__ void __cluster_dims__(2, 1, 1) turns(int* out, int together) {
  __shared__ int value;
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    if (threadIdx.x == 0) value = turn;
    cluster_sync();
    if (threadIdx.x == 0) sum += *in_block(&value, blockIdx.x ^ 1);
    if (together) cluster_sync(); else __syncthreads();
  }
  cluster_sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
//# case right: turns<<<2, 64>>>(out:8?, 1) faults
//# case wrong: turns<<<2, 64>>>(out:8?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory of block (1,0,0) and store at [if (threadIdx.x == 0) value = turn;] by thread (0,0,0) of block (1,0,0) in no order; at byte 0 of `value` (4 bytes); block (0,0,0) thread (0,0,0); [if (threadIdx.x == 0) sum += *in_block(&value, blockIdx.x ^ 1);]; lanes=4

extern "C" __global__ void __cluster_dims__(2, 1, 1) never_written(int* out) {
  __shared__ int tile[32];
  if (blockIdx.x == 0) tile[threadIdx.x] = 1;
  cluster_sync();
  const int seen = in_block(tile, blockIdx.x ^ 1)[threadIdx.x];
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = seen + tile[0] * 0;
}
//# case half: never_written<<<2, 32>>>(out:256?) faults
//# fault uninitialised-read: uninitialised read: load of 4 bytes from shared memory; at byte 0 of `tile` (128 bytes); block (0,0,0) thread (0,0,0); [const int seen = in_block(tile, blockIdx.x ^ 1)[threadIdx.x];]; lanes=32

// A block hands the other one data and arrives at its mbarrier: that one may read it, and may end.
extern "C" __global__ void __cluster_dims__(2, 1, 1) hands_over(int* out, int waits) {
  __shared__ int tile[32];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(&barrier)) : "memory");
  cluster_sync();
  if (blockIdx.x == 1) {
    in_block(tile, 0)[threadIdx.x] = (int)threadIdx.x;
    unsigned theirs;
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(theirs) : "r"(shared_address(&barrier)));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs) : "memory");
    return;
  }
  if (waits) wait_mbarrier(&barrier, 0);
  out[threadIdx.x] = waits ? tile[31 - threadIdx.x] : 0;
}
//# case waits: hands_over<<<2, 32>>>(out:128?, 1) faults
//# case does_not: hands_over<<<2, 32>>>(out:128?, 0) faults
//# fault race-shared: race: store of 4 bytes in shared memory of block (0,0,0) and the end of that block in no order; at byte 0 of `tile` (128 bytes); block (1,0,0) thread (0,0,0); [in_block(tile, 0)[threadIdx.x] = (int)threadIdx.x;]; lanes=32
//# fault race-shared: race: atomic operation of 8 bytes in shared memory of block (0,0,0) and the end of that block in no order; at byte 0 of `barrier` (8 bytes); block (1,0,0) thread (0,0,0); [asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs) : "memory");]; lanes=32

// A flag in the other block's shared memory.
extern "C" __global__ void __cluster_dims__(2, 1, 1) raises_flag(int* out, int fences) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  cluster_sync();
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      *in_block(&data, 0) = 7;
      if (fences) __threadfence();
      atomicExch(in_block(&flag, 0), 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {}
    if (fences) __threadfence();
    out[0] = data;
  }
  cluster_sync();
}
//# case fenced: raises_flag<<<2, 32>>>(out:4?, 1) faults
//# case bare: raises_flag<<<2, 32>>>(out:4?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and store at [*in_block(&data, 0) = 7;] by thread (0,0,0) of block (1,0,0) in no order; at byte 0 of `data` (4 bytes); block (0,0,0) thread (0,0,0); [out[0] = data;]; lanes=1

// ---- bulk copies ----------------------------------------------------------------------------------------

__device__ void store_in_bulk(int* to, const int* from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The source belongs to the copy until it has been read; `waits` 2: by the barrier of the others alone.
extern "C" __global__ void source_again(int* out, int waits) {
  __shared__ alignas(16) int tile[64];
  for (int turn = 0; turn < 2; ++turn) {
    tile[threadIdx.x] = turn;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store_in_bulk(out + turn * 64, tile, 256);
      if (waits == 1) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    if (waits) __syncthreads();
  }
}
//# case right: source_again<<<1, 64>>>(out:512?, 1) faults
//# case no_wait: source_again<<<1, 64>>>(out:512?, 2) faults
//# fault race-shared: race: store of 4 bytes in shared memory and asynchronous copy at [asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");] by thread (0,0,0) in no order; at byte 128 of `tile` (256 bytes); block (0,0,0) thread (32,0,0); [tile[threadIdx.x] = turn;]; lanes=64

// Two tiles, of which the last one may be on its way.
extern "C" __global__ void sources_in_turns(int* out, int tiles) {
  __shared__ alignas(16) int tile[2][64];
  for (int turn = 0; turn < 6; ++turn) {
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    tile[turn % tiles][threadIdx.x] = turn;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) store_in_bulk(out + turn * 64, tile[turn % tiles], 256);
  }
}
//# case right: sources_in_turns<<<1, 64>>>(out:1536?, 2) faults
//# case wrong: sources_in_turns<<<1, 64>>>(out:1536?, 1) faults
//# fault race-shared: race: store of 4 bytes in shared memory and asynchronous copy at [asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");] by thread (0,0,0) in no order; at byte 128 of `tile` (512 bytes); block (0,0,0) thread (32,0,0); [tile[turn % tiles][threadIdx.x] = turn;]; lanes=320

// The waiting thread tells the others by a barrier.
extern "C" __global__ void not_told(int* out) {
  __shared__ alignas(16) int tile[64];
  tile[threadIdx.x] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    store_in_bulk(out, tile, 256);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  tile[threadIdx.x] = 2;
}
//# case wrong: not_told<<<1, 64>>>(out:256?) faults
//# fault race-shared: race: store of 4 bytes in shared memory and load at [asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");] by thread (0,0,0) in no order; at byte 128 of `tile` (256 bytes); block (0,0,0) thread (32,0,0); [tile[threadIdx.x] = 2;]; lanes=63

// What is written is there behind wait_group, not behind wait_group.read.
extern "C" __global__ void reads_target(int* out, int* copy, int written) {
  __shared__ alignas(16) int tile[32];
  tile[threadIdx.x] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    store_in_bulk(out, tile, 128);
    if (written) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    else asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  copy[threadIdx.x] = out[31 - threadIdx.x];
}
//# case written: reads_target<<<1, 32>>>(out:128?, copy:128?, 1) faults
//# case read: reads_target<<<1, 32>>>(out:128?, copy:128?, 0) faults
//# fault race-global: race: load of 4 bytes and asynchronous copy at [asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");] by the same thread in no order; at byte 124 of `out` (128 bytes); block (0,0,0) thread (0,0,0); [copy[threadIdx.x] = out[31 - threadIdx.x];]; lanes=32

// The source of a load in global memory, overwritten by the thread that asked or by another one.
extern "C" __global__ void source_overwritten(int* x, int* out, int who, int waits) {
  __shared__ alignas(16) int tile[64];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(shared_address(&barrier)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(shared_address(tile)), "l"(x), "r"(shared_address(&barrier)) : "memory");
  }
  __syncthreads();
  if (waits) wait_mbarrier(&barrier, 0);
  if (threadIdx.x == who) x[threadIdx.x] = 3;
  if (!waits) wait_mbarrier(&barrier, 0);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
//# case right: source_overwritten<<<1, 64>>>(x:256, out:256?, 0, 1) faults
//# case right_other: source_overwritten<<<1, 64>>>(x:256, out:256?, 40, 1) faults
//# case same_thread: source_overwritten<<<1, 64>>>(x:256, out:256?, 0, 0) faults
//# fault race-global: race: store of 4 bytes and asynchronous copy at [asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(shared_address(tile)), "l"(x), "r"(shared_address(&barrier)) : "memory");] by the same thread in no order; at byte 0 of `x` (256 bytes); block (0,0,0) thread (0,0,0); [if (threadIdx.x == who) x[threadIdx.x] = 3;]; lanes=1
//# case other_thread: source_overwritten<<<1, 64>>>(x:256, out:256?, 40, 0) faults
//# fault race-global: race: store of 4 bytes and asynchronous copy at [asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(shared_address(tile)), "l"(x), "r"(shared_address(&barrier)) : "memory");] by thread (0,0,0) in no order; at byte 160 of `x` (256 bytes); block (0,0,0) thread (40,0,0); [if (threadIdx.x == who) x[threadIdx.x] = 3;]; lanes=1

// Both blocks arrive at one mbarrier, each thread without a word of its scope, as CUTLASS does it.
extern "C" __global__ void __cluster_dims__(2, 1, 1) both_arrive(int* out) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(shared_address(&barrier)) : "memory");
  cluster_sync();
  asm volatile("{ .reg .b32 theirs; mapa.shared::cluster.u32 theirs, %0, 0; mbarrier.arrive.shared::cluster.b64 _, [theirs]; }" ::"r"(shared_address(&barrier))
               : "memory");
  if (blockIdx.x == 0) wait_mbarrier(&barrier, 0);
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
//# case right: both_arrive<<<4, 32>>>(out:512?) faults

// A thread reads what it asked for itself: behind the mbarrier's wait, or too early.
extern "C" __global__ void own_async_copy(const int* x, int* out, int waits) {
  __shared__ int tile[64];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(shared_address(&barrier)) : "memory");
  __syncthreads();
  copy_async(tile + threadIdx.x, x + threadIdx.x);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
  if (waits == 1) wait_mbarrier(&barrier, 0);
  if (waits == 2) asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
//# case waits: own_async_copy<<<1, 64>>>(x:256, out:256?, 1) faults
//# case waits_for_copies: own_async_copy<<<1, 64>>>(x:256, out:256?, 2) faults
//# case does_not: own_async_copy<<<1, 64>>>(x:256, out:256?, 0) faults
//# fault race-shared: race: load of 4 bytes from shared memory and asynchronous copy at [copy_async(tile + threadIdx.x, x + threadIdx.x);] by the same thread in no order; at byte 0 of `tile` (256 bytes); block (0,0,0) thread (0,0,0); [out[threadIdx.x] = tile[threadIdx.x];]; lanes=64
