#include "grader/simulator/runtime/cuda/cublas.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace fusebox::sim::runtime::cublas {
namespace {

struct Handle {
  void* stream = nullptr;
  int pointer_mode = 0, math_mode = 0;
};

std::map<const void*, std::unique_ptr<Handle>>& handles() {
  static auto* all = new std::map<const void*, std::unique_ptr<Handle>>;  // outlives exit handlers
  return *all;
}

/// cublasOperation_t; of real numbers, the conjugate transpose is the transpose.
bool is_operation(int op) { return op >= 0 && op <= 2; }

/// `stride`: elements from one batch to the next.
struct Side {
  const void* data;
  int type, leading;
  std::int64_t stride;
};

struct Call {
  const char* function;
  void* handle;
  int a_op, b_op, m, n, k;
  const void *alpha, *beta;
  Side a, b, c;
  int batches = 1;
  int compute_type = 68;  ///< CUBLAS_COMPUTE_32F
};

Matrix matrix_of(const Side& side) {
  return {static_cast<std::byte*>(const_cast<void*>(side.data)), static_cast<Number>(side.type),
          side.leading};
}

/// Of a product's matrices, not of where they lie; null: nothing is wrong.
const char* wrong_shape(const Call& call) {
  if (!is_operation(call.a_op) || !is_operation(call.b_op)) return "an operation is none of N, T and C";
  if (call.m < 0 || call.n < 0 || call.k < 0 || call.batches < 0) return "a size is negative";
  const int rows[] = {call.a_op == 0 ? call.m : call.k, call.b_op == 0 ? call.k : call.n, call.m};
  const Side* sides[] = {&call.a, &call.b, &call.c};
  for (int i = 0; i < 3; ++i)
    if (sides[i]->leading < std::max(rows[i], 1))
      return "a leading dimension is smaller than its matrix has rows";
  return nullptr;
}

/// Where the matrices of a batch lie, when they are not one stride apart; in device memory.
struct Lists {
  const void* const* a;
  const void* const* b;
  void* const* c;
};

int run(Runtime& state, const Call& call, const Lists* lists = nullptr) {
  const auto handle = handles().find(call.handle);
  if (handle == handles().end())
    return refuse(state, call.function, "its handle is none of cublasCreate's", kNotInitialized);
  if (const char* wrong = wrong_shape(call)) return refuse(state, call.function, wrong, kInvalidValue);
  for (const Side* side : {&call.a, &call.b, &call.c})
    if (!is_number(side->type))
      return refuse(state, call.function, "only matrices of fp32, fp16 and bf16 are multiplied here");
  if (!sums_in_f32(call.compute_type))
    return refuse(state, call.function,
                  "only sums in fp32 are computed here (CUBLAS_COMPUTE_32F and its fast kin)");
  const bool on_device = handle->second->pointer_mode == 1;
  const auto alpha = scalar(state, call.alpha, on_device), beta = scalar(state, call.beta, on_device);
  if (!alpha || !beta)
    return refuse(state, call.function, "alpha or beta is not where cublasSetPointerMode says",
                  kInvalidValue);
  Batch batch;
  batch.count = call.batches;
  batch.a_stride = call.a.stride;
  batch.b_stride = call.b.stride;
  batch.c_stride = batch.d_stride = call.c.stride;
  MatrixProduct& product = batch.first;
  product.m = call.m;
  product.n = call.n;
  product.k = call.k;
  product.a_transposed = call.a_op != 0;
  product.b_transposed = call.b_op != 0;
  product.a = matrix_of(call.a);
  product.b = matrix_of(call.b);
  product.c = product.d = matrix_of(call.c);
  product.alpha = *alpha;
  product.beta = *beta;
  std::vector<MatrixProduct> products = products_of(batch);
  if (lists != nullptr) {
    for (const void* list : {static_cast<const void*>(lists->a), static_cast<const void*>(lists->b),
                             static_cast<const void*>(lists->c)})
      if (!state.session.memory().live(address_of(list),
                                       static_cast<std::uint64_t>(call.batches) * sizeof(void*)))
        return refuse(state, call.function, "the list of its matrices is not in device memory",
                      kExecutionFailed);
    for (std::size_t i = 0; i < products.size(); ++i) {
      products[i].a.data = static_cast<std::byte*>(const_cast<void*>(lists->a[i]));
      products[i].b.data = static_cast<std::byte*>(const_cast<void*>(lists->b[i]));
      products[i].c.data = products[i].d.data = static_cast<std::byte*>(lists->c[i]);
    }
  }
  return multiply(state, call.function, handle->second->stream, products);
}

/// Bytes from the first element to the last of a matrix; 0: it has none.
std::uint64_t extent(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  if (rows == 0 || columns == 0) return 0;
  return static_cast<std::uint64_t>((columns - 1) * matrix.leading + rows) * bytes_of(matrix.type);
}

/// "A", and what is wrong with where it lies; empty: nothing.
std::string misplaced(Runtime& state, const char* name, const Matrix& matrix, std::uint64_t bytes) {
  const DeviceAddress address = address_of(matrix.data);
  if (bytes == 0 || state.session.memory().live(address, bytes)) return "";
  DeviceAddress begin = 0;
  const DeviceMemory::Block* block = state.memory.find(address, &begin);
  if (block == nullptr) return std::string(name) + " is not in device memory";
  return std::string(name) + " reaches " + std::to_string(address + bytes - begin - block->bytes) +
         " bytes past the end of its allocation of " + std::to_string(block->bytes) +
         " bytes; compare its size and its leading dimension with what was allocated";
}

std::string misplaced(Runtime& state, const MatrixProduct& p) {
  const std::int64_t a_rows = p.a_transposed ? p.k : p.m, b_rows = p.b_transposed ? p.n : p.k;
  std::string wrong = misplaced(state, "A", p.a, extent(p.a, a_rows, p.m + p.k - a_rows));
  if (wrong.empty()) wrong = misplaced(state, "B", p.b, extent(p.b, b_rows, p.n + p.k - b_rows));
  if (wrong.empty() && p.beta != 0) wrong = misplaced(state, "C", p.c, extent(p.c, p.m, p.n));
  if (wrong.empty()) wrong = misplaced(state, "the result", p.d, extent(p.d, p.m, p.n));
  const Epilogue& epilogue = p.epilogue;
  if (wrong.empty() && epilogue.bias != nullptr)
    wrong = misplaced(state, "the bias", {const_cast<std::byte*>(epilogue.bias), epilogue.bias_type, 0},
                      static_cast<std::uint64_t>(p.m) * bytes_of(epilogue.bias_type));
  if (wrong.empty() && epilogue.before.data != nullptr)
    wrong = misplaced(state, "what the epilogue keeps", epilogue.before, extent(epilogue.before, p.m, p.n));
  return wrong;
}

/// What was stored there is defined now.
void define(Runtime& state, const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t column = 0; matrix.data != nullptr && rows > 0 && column < columns; ++column)
    state.session.memory().define(address_of(matrix.at(0, column)),
                                  static_cast<std::uint64_t>(rows) * bytes_of(matrix.type));
}

}  // namespace

