// What this machine's GPU makes of PTX's approximate instructions.
//   approximations tables FROM TO   the operands of each table in FROM, asked again; the tables with the
//   answers to TO approximations sweep TO         results at every n-th float of the intervals that fit.py
//   looks at, 4 bytes each

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = unsigned long long;

#define UNARY(NAME, TEXT, T, C)                        \
  struct NAME {                                        \
    using Word = T;                                    \
    static constexpr const char* kText = TEXT;         \
    static constexpr int kOperands = 1;                \
    __device__ static T of(T a, T) {                   \
      T d;                                             \
      asm volatile(TEXT " %0, %1;" : "=" C(d) : C(a)); \
      return d;                                        \
    }                                                  \
  };
#define BINARY(NAME, TEXT)                                          \
  struct NAME {                                                     \
    using Word = u32;                                               \
    static constexpr const char* kText = TEXT;                      \
    static constexpr int kOperands = 2;                             \
    __device__ static u32 of(u32 a, u32 b) {                        \
      u32 d;                                                        \
      asm volatile(TEXT " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
      return d;                                                     \
    }                                                               \
  };
#define SINGLE(NAME, TEXT) UNARY(NAME, TEXT ".f32", u32, "r") UNARY(NAME##Ftz, TEXT ".ftz.f32", u32, "r")
SINGLE(Rcp, "rcp.approx")
SINGLE(Rsqrt, "rsqrt.approx")
SINGLE(Sqrt, "sqrt.approx")
SINGLE(Lg2, "lg2.approx")
SINGLE(Ex2, "ex2.approx")
SINGLE(Sin, "sin.approx")
SINGLE(Cos, "cos.approx")
UNARY(Tanh, "tanh.approx.f32", u32, "r")
UNARY(TanhF16, "tanh.approx.f16", u16, "h")
UNARY(TanhF16x2, "tanh.approx.f16x2", u32, "r")
UNARY(TanhBf16, "tanh.approx.bf16", u16, "h")
UNARY(TanhBf16x2, "tanh.approx.bf16x2", u32, "r")
UNARY(Ex2F16, "ex2.approx.f16", u16, "h")
UNARY(Ex2F16x2, "ex2.approx.f16x2", u32, "r")
UNARY(Ex2Bf16, "ex2.approx.ftz.bf16", u16, "h")
UNARY(Ex2Bf16x2, "ex2.approx.ftz.bf16x2", u32, "r")
UNARY(RcpF64, "rcp.approx.ftz.f64", u64, "l")
UNARY(RsqrtF64, "rsqrt.approx.f64", u64, "l")
UNARY(RsqrtF64Ftz, "rsqrt.approx.ftz.f64", u64, "l")
BINARY(DivApprox, "div.approx.f32")
BINARY(DivApproxFtz, "div.approx.ftz.f32")
BINARY(DivFull, "div.full.f32")
BINARY(DivFullFtz, "div.full.ftz.f32")

template <class Op, class T>
__global__ void evaluate(const T* a, const T* b, T* d, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    d[i] = Op::of(a[i], b[i]);
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}
void demand(cudaError_t status) {
  if (status != cudaSuccess) give_up(cudaGetErrorString(status));
}
std::FILE* open(const std::string& path, const char* mode) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (!file) give_up("cannot open " + path);
  return file;
}

template <class Op, class T = typename Op::Word>
std::vector<T> results(const std::vector<T>& a, const std::vector<T>& b) {
  std::size_t bytes = a.size() * sizeof(T);
  T *da, *db, *dd;
  for (T** p : {&da, &db, &dd}) demand(cudaMalloc(p, bytes));
  demand(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  demand(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  evaluate<Op><<<256, 256>>>(da, db, dd, static_cast<int>(a.size()));
  std::vector<T> d(a.size());
  demand(cudaMemcpy(d.data(), dd, bytes, cudaMemcpyDeviceToHost));
  for (T* p : {da, db, dd}) demand(cudaFree(p));
  return d;
}

template <class Op>
void table(const std::string& from, const std::string& to) {
  using T = typename Op::Word;
  std::vector<T> a, b;
  std::FILE* in = open(from + "/" + Op::kText + ".csv", "r");
  for (u64 x, y, z; std::fscanf(in, Op::kOperands == 2 ? "%llx,%llx,%llx" : "%llx,%llx", &x, &y, &z) > 1;)
    a.push_back(static_cast<T>(x)), b.push_back(static_cast<T>(y));
  std::fclose(in);
  std::vector<T> d = results<Op>(a, b);
  std::FILE* out = open(to + "/" + Op::kText + ".csv", "w");
  const int digits = 2 * sizeof(T);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::fprintf(out, "%0*llx,", digits, static_cast<u64>(a[i]));
    if (Op::kOperands == 2) std::fprintf(out, "%0*llx,", digits, static_cast<u64>(b[i]));
    std::fprintf(out, "%0*llx\n", digits, static_cast<u64>(d[i]));
  }
  std::fclose(out);
}
template <class... Op>
void tables(const std::string& from, const std::string& to) {
  (table<Op>(from, to), ...);
}

template <class Op>
void sweep(const std::string& to, u32 first, u32 count, u32 stride) {
  std::vector<u32> a(count);
  for (u32 i = 0; i < count; ++i) a[i] = first + i * stride;
  std::vector<u32> d = results<Op>(a, a);
  std::FILE* out = open(to + "/" + Op::kText, "wb");
  if (std::fwrite(d.data(), 4, d.size(), out) != d.size()) give_up("cannot write to " + to);
  std::fclose(out);
}

int main(int argc, char** argv) {
  if (argc == 4 && !std::strcmp(argv[1], "tables")) {
    tables<Rcp, RcpFtz, Rsqrt, RsqrtFtz, Sqrt, SqrtFtz, Lg2, Lg2Ftz, Ex2, Ex2Ftz, Sin, SinFtz, Cos, CosFtz,
           Tanh, TanhF16, TanhF16x2, TanhBf16, TanhBf16x2, Ex2F16, Ex2F16x2, Ex2Bf16, Ex2Bf16x2, RcpF64,
           RsqrtF64, RsqrtF64Ftz, DivApprox, DivApproxFtz, DivFull, DivFullFtz>(argv[2], argv[3]);
  } else if (argc == 3 && !std::strcmp(argv[1], "sweep")) {
    constexpr u32 kOctave = 1 << 23;
    sweep<RcpFtz>(argv[2], 0x3f800000, kOctave, 1);
    sweep<RsqrtFtz>(argv[2], 0x3f800000, kOctave, 2);
    sweep<SqrtFtz>(argv[2], 0x3f800000, kOctave / 4, 8);
    sweep<Lg2Ftz>(argv[2], 0x3f800000, kOctave / 2, 2);
    sweep<Ex2Ftz>(argv[2], 0x3f800000, kOctave, 1);
    sweep<SinFtz>(argv[2], 0x3d000000, 6 * kOctave / 8, 8);
    sweep<CosFtz>(argv[2], 0x3d000000, 6 * kOctave / 16, 16);
    sweep<Tanh>(argv[2], 0x3b800000, 11 * kOctave / 32, 32);
  } else {
    std::fprintf(stderr, "approximations tables FROM TO | sweep TO\n");
    return 2;
  }
}
