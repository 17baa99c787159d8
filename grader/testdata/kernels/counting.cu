// One small kernel per counting rule. The lines that start with //# are read by rules_test: a `case` line says how a
// kernel is launched, the lines behind it are everything that the simulator must report of it, no more and no less.
//
//   case NAME: KERNEL<<<grid, block, shared>>>(ARGUMENT, ...) FLAGS
//   shared    dynamic shared bytes; may be left out
//   ARGUMENT  x:256     a buffer of 256 zero bytes              x:256?    an undefined one
//             x:256@4   the pointer points 4 bytes into it      null      a null pointer
//             12        an int
//   FLAGS     lines     compare the table of source lines too   faults    compare nothing but faults
//
// Numbers were worked out by hand from the rules: sectors of 32 bytes, lines of 128, 32 banks of 4 bytes.

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// ---- Global memory: the width of an access --------------------------------------------------------------

template <class T>
__device__ void copy(const T* x, T* out, int n) {
  int i = THREAD;
  if (i < n) out[i] = x[i];
}

extern "C" __global__ void copy_float(const float* x, float* out, int n) { copy(x, out, n); }
//# case whole: copy_float<<<4, 256>>>(x:4096, out:4096?, 1024)
//# global load requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# global store requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# tensor x requested=4096/0 compulsory=4096/0
//# tensor out requested=0/4096 compulsory=0/4096
//
// N floats are 4N bytes also when N is odd; nothing behind the last element is touched.
//# case tail: copy_float<<<4, 256>>>(x:4000, out:4000?, 1000)
//# global load requests=32 sectors=125 lines=32 useful=4000 ideal=125 lanes=1000
//# global store requests=32 sectors=125 lines=32 useful=4000 ideal=125 lanes=1000
//# tensor x requested=4000/0 compulsory=4000/0
//# tensor out requested=0/4000 compulsory=0/4000
//
// A base of 4 bytes past a sector costs a fifth sector and a second line.
//# case shifted: copy_float<<<1, 32>>>(x:132@4, out:128?, 32)
//# global load requests=1 sectors=5 lines=2 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=160/0 compulsory=160/0
//# tensor out requested=0/128 compulsory=0/128
//
// A warp with no active lane makes no request.
//# case idle_warps: copy_float<<<1, 128>>>(x:4, out:4?, 1)
//# global load requests=1 sectors=1 lines=1 useful=4 ideal=1 lanes=1
//# global store requests=1 sectors=1 lines=1 useful=4 ideal=1 lanes=1
//# tensor x requested=32/0 compulsory=32/0
//# tensor out requested=0/32 compulsory=0/32
//
//# case no_elements: copy_float<<<1, 32>>>(x:4, out:4?, 0)

extern "C" __global__ void copy_char(const char* x, char* out, int n) { copy(x, out, n); }
//# case one_warp: copy_char<<<1, 32>>>(x:32, out:32?, 32)
//# global load requests=1 sectors=1 lines=1 useful=32 ideal=1 lanes=32
//# global store requests=1 sectors=1 lines=1 useful=32 ideal=1 lanes=32
//# tensor x requested=32/0 compulsory=32/0
//# tensor out requested=0/32 compulsory=0/32

extern "C" __global__ void copy_short(const short* x, short* out, int n) { copy(x, out, n); }
//# case one_warp: copy_short<<<1, 32>>>(x:64, out:64?, 32)
//# global load requests=1 sectors=2 lines=1 useful=64 ideal=2 lanes=32
//# global store requests=1 sectors=2 lines=1 useful=64 ideal=2 lanes=32
//# tensor x requested=64/0 compulsory=64/0
//# tensor out requested=0/64 compulsory=0/64

extern "C" __global__ void copy_double(const double* x, double* out, int n) { copy(x, out, n); }
//# case one_warp: copy_double<<<1, 32>>>(x:256, out:256?, 32)
//# global load requests=1 sectors=8 lines=2 useful=256 ideal=8 lanes=32
//# global store requests=1 sectors=8 lines=2 useful=256 ideal=8 lanes=32
//# tensor x requested=256/0 compulsory=256/0
//# tensor out requested=0/256 compulsory=0/256