bool sums_in_f32(int compute_type) {
  constexpr int kFirst = 68, kPedantic = 69, kFastHalf = 74, kFastBf16 = 75, kFastTf32 = 77;
  for (const int known : {kFirst, kPedantic, kFastHalf, kFastBf16, kFastTf32})
    if (compute_type == known) return true;
  return compute_type == 0;  // as before CUDA 11: CUDA_R_32F
}

std::optional<float> scalar(Runtime& state, const void* at, bool on_device) {
  const bool device = state.memory.is_device(address_of(at));
  if (at == nullptr || (on_device && !state.session.memory().live(address_of(at), sizeof(float))))
    return std::nullopt;
  if (!on_device && device && !state.is_managed(address_of(at))) return std::nullopt;
  return read_number(at, Number::f32);
}

std::vector<MatrixProduct> products_of(const Batch& batch) {
  std::vector<MatrixProduct> products(static_cast<std::size_t>(batch.count), batch.first);
  for (std::int64_t i = 0; i < batch.count; ++i) {
    MatrixProduct& product = products[static_cast<std::size_t>(i)];
    const auto step = [i](Matrix& matrix, std::int64_t stride) {
      if (matrix.data != nullptr)
        matrix.data += i * stride * static_cast<std::int64_t>(bytes_of(matrix.type));
    };
    step(product.a, batch.a_stride);
    step(product.b, batch.b_stride);
    step(product.c, batch.c_stride);
    step(product.d, batch.d_stride);
    step(product.epilogue.before, batch.before_stride);
    if (product.epilogue.bias != nullptr)
      product.epilogue.bias +=
          i * batch.bias_stride * static_cast<std::int64_t>(bytes_of(product.epilogue.bias_type));
  }
  return products;
}

