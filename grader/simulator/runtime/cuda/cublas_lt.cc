#include <cstring>
#include <new>
#include <span>
#include <string>

#include "grader/simulator/runtime/cuda/cublas.h"

// cuBLASLt: a product is described by objects, in memory of ours or of the program.
namespace fusebox::sim::runtime::cublas {
namespace {

/// cublasLtMatrixLayoutOpaque_t.
struct Layout {
  int type = 0, order = 0, batches = 1;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0, stride = 0;
};
static_assert(sizeof(Layout) <= 64);

/// cublasLtMatmulDescOpaque_t. The bias has the result's type where nothing else is said.
struct Description {
  int compute_type = 0, scale_type = 0, pointer_mode = 0, a_op = 0, b_op = 0, c_op = 0, fill = 0,
      epilogue = 1;
  int bias_type = -1, before_type = -1;
  const void* bias = nullptr;
  void* before = nullptr;
  std::int64_t bias_stride = 0, before_leading = 0, before_stride = 0;
  int sms = 0;                ///< how many to use; changes no result
  std::int8_t fast_sums = 0;  ///< nor does this here
};
static_assert(sizeof(Description) <= 184);  // in cuBLAS 11

/// One field of an object, as a program names it.
struct Attribute {
  int number;
  std::size_t offset, bytes;
};
#define FUSEBOX_ATTRIBUTE(number, type, field) \
  { number, offsetof(type, field), sizeof(type::field) }
constexpr Attribute kOfLayout[] = {
    FUSEBOX_ATTRIBUTE(0, Layout, type),    FUSEBOX_ATTRIBUTE(1, Layout, order),
    FUSEBOX_ATTRIBUTE(2, Layout, rows),    FUSEBOX_ATTRIBUTE(3, Layout, columns),
    FUSEBOX_ATTRIBUTE(4, Layout, leading), FUSEBOX_ATTRIBUTE(5, Layout, batches),
    FUSEBOX_ATTRIBUTE(6, Layout, stride)};
constexpr Attribute kOfDescription[] = {
    FUSEBOX_ATTRIBUTE(0, Description, compute_type),   FUSEBOX_ATTRIBUTE(1, Description, scale_type),
    FUSEBOX_ATTRIBUTE(2, Description, pointer_mode),   FUSEBOX_ATTRIBUTE(3, Description, a_op),
    FUSEBOX_ATTRIBUTE(4, Description, b_op),           FUSEBOX_ATTRIBUTE(5, Description, c_op),
    FUSEBOX_ATTRIBUTE(6, Description, fill),           FUSEBOX_ATTRIBUTE(7, Description, epilogue),
    FUSEBOX_ATTRIBUTE(8, Description, bias),           FUSEBOX_ATTRIBUTE(10, Description, bias_stride),
    FUSEBOX_ATTRIBUTE(11, Description, before),        FUSEBOX_ATTRIBUTE(12, Description, before_leading),
    FUSEBOX_ATTRIBUTE(13, Description, before_stride), FUSEBOX_ATTRIBUTE(15, Description, sms),
    FUSEBOX_ATTRIBUTE(22, Description, before_type),   FUSEBOX_ATTRIBUTE(25, Description, fast_sums),
    FUSEBOX_ATTRIBUTE(26, Description, bias_type)};
#undef FUSEBOX_ATTRIBUTE

int set_attribute(const char* function, std::span<const Attribute> known, void* object, int number,
                  const void* value, std::size_t bytes) {
  return entry([&](Runtime& state) {
    if (object == nullptr || value == nullptr) return kInvalidValue;
    for (const Attribute& attribute : known) {
      if (attribute.number != number) continue;
      if (bytes != attribute.bytes) return kInvalidValue;
      std::memcpy(static_cast<std::byte*>(object) + attribute.offset, value, bytes);
      return kSuccess;
    }
    return refuse(state, function, "attribute " + std::to_string(number) + " is not known here");
  });
}

// cublasLtEpilogue_t.
constexpr int kNothing = 1, kRelu = 2, kBias = 4, kGelu = 32, kKeepBefore = 128;

bool is_epilogue(int epilogue) {
  const int function = epilogue & ~(kBias | kKeepBefore);
  if (epilogue & kKeepBefore) return function == kGelu;  // of relu it would be a mask of bits
  return function == kNothing || function == 0 || function == kRelu || function == kGelu;
}

Matrix matrix_of(const Layout& layout, const void* data) {
  return {static_cast<std::byte*>(const_cast<void*>(data)), static_cast<Number>(layout.type), layout.leading};
}

/// What its objects say, and its arguments.
struct MatmulCall {
  const Description* description;
  const void *alpha, *beta;
  const void *a, *b, *c;
  void* d;
  const Layout *a_layout, *b_layout, *c_layout, *d_layout;
  void* stream;
};

/// What is not computed here, or is no product; empty: nothing.
std::string unsupported(const MatmulCall& call) {
  const Description& asked = *call.description;
  for (const Layout* layout : {call.a_layout, call.b_layout, call.c_layout, call.d_layout}) {
    if (!is_number(layout->type)) return "only matrices of fp32, fp16 and bf16 are multiplied here";
    if (layout->order != 0) return "only matrices that lie column by column are multiplied here";
    if (layout->batches != call.d_layout->batches) return "its matrices have different batch counts";
  }
  if (!sums_in_f32(asked.compute_type) || asked.scale_type != 0)
    return "only sums, alpha and beta in fp32 are computed here";
  if (asked.pointer_mode > 1) return "alpha and beta that are vectors are not multiplied here";
  if (asked.c_op != 0) return "C is not transposed here";
  if (!is_epilogue(asked.epilogue))
    return "epilogue " + std::to_string(asked.epilogue) + " is not computed here; bias, ReLU and GELU are";
  for (const int type : {asked.bias_type, asked.before_type})
    if (type != -1 && !is_number(type))
      return "a bias, and what an epilogue keeps, is fp32, fp16 or bf16 here";
  return "";
}

Epilogue epilogue_of(const Description& asked, const Layout& d) {
  Epilogue epilogue;
  epilogue.relu = (asked.epilogue & kRelu) != 0;
  epilogue.gelu = (asked.epilogue & kGelu) != 0;
  if (asked.epilogue & kBias) epilogue.bias = static_cast<const std::byte*>(asked.bias);
  epilogue.bias_type = static_cast<Number>(asked.bias_type == -1 ? d.type : asked.bias_type);
  if (asked.epilogue & kKeepBefore)
    epilogue.before = {static_cast<std::byte*>(asked.before),
                       static_cast<Number>(asked.before_type == -1 ? d.type : asked.before_type),
                       asked.before_leading};
  return epilogue;
}

int run(Runtime& state, const MatmulCall& call) {
  constexpr const char* kFunction = "cublasLtMatmul";
  if (const std::string why = unsupported(call); !why.empty()) return refuse(state, kFunction, why);
  const Description& asked = *call.description;
  const Layout &a = *call.a_layout, &b = *call.b_layout, &c = *call.c_layout, &d = *call.d_layout;
  const auto alpha = scalar(state, call.alpha, asked.pointer_mode == 1),
             beta = scalar(state, call.beta, asked.pointer_mode == 1);
  if (!alpha || !beta)
    return refuse(state, kFunction, "alpha or beta is not where the pointer mode says", kInvalidValue);
  Batch batch;
  MatrixProduct& product = batch.first;
  product.m = static_cast<std::int64_t>(d.rows);
  product.n = static_cast<std::int64_t>(d.columns);
  product.k = static_cast<std::int64_t>(asked.a_op != 0 ? a.rows : a.columns);
  product.a_transposed = asked.a_op != 0;
  product.b_transposed = asked.b_op != 0;
  const bool fits = (asked.a_op != 0 ? a.columns : a.rows) == d.rows &&
                    (asked.b_op != 0 ? b.rows : b.columns) == d.columns &&
                    (asked.b_op != 0 ? b.columns : b.rows) == static_cast<std::uint64_t>(product.k) &&
                    c.rows == d.rows && c.columns == d.columns;
  if (!fits)
    return refuse(state, kFunction, "the sizes of its matrices do not fit each other", kInvalidValue);
  for (const Layout* layout : {&a, &b, &c, &d})
    if (layout->leading < static_cast<std::int64_t>(layout->rows))
      return refuse(state, kFunction, "a leading dimension is smaller than its matrix has rows",
                    kInvalidValue);
  product.a = matrix_of(a, call.a);
  product.b = matrix_of(b, call.b);
  product.c = matrix_of(c, call.c);
  product.d = matrix_of(d, call.d);
  product.alpha = *alpha;
  product.beta = *beta;
  product.epilogue = epilogue_of(asked, d);
  if ((asked.epilogue & kBias) && asked.bias == nullptr)
    return refuse(state, kFunction, "its epilogue adds a bias, and none is set", kInvalidValue);
  batch.count = d.batches;
  batch.a_stride = a.stride;
  batch.b_stride = b.stride;
  batch.c_stride = c.stride;
  batch.d_stride = d.stride;
  batch.bias_stride = asked.bias_stride;
  batch.before_stride = asked.before_stride;
  return multiply(state, kFunction, call.stream, products_of(batch));
}

/// cublasLtMatmulHeuristicResult_t.
struct Heuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace_bytes;
  int status;
  float waves;
  int reserved[4];
};
static_assert(sizeof(Heuristic) == 96);

}  // namespace
}  // namespace fusebox::sim::runtime::cublas

