// cuBLAS's and cuBLASLt's matrix products against plain loops: all transposes, alpha and beta, leading dimensions larger than the
// matrices, batches, types, pointer modes, epilogues. The numbers are small and whole, so that every order of a sum gives the same.
// What is declared here is all that it needs of the libraries' headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
int cublasCreate_v2(void** handle);
int cublasDestroy_v2(void* handle);
int cublasSetStream_v2(void* handle, cudaStream_t stream);
int cublasSetPointerMode_v2(void* handle, int mode);
int cublasSetMathMode(void* handle, int mode);
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
int cublasSgemv_v2(void*, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
int cublasSgemmStridedBatched(void*, int, int, int, int, int, const float*, const float*, int, long long, const float*, int, long long,
                              const float*, float*, int, long long, int);
int cublasSgemmBatched(void*, int, int, int, int, int, const float*, const float* const*, int, const float* const*, int, const float*,
                       float* const*, int, int);
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*, void*, int, int,
                 int, int);
int cublasGemmStridedBatchedEx(void*, int, int, int, int, int, const void*, const void*, int, int, long long, const void*, int, int,
                               long long, const void*, void*, int, int, long long, int, int, int);
int cublasDgemm_v2(void*, int, int, int, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
int cublasLtCreate(void** handle);
int cublasLtMatmulDescCreate(void** description, int compute, int scale);
int cublasLtMatmulDescSetAttribute(void* description, int attribute, const void* value, size_t bytes);
int cublasLtMatmulDescDestroy(void* description);
int cublasLtMatrixLayoutCreate(void** layout, int type, uint64_t rows, uint64_t columns, int64_t leading);
int cublasLtMatrixLayoutDestroy(void* layout);
int cublasLtMatmulDescInit_internal(void* description, size_t bytes, int compute, int scale);
int cublasLtMatrixLayoutInit_internal(void* layout, size_t bytes, int type, uint64_t rows, uint64_t columns, int64_t leading);
int cublasLtMatmulPreferenceInit_internal(void* preference, size_t bytes);
int cublasLtMatmulPreferenceCreate(void** preference);
int cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* value, size_t bytes);
int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int, void*, int*);
int cublasLtMatmul(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*, void*, void*,
                   const void*, void*, size_t, cudaStream_t);
}

constexpr int kF32 = 0, kF16 = 2, kBf16 = 14, kSums = 68;

float rounded(float v, int type) {
  if (type == kF16) return __half2float(__float2half(v));
  return type == kBf16 ? __bfloat162float(__float2bfloat16(v)) : v;
}

/// `count` numbers on the device, in a type.
struct Numbers {
  Numbers(int count, int type, int seed) : type(type), host(count) {
    for (int i = 0; i < count; ++i) host[i] = (i * 7 + seed * 5 + i / 3) % 7 - 3;
    cudaMallocManaged(&device, count * 4);
    for (int i = 0; i < count; ++i)
      if (type == kF32) ((float*)device)[i] = host[i];
      else if (type == kF16) ((__half*)device)[i] = __float2half(host[i]);
      else ((__nv_bfloat16*)device)[i] = __float2bfloat16(host[i]);
  }
  float at(int i) const {
    if (type == kF32) return ((float*)device)[i];
    return type == kF16 ? __half2float(((__half*)device)[i]) : __bfloat162float(((__nv_bfloat16*)device)[i]);
  }
  int type;
  std::vector<float> host;
  void* device = nullptr;
};

struct Product {
  int ta, tb, m, n, k, lda, ldb, ldc;
  float alpha, beta;
  float sum(const Numbers& a, const Numbers& b, int row, int column, int a0 = 0, int b0 = 0) const {
    float sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a.host[a0 + (ta ? i + row * lda : row + i * lda)] * b.host[b0 + (tb ? column + i * ldb : i + column * ldb)];
    return sum;
  }
};