int refuse(Runtime& state, const char* function, const std::string& why, int status) {
  state.note_problem(std::string(function) + ": " + why);
  return status;
}

int multiply(Runtime& state, const char* function, void* stream, std::span<const MatrixProduct> products) {
  if (state.captures.contains(stream))
    return refuse(state, function, "a library's call cannot be captured into a graph here");
  for (const MatrixProduct& product : products) {
    if (const std::string wrong = misplaced(state, product); !wrong.empty())
      return refuse(state, function, wrong, kExecutionFailed);
    if (const std::string why = compute(product); !why.empty()) return refuse(state, function, why);
    define(state, product.d, product.m, product.n);
    define(state, product.epilogue.before, product.m, product.n);
  }
  state.seconds += state.gpu().launch_overhead_s;
  state.journal.library_call(function);
  return kSuccess;
}

}  // namespace fusebox::sim::runtime::cublas

using namespace fusebox::sim::runtime;
using namespace fusebox::sim::runtime::cublas;
using fusebox::sim::Number;

namespace {

constexpr int kF32 = static_cast<int>(Number::f32);

template <class Body>
int with_handle(void* handle, Body body) {
  return cublas::entry([&](Runtime&) {
    const auto found = handles().find(handle);
    return found == handles().end() ? kNotInitialized : body(*found->second);
  });
}

}  // namespace

FUSEBOX_CUDA_API int fusebox_cublasCreate_v2(void** handle) {
  return cublas::entry([&](Runtime&) {
    if (handle == nullptr) return kInvalidValue;
    auto fresh = std::make_unique<Handle>();
    *handle = fresh.get();
    handles()[*handle] = std::move(fresh);
    return kSuccess;
  });
}
FUSEBOX_CUDA_API int fusebox_cublasDestroy_v2(void* handle) {
  return cublas::entry([&](Runtime&) { return handles().erase(handle) == 1 ? kSuccess : kNotInitialized; });
}
FUSEBOX_CUDA_API int fusebox_cublasSetStream_v2(void* handle, void* stream) {
  return with_handle(handle, [&](Handle& h) { return h.stream = stream, kSuccess; });
}
FUSEBOX_CUDA_API int fusebox_cublasGetStream_v2(void* handle, void** stream) {
  return with_handle(handle, [&](Handle& h) { return *stream = h.stream, kSuccess; });
}
FUSEBOX_CUDA_API int fusebox_cublasSetPointerMode_v2(void* handle, int mode) {
  return with_handle(handle, [&](Handle& h) { return h.pointer_mode = mode, kSuccess; });
}
FUSEBOX_CUDA_API int fusebox_cublasGetPointerMode_v2(void* handle, int* mode) {
  return with_handle(handle, [&](Handle& h) { return *mode = h.pointer_mode, kSuccess; });
}
FUSEBOX_CUDA_API int fusebox_cublasSetMathMode(void* handle, int mode) {
  return with_handle(handle, [&](Handle& h) { return h.math_mode = mode, kSuccess; });
}
FUSEBOX_CUDA_API int fusebox_cublasGetMathMode(void* handle, int* mode) {
  return with_handle(handle, [&](Handle& h) { return *mode = h.math_mode, kSuccess; });
}