using namespace fusebox::sim::runtime;
using namespace fusebox::sim::runtime::cublas;

FUSEBOX_CUDA_API int fusebox_cublasLtMatmulDescCreate(Description** object, int compute_type,
                                                      int scale_type) {
  *object = new Description{compute_type, scale_type};
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatmulDescInit_internal(void* object, std::size_t bytes,
                                                             int compute_type, int scale_type) {
  if (bytes < sizeof(Description)) return kInvalidValue;
  new (object) Description{compute_type, scale_type};
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatmulDescDestroy(Description* object) {
  delete object;
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatmulDescSetAttribute(void* object, int number, const void* value,
                                                            std::size_t bytes) {
  return set_attribute("cublasLtMatmulDescSetAttribute", kOfDescription, object, number, value, bytes);
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatrixLayoutCreate(Layout** object, int type, std::uint64_t rows,
                                                        std::uint64_t columns, std::int64_t leading) {
  *object = new Layout{type, 0, 1, rows, columns, leading, 0};
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatrixLayoutInit_internal(void* object, std::size_t bytes, int type,
                                                               std::uint64_t rows, std::uint64_t columns,
                                                               std::int64_t leading) {
  if (bytes < sizeof(Layout)) return kInvalidValue;
  new (object) Layout{type, 0, 1, rows, columns, leading, 0};
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatrixLayoutDestroy(Layout* object) {
  delete object;
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatrixLayoutSetAttribute(void* object, int number, const void* value,
                                                              std::size_t bytes) {
  return set_attribute("cublasLtMatrixLayoutSetAttribute", kOfLayout, object, number, value, bytes);
}
/// There is one way here, which needs no workspace.
FUSEBOX_CUDA_API int fusebox_cublasLtMatmulAlgoGetHeuristic(void*, const void*, const void*, const void*,
                                                            const void*, const void*, const void*, int wanted,
                                                            Heuristic* results, int* count) {
  if (wanted < 1 || results == nullptr || count == nullptr) return kInvalidValue;
  *results = Heuristic{};
  *count = 1;
  return kSuccess;
}
FUSEBOX_CUDA_API int fusebox_cublasLtMatmul(void*, const Description* description, const void* alpha,
                                            const void* a, const Layout* a_layout, const void* b,
                                            const Layout* b_layout, const void* beta, const void* c,
                                            const Layout* c_layout, void* d, const Layout* d_layout,
                                            const void*, void*, std::size_t, void* stream) {
  return cublas::entry([&](Runtime& state) {
    if (!description || !a_layout || !b_layout || !c_layout || !d_layout) return kInvalidValue;
    return run(state, {description, alpha, beta, a, b, c, d, a_layout, b_layout, c_layout, d_layout, stream});
  });
}