int wrong = 0;
void check(const char* what, const Product& p, const Numbers& a, const Numbers& b, const Numbers& c, int a0 = 0, int b0 = 0, int c0 = 0) {
  for (int column = 0; column < p.n; ++column)
    for (int row = 0; row < p.ldc; ++row) {
      const int i = c0 + row + column * p.ldc;
      if (i >= (int)c.host.size()) break;
      const float want =
          row < p.m ? rounded(p.alpha * p.sum(a, b, row, column, a0, b0) + (p.beta ? p.beta * c.host[i] : 0), c.type) : c.host[i];
      if (c.at(i) != want && wrong++ < 10) std::printf("%s: %g, not %g\n", what, c.at(i), want);
    }
}
void expect(const char* what, int status, int wanted = 0) {
  if (status != wanted && wrong++ < 10) std::printf("%s: status %d\n", what, status);
}

int main() {
  void* handle;
  expect("create", cublasCreate_v2(&handle));
  expect("stream", cublasSetStream_v2(handle, nullptr));
  expect("math", cublasSetMathMode(handle, 0));
  {
    float alpha = 1, beta = 0;
    Numbers one(1, kF32, 1);
    if (cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &alpha, (float*)one.device, 1, (float*)one.device, 1, &beta, (float*)one.device, 1))
      return std::puts("no BLAS"), 0;
  }
  for (int ta = 0; ta < 3; ++ta)
    for (int tb = 0; tb < 3; ++tb)
      for (const float beta : {0.0f, 0.5f}) {
        Product p{ta, tb, 5, 4, 3, 7, 8, 9, 2, beta};
        Numbers a(7 * 5, kF32, 1), b(8 * 4, kF32, 2), c(9 * 4, kF32, 3);
        if (beta == 0) ((float*)c.device)[0] = NAN;  // is not read
        expect("sgemm", cublasSgemm_v2(handle, ta, tb, 5, 4, 3, &p.alpha, (float*)a.device, 7, (float*)b.device, 8, &p.beta,
                                       (float*)c.device, 9));
        check("sgemm", p, a, b, c);
      }
  {  // alpha and beta on the device
    Product p{0, 0, 5, 4, 3, 5, 3, 5, 0, 0};
    Numbers a(15, kF32, 1), b(12, kF32, 2), c(20, kF32, 3), scalars(2, kF32, 4);
    p.alpha = scalars.host[0], p.beta = scalars.host[1];
    float* where = (float*)scalars.device;
    cublasSetPointerMode_v2(handle, 1);
    expect("device scalars", cublasSgemm_v2(handle, 0, 0, 5, 4, 3, where, (float*)a.device, 5, (float*)b.device, 3, where + 1,
                                            (float*)c.device, 5));
    cublasSetPointerMode_v2(handle, 0);
    check("device scalars", p, a, b, c);
  }
  for (int op = 0; op < 2; ++op) {  // y = op(A) x, with steps
    Numbers a(6 * 4, kF32, 1), x(5 * 2, kF32, 2), y(5 * 3, kF32, 3);
    const int m = 5, n = 4;
    float alpha = 2, beta = 3;
    expect("sgemv", cublasSgemv_v2(handle, op, m, n, &alpha, (float*)a.device, 6, (float*)x.device, 2, &beta, (float*)y.device, 3));
    for (int i = 0; i < (op ? n : m); ++i) {
      float sum = 0;
      for (int k = 0; k < (op ? m : n); ++k) sum += a.host[op ? k + i * 6 : i + k * 6] * x.host[k * 2];
      if (y.at(i * 3) != 2 * sum + 3 * y.host[i * 3] && wrong++ < 10) std::printf("sgemv: %g\n", y.at(i * 3));
    }
  }
  {  // batches, by stride and by pointers
    Product p{1, 0, 4, 3, 5, 5, 5, 4, 1, 2};
    Numbers a(20 * 3, kF32, 1), b(15 * 3, kF32, 2), c(12 * 3, kF32, 3), d(12 * 3, kF32, 3);
    expect("strided", cublasSgemmStridedBatched(handle, 1, 0, 4, 3, 5, &p.alpha, (float*)a.device, 5, 20, (float*)b.device, 5, 15, &p.beta,
                                                (float*)c.device, 4, 12, 3));
    float** lists;
    cudaMallocManaged(&lists, 9 * sizeof(float*));
    for (int i = 0; i < 3; ++i)
      lists[i] = (float*)a.device + 20 * i, lists[3 + i] = (float*)b.device + 15 * i, lists[6 + i] = (float*)d.device + 12 * i;
    expect("batched", cublasSgemmBatched(handle, 1, 0, 4, 3, 5, &p.alpha, lists, 5, lists + 3, 5, &p.beta, lists + 6, 4, 3));
    for (int i = 0; i < 3; ++i) {
      check("strided", p, a, b, c, 20 * i, 15 * i, 12 * i);
      check("batched", p, a, b, d, 20 * i, 15 * i, 12 * i);
    }
  }
  for (int type : {kF16, kBf16})
    for (int result : {type, kF32}) {
      Product p{0, 1, 6, 5, 40, 6, 5, 6, 1, 1};
      Numbers a(240 * 2, type, 1), b(200 * 2, type, 2), c(30 * 2, result, 3), d(30 * 2, result, 4);
      expect("ex", cublasGemmEx(handle, 0, 1, 6, 5, 40, &p.alpha, a.device, type, 6, b.device, type, 5, &p.beta, c.device, result, 6, kSums,
                                -1));
      check("ex", p, a, b, c);
      expect("strided ex", cublasGemmStridedBatchedEx(handle, 0, 1, 6, 5, 40, &p.alpha, a.device, type, 6, 240, b.device, type, 5, 200,
                                                      &p.beta, d.device, result, 6, 30, 2, kSums, -1));
      for (int i = 0; i < 2; ++i) check("strided ex", p, a, b, d, 240 * i, 200 * i, 30 * i);
    }
  // cuBLASLt: D = epilogue(A^T B), as a linear layer has it.
  void *lt, *preference;
  expect("lt", cublasLtCreate(&lt));
  expect("preference", cublasLtMatmulPreferenceCreate(&preference));
  size_t workspace = 1 << 20;
  expect("workspace", cublasLtMatmulPreferenceSetAttribute(preference, 1, &workspace, sizeof workspace));
  // Such objects may lie in the program's own memory.
  struct Own {
    uint64_t description[32], layouts[3][8], preference[8];
  } own;
  expect("own preference", cublasLtMatmulPreferenceInit_internal(own.preference, sizeof own.preference));
  expect("own workspace", cublasLtMatmulPreferenceSetAttribute(own.preference, 1, &workspace, sizeof workspace));
  {
    Product p{1, 0, 6, 5, 8, 8, 8, 6, 1, 0};
    Numbers a(48, kF32, 1), b(40, kF32, 2), d(30, kF32, 3);
    expect("own description", cublasLtMatmulDescInit_internal(own.description, sizeof own.description, kSums, kF32));
    int transposed = 1;
    expect("own attribute", cublasLtMatmulDescSetAttribute(own.description, 3, &transposed, sizeof transposed));
    const int sizes[3][2] = {{8, 6}, {8, 5}, {6, 5}};
    for (int i = 0; i < 3; ++i)
      expect("own layout", cublasLtMatrixLayoutInit_internal(own.layouts[i], sizeof own.layouts[i], kF32, sizes[i][0], sizes[i][1],
                                                             sizes[i][0]));
    expect("own matmul", cublasLtMatmul(lt, own.description, &p.alpha, a.device, own.layouts[0], b.device, own.layouts[1], &p.beta,
                                        d.device, own.layouts[2], d.device, own.layouts[2], nullptr, nullptr, 0, nullptr));
    check("own", p, a, b, d);
  }
  for (int type : {kF32, kF16, kBf16})
    for (int epilogue : {1, 2, 4, 6, 32, 36, 164}) {
      Product p{1, 0, 6, 5, 8, 8, 8, 6, 1, 0};
      Numbers a(48, type, 1), b(40, type, 2), d(30, type, 3), bias(6, type, 4), before(35, type, 5);
      void *description, *layouts[3];
      expect("description", cublasLtMatmulDescCreate(&description, kSums, kF32));
      const auto set = [&](int attribute, auto value) {
        expect("attribute", cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value));
      };
      set(3, 1), set(4, 0), set(7, epilogue), set(8, bias.device);
      if (epilogue & 128) set(11, before.device), set(12, int64_t{7});
      expect("layout", cublasLtMatrixLayoutCreate(&layouts[0], type, 8, 6, 8));
      expect("layout", cublasLtMatrixLayoutCreate(&layouts[1], type, 8, 5, 8));
      expect("layout", cublasLtMatrixLayoutCreate(&layouts[2], type, 6, 5, 6));
      char heuristic[96];
      int found = 0;
      expect("heuristic", cublasLtMatmulAlgoGetHeuristic(lt, description, layouts[0], layouts[1], layouts[2], layouts[2], preference, 1,
                                                         heuristic, &found));
      expect("found", found, 1);
      expect("matmul", cublasLtMatmul(lt, description, &p.alpha, a.device, layouts[0], b.device, layouts[1], &p.beta, d.device, layouts[2],
                                      d.device, layouts[2], heuristic, nullptr, 0, nullptr));
      for (int column = 0; column < 5; ++column)
        for (int row = 0; row < 6; ++row) {
          float v = p.sum(a, b, row, column) + (epilogue & 4 ? bias.host[row] : 0);
          if ((epilogue & 128) && before.at(row + 7 * column) != rounded(v, type) && wrong++ < 10) std::puts("not kept");
          if (epilogue & 2) v = v > 0 ? v : 0;
          if (epilogue & 32) v = 0.5f * v * (1 + std::tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
          const float got = d.at(row + 6 * column);
          if (std::fabs(got - v) > (type == kF32 ? 1e-6f : 1e-2f) * (1 + std::fabs(v)) && wrong++ < 10)
            std::printf("type %d epilogue %d: %g, not %g\n", type, epilogue, got, v);
        }
      for (void* layout : layouts) cublasLtMatrixLayoutDestroy(layout);
      cublasLtMatmulDescDestroy(description);
    }
  std::printf("wrong: %d\n", wrong);
  std::fflush(stdout);
  // What is refused says why: a leading dimension too small, a matrix too small, a scalar of the wrong place, a type not computed.
  Numbers small(16, kF32, 1);
  float one = 1, *x = (float*)small.device, *y;
  cudaMalloc(&y, 64);
  expect("leading", cublasSgemm_v2(handle, 0, 0, 4, 4, 4, &one, x, 3, x, 4, &one, x, 4), 7);
  expect("reach", cublasSgemm_v2(handle, 0, 0, 4, 4, 5, &one, x, 4, x, 5, &one, y, 4), 13);
  expect("scalar", cublasSgemm_v2(handle, 0, 0, 4, 4, 4, y, x, 4, x, 4, &one, y, 4), 7);
  expect("int8", cublasGemmEx(handle, 0, 0, 4, 4, 4, &one, x, 3, 4, x, 3, 4, &one, x, 3, 4, kSums, -1), 15);
  double alpha = 1;
  expect("double", cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &alpha, (double*)x, 1, (double*)x, 1, &alpha, (double*)x, 1), 15);
  expect("destroy", cublasDestroy_v2(handle));
  expect("destroyed", cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &one, x, 1, x, 1, &one, x, 1), 1);
  std::printf("wrong statuses: %d\n", wrong);
}