extern "C" __global__ void copy_float4(const float4* x, float4* out, int n) { copy(x, out, n); }
//# case one_warp: copy_float4<<<1, 32>>>(x:512, out:512?, 32)
//# global load requests=1 sectors=16 lines=4 useful=512 ideal=16 lanes=32
//# global store requests=1 sectors=16 lines=4 useful=512 ideal=16 lanes=32
//# tensor x requested=512/0 compulsory=512/0
//# tensor out requested=0/512 compulsory=0/512

// ---- Global memory: the pattern of a warp ---------------------------------------------------------------

extern "C" __global__ void strided(const float* x, float* out, int stride) {
  out[THREAD] = x[THREAD * stride];
}
//# case broadcast: strided<<<1, 32>>>(x:4, out:128?, 0)
//# global load requests=1 sectors=1 lines=1 useful=4 ideal=1 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=32/0 compulsory=32/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case every_second: strided<<<1, 32>>>(x:252, out:128?, 2)
//# global load requests=1 sectors=8 lines=2 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=256/0 compulsory=256/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case every_fourth: strided<<<1, 32>>>(x:500, out:128?, 4)
//# global load requests=1 sectors=16 lines=4 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=512/0 compulsory=512/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case every_eighth: strided<<<1, 32>>>(x:996, out:128?, 8)
//# global load requests=1 sectors=32 lines=8 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=1024/0 compulsory=1024/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case column_of_1024: strided<<<1, 32>>>(x:126980, out:128?, 1024)
//# global load requests=1 sectors=32 lines=32 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=1024/0 compulsory=1024/0
//# tensor out requested=0/128 compulsory=0/128

extern "C" __global__ void permuted(const float* x, float* out, int twist) {
  out[THREAD] = x[THREAD ^ twist];
}
//# case within_the_warp: permuted<<<1, 32>>>(x:128, out:128?, 13)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128

extern "C" __global__ void some_lanes(const float* x, float* out, int mask) {
  if ((mask >> threadIdx.x) & 1) out[threadIdx.x] = x[threadIdx.x];
}
//# case low_half: some_lanes<<<1, 32>>>(x:128, out:128?, 65535)
//# global load requests=1 sectors=2 lines=1 useful=64 ideal=2 lanes=16
//# global store requests=1 sectors=2 lines=1 useful=64 ideal=2 lanes=16
//# tensor x requested=64/0 compulsory=64/0
//# tensor out requested=0/64 compulsory=0/64
//
//# case even_lanes: some_lanes<<<1, 32>>>(x:128, out:128?, 1431655765)
//# global load requests=1 sectors=4 lines=1 useful=64 ideal=2 lanes=16
//# global store requests=1 sectors=4 lines=1 useful=64 ideal=2 lanes=16
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128

// Two warps read the same 32 elements: requested twice, compulsory once.
extern "C" __global__ void read_again(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x % 32]; }
//# case two_warps: read_again<<<1, 64>>>(x:128, out:256?)
//# global load requests=2 sectors=8 lines=2 useful=256 ideal=8 lanes=64
//# global store requests=2 sectors=8 lines=2 useful=256 ideal=8 lanes=64
//# tensor x requested=256/0 compulsory=128/0
//# tensor out requested=0/256 compulsory=0/256

// One request may touch two buffers; each has its share.
extern "C" __global__ void from_two(const float* x, const float* y, float* out) {
  const float* from = threadIdx.x % 2 ? x : y;
  out[threadIdx.x] = from[threadIdx.x];
}
//# case odd_and_even: from_two<<<1, 32>>>(x:128, y:128, out:128?)
//# global load requests=1 sectors=8 lines=2 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=128/0 compulsory=128/0
//# tensor y requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128

// A buffer that is read and written is in both columns.
extern "C" __global__ void in_place(float* x) { x[threadIdx.x] = -x[threadIdx.x]; }
//# case one_warp: in_place<<<1, 32>>>(x:128)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# tensor x requested=128/128 compulsory=128/128

// ---- Atomics --------------------------------------------------------------------------------------------

extern "C" __global__ void count_up(int* bins, int n) { atomicAdd(&bins[threadIdx.x % n], 1); }
//# case one_bin: count_up<<<1, 32>>>(bins:4, 1)
//# global atomic requests=1 sectors=32 lanes=32 most=32
//# tensor bins requested=1024/1024 compulsory=32/32
//
//# case four_bins: count_up<<<1, 32>>>(bins:16, 4)
//# global atomic requests=1 sectors=8 lanes=32 most=8
//# tensor bins requested=256/256 compulsory=32/32
//
//# case a_bin_each: count_up<<<2, 64>>>(bins:256, 64)
//# global atomic requests=4 sectors=16 lanes=128 most=1
//# tensor bins requested=512/512 compulsory=256/256