FUSEBOX_CUDA_API int fusebox_cublasSgemm_v2(void* handle, int a_op, int b_op, int m, int n, int k,
                                            const float* alpha, const float* a, int lda, const float* b,
                                            int ldb, const float* beta, float* c, int ldc) {
  return cublas::entry([&](Runtime& state) {
    return run(state, {"cublasSgemm",
                       handle,
                       a_op,
                       b_op,
                       m,
                       n,
                       k,
                       alpha,
                       beta,
                       {a, kF32, lda, 0},
                       {b, kF32, ldb, 0},
                       {c, kF32, ldc, 0}});
  });
}
// A product with a matrix of one row: the vectors' steps are its leading dimensions.
FUSEBOX_CUDA_API int fusebox_cublasSgemv_v2(void* handle, int op, int m, int n, const float* alpha,
                                            const float* a, int lda, const float* x, int x_step,
                                            const float* beta, float* y, int y_step) {
  return cublas::entry([&](Runtime& state) {
    if (x_step <= 0 || y_step <= 0)
      return refuse(state, "cublasSgemv", "only vectors that go forward are multiplied here");
    const bool plain = op == 0;
    return run(state, {"cublasSgemv",
                       handle,
                       0,
                       plain              ? 1
                       : is_operation(op) ? 0
                                          : op,
                       1,
                       plain ? m : n,
                       plain ? n : m,
                       alpha,
                       beta,
                       {x, kF32, x_step, 0},
                       {a, kF32, lda, 0},
                       {y, kF32, y_step, 0}});
  });
}
FUSEBOX_CUDA_API int fusebox_cublasSgemmStridedBatched(void* handle, int a_op, int b_op, int m, int n, int k,
                                                       const float* alpha, const float* a, int lda,
                                                       long long a_stride, const float* b, int ldb,
                                                       long long b_stride, const float* beta, float* c,
                                                       int ldc, long long c_stride, int batches) {
  return cublas::entry([&](Runtime& state) {
    return run(state, {"cublasSgemmStridedBatched",
                       handle,
                       a_op,
                       b_op,
                       m,
                       n,
                       k,
                       alpha,
                       beta,
                       {a, kF32, lda, a_stride},
                       {b, kF32, ldb, b_stride},
                       {c, kF32, ldc, c_stride},
                       batches});
  });
}
FUSEBOX_CUDA_API int fusebox_cublasSgemmBatched(void* handle, int a_op, int b_op, int m, int n, int k,
                                                const float* alpha, const void* const* a, int lda,
                                                const void* const* b, int ldb, const float* beta,
                                                void* const* c, int ldc, int batches) {
  return cublas::entry([&](Runtime& state) {
    const Lists lists{a, b, c};
    return run(state,
               {"cublasSgemmBatched",
                handle,
                a_op,
                b_op,
                m,
                n,
                k,
                alpha,
                beta,
                {nullptr, kF32, lda, 0},
                {nullptr, kF32, ldb, 0},
                {nullptr, kF32, ldc, 0},
                batches},
               &lists);
  });
}
FUSEBOX_CUDA_API int fusebox_cublasGemmEx(void* handle, int a_op, int b_op, int m, int n, int k,
                                          const void* alpha, const void* a, int a_type, int lda,
                                          const void* b, int b_type, int ldb, const void* beta, void* c,
                                          int c_type, int ldc, int compute_type, int) {
  return cublas::entry([&](Runtime& state) {
    return run(state, {"cublasGemmEx",
                       handle,
                       a_op,
                       b_op,
                       m,
                       n,
                       k,
                       alpha,
                       beta,
                       {a, a_type, lda, 0},
                       {b, b_type, ldb, 0},
                       {c, c_type, ldc, 0},
                       1,
                       compute_type});
  });
}
FUSEBOX_CUDA_API int fusebox_cublasGemmStridedBatchedEx(void* handle, int a_op, int b_op, int m, int n, int k,
                                                        const void* alpha, const void* a, int a_type, int lda,
                                                        long long a_stride, const void* b, int b_type,
                                                        int ldb, long long b_stride, const void* beta,
                                                        void* c, int c_type, int ldc, long long c_stride,
                                                        int batches, int compute_type, int) {
  return cublas::entry([&](Runtime& state) {
    return run(state, {"cublasGemmStridedBatchedEx",
                       handle,
                       a_op,
                       b_op,
                       m,
                       n,
                       k,
                       alpha,
                       beta,
                       {a, a_type, lda, a_stride},
                       {b, b_type, ldb, b_stride},
                       {c, c_type, ldc, c_stride},
                       batches,
                       compute_type});
  });
}