extern "C" __global__ void swap_in(const int* x, int* out) {
  out[threadIdx.x] = atomicExch(&out[threadIdx.x + 32], x[threadIdx.x]);
}
//# case one_warp: swap_in<<<1, 32>>>(x:128, out:256)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global atomic requests=1 sectors=4 lanes=32 most=1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=128/256 compulsory=128/256

extern "C" __global__ void count_in_shared(int* out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
//# case two_warps: count_in_shared<<<1, 64>>>(out:16?)
//# global store requests=1 sectors=1 lines=1 useful=16 ideal=1 lanes=4
//# shared load requests=1 wavefronts=1 ideal=1 lanes=4
//# shared store requests=1 wavefronts=1 ideal=1 lanes=4
//# shared atomic requests=2 sectors=0 lanes=64 most=8
//# barriers 4
//# tensor out requested=0/32 compulsory=0/32

// ---- Shared memory: banks -------------------------------------------------------------------------------

/// Each thread writes and reads element t * stride; volatile, so that both happen as written.
template <class T>
__device__ void through_shared(const T* x, T* out, int stride) {
  extern __shared__ char bytes[];
  volatile T* tile = reinterpret_cast<volatile T*>(bytes);
  tile[threadIdx.x * stride] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * stride];
}

extern "C" __global__ void float_stride(const float* x, float* out, int stride) {
  through_shared(x, out, stride);
}
//# case unit: float_stride<<<1, 32, 128>>>(x:128, out:128?, 1)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# shared load requests=1 wavefronts=1 ideal=1 lanes=32
//# shared store requests=1 wavefronts=1 ideal=1 lanes=32
//# barriers 1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case every_second: float_stride<<<1, 32, 252>>>(x:128, out:128?, 2)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# shared load requests=1 wavefronts=2 ideal=1 lanes=32
//# shared store requests=1 wavefronts=2 ideal=1 lanes=32
//# barriers 1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case column_of_32: float_stride<<<1, 32, 4096>>>(x:128, out:128?, 32)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# shared load requests=1 wavefronts=32 ideal=1 lanes=32
//# shared store requests=1 wavefronts=32 ideal=1 lanes=32
//# barriers 1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128
//
//# case column_of_33: float_stride<<<1, 32, 4224>>>(x:128, out:128?, 33)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# shared load requests=1 wavefronts=1 ideal=1 lanes=32
//# shared store requests=1 wavefronts=1 ideal=1 lanes=32
//# barriers 1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128

extern "C" __global__ void double_stride(const double* x, double* out, int stride) {
  through_shared(x, out, stride);
}
//# case unit: double_stride<<<1, 32, 256>>>(x:256, out:256?, 1)
//# global load requests=1 sectors=8 lines=2 useful=256 ideal=8 lanes=32
//# global store requests=1 sectors=8 lines=2 useful=256 ideal=8 lanes=32
//# shared load requests=1 wavefronts=2 ideal=2 lanes=32
//# shared store requests=1 wavefronts=2 ideal=2 lanes=32
//# barriers 1
//# tensor x requested=256/0 compulsory=256/0
//# tensor out requested=0/256 compulsory=0/256

extern "C" __global__ void float4_tile(const float4* x, float4* out) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
//# case unit: float4_tile<<<1, 32>>>(x:512, out:512?)
//# global load requests=1 sectors=16 lines=4 useful=512 ideal=16 lanes=32
//# global store requests=1 sectors=16 lines=4 useful=512 ideal=16 lanes=32
//# shared load requests=1 wavefronts=4 ideal=4 lanes=32
//# shared store requests=1 wavefronts=4 ideal=4 lanes=32
//# barriers 1
//# tensor x requested=512/0 compulsory=512/0
//# tensor out requested=0/512 compulsory=0/512

// tile[32][32] is written by rows and read by columns; tile[32][33] is the cure.
template <int Pitch>
__device__ void transpose(const float* x, float* out) {
  __shared__ float tile[32][Pitch];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
extern "C" __global__ void transpose_32(const float* x, float* out) { transpose<32>(x, out); }
//# case square: transpose_32<<<1, 32x32>>>(x:4096, out:4096?)
//# global load requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# global store requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# shared load requests=32 wavefronts=1024 ideal=32 lanes=1024
//# shared store requests=32 wavefronts=32 ideal=32 lanes=1024
//# barriers 32
//# tensor x requested=4096/0 compulsory=4096/0
//# tensor out requested=0/4096 compulsory=0/4096

extern "C" __global__ void transpose_33(const float* x, float* out) { transpose<33>(x, out); }
//# case square: transpose_33<<<1, 32x32>>>(x:4096, out:4096?)
//# global load requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# global store requests=32 sectors=128 lines=32 useful=4096 ideal=128 lanes=1024
//# shared load requests=32 wavefronts=32 ideal=32 lanes=1024
//# shared store requests=32 wavefronts=32 ideal=32 lanes=1024
//# barriers 32
//# tensor x requested=4096/0 compulsory=4096/0
//# tensor out requested=0/4096 compulsory=0/4096

// ---- Local memory, arithmetic, barriers -----------------------------------------------------------------

extern "C" __global__ void through_local(const int* x, int* out) {
  volatile int mine[4];
  mine[threadIdx.x % 4] = x[threadIdx.x];
  out[threadIdx.x] = mine[threadIdx.x % 4];
}
//# case one_warp: through_local<<<1, 32>>>(x:128, out:128?)
//# global load requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# local load requests=1
//# local store requests=1
//# tensor x requested=128/0 compulsory=128/0
//# tensor out requested=0/128 compulsory=0/128

extern "C" __global__ void multiply_add(const float* x, float* out, int n) {
  int i = THREAD;
  if (i < n) out[i] = fmaf(x[i], x[i], 1.0f) / 3.0f;
}
//# case tail: multiply_add<<<1, 64>>>(x:160, out:160?, 40)
//# global load requests=2 sectors=5 lines=2 useful=160 ideal=5 lanes=40
//# global store requests=2 sectors=5 lines=2 useful=160 ideal=5 lanes=40
//# flops 120
//# tensor x requested=160/0 compulsory=160/0
//# tensor out requested=0/160 compulsory=0/160

extern "C" __global__ void three_barriers(float* out) {
  for (int turn = 0; turn < 3; ++turn) {
    __syncthreads();
    out[THREAD] = 1.0f;
  }
}
//# case five_warps: three_barriers<<<2, 160>>>(out:1280?)
//# global store requests=30 sectors=120 lines=30 useful=3840 ideal=120 lanes=960
//# barriers 30
//# tensor out requested=0/3840 compulsory=0/1280

// ---- Source lines ---------------------------------------------------------------------------------------

extern "C" __global__ void three_lines(const float* x, const float* y, float* out) {
  float a = x[threadIdx.x];
  float b = y[threadIdx.x * 8];
  out[threadIdx.x] = a < b ? a : b;
}
//# case shares: three_lines<<<1, 64>>>(x:256, y:2020, out:256?) lines
//# global load requests=4 sectors=72 lines=18 useful=512 ideal=16 lanes=128
//# global store requests=2 sectors=8 lines=2 useful=256 ideal=8 lanes=64
//# tensor x requested=256/0 compulsory=256/0
//# tensor y requested=2048/0 compulsory=2048/0
//# tensor out requested=0/256 compulsory=0/256
//# line [float a = x[threadIdx.x];] requests=2 sectors=8 ideal=8 lanes=64 conflicts=0
//# line [float b = y[threadIdx.x * 8];] requests=2 sectors=64 ideal=8 lanes=64 conflicts=0
//# line [out[threadIdx.x] = a < b ? a : b;] requests=2 sectors=8 ideal=8 lanes=64 conflicts=0

extern "C" __global__ void conflict_line(float* out) {
  __shared__ volatile float tile[32 * 32];
  tile[threadIdx.x * 16] = 1.0f;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x * 16];
}
//# case sixteen_apart: conflict_line<<<1, 32>>>(out:128?) lines
//# global store requests=1 sectors=4 lines=1 useful=128 ideal=4 lanes=32
//# shared load requests=1 wavefronts=16 ideal=1 lanes=32
//# shared store requests=1 wavefronts=16 ideal=1 lanes=32
//# tensor out requested=0/128 compulsory=0/128
//# line [tile[threadIdx.x * 16] = 1.0f;] requests=0 sectors=0 ideal=0 lanes=0 conflicts=15
//# line [out[threadIdx.x] = tile[threadIdx.x * 16];] requests=1 sectors=4 ideal=4 lanes=32 conflicts=15
