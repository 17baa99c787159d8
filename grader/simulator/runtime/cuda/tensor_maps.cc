#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "grader/device/cuda_errors.h"
#include "grader/device/tensor/tensor_map.h"
#include "grader/simulator/runtime/cuda/runtime.h"

// What the driver encodes for cp.async.bulk.tensor. Programs find it by cudaGetDriverEntryPoint.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;  // the driver's numbers are the runtime's

/// As entry(), but no call of the driver is what cudaGetLastError answers.
template <class Body>
Error driver_call(Body body) {
  Runtime* state = runtime();
  if (!state) return cuda::kInitializationError;
  const std::lock_guard lock(state->mutex);
  const HostGuard::Lifted lifted;
  return body(*state);
}

/// Says why in the journal: a program that does not look at the result fails much later.
Error refuse(Runtime& state, const char* function, const std::string& why) {
  state.journal.note(std::string(function) + " was refused, as the driver does: " + why);
  return cuda::kInvalidValue;
}

Error not_here(Runtime& state, const char* function, const std::string& what) {
  state.note_problem(std::string(function) + ": " + what + " not supported by the simulator");
  return cuda::kNotSupported;
}

/// `out` is where CUtensorMap lies; strides are those of dimension 1 on.
Error encode_tiled(void* out, int element, std::uint32_t rank, void* address, const std::uint64_t* size,
                   const std::uint64_t* stride, const std::uint32_t* box, const std::uint32_t* step,
                   int interleave, int swizzle, int promotion, int fill) {
  constexpr const char* kName = "cuTensorMapEncodeTiled";
  return driver_call([&](Runtime& state) {
    if (state.gpu().compute_major < 9)
      return not_here(state, kName, "tensor maps need an H100 or later (--gpu): they are");
    if (!out || address_of(out) % TensorMap::kAlign != 0)
      return refuse(state, kName, "the map is not at a multiple of 64 bytes");
    if (!address || !size || !box || !step || (!stride && rank > 1))
      return refuse(state, kName, "a pointer is null");
    TensorMap map;
    const std::string why = read_request(
        {element, rank, address_of(address), size, stride, box, step, interleave, swizzle, promotion, fill},
        map);
    if (interleave == 1 || interleave == 2) return not_here(state, kName, "interleaved layouts are");
    if (!why.empty()) return refuse(state, kName, why);
    const auto bytes = pack(map);
    std::memcpy(out, bytes.data(), bytes.size());
    return cuda::kSuccess;
  });
}

Error replace_address(void* out, void* address) {
  constexpr const char* kName = "cuTensorMapReplaceAddress";
  return driver_call([&](Runtime& state) {
    if (!out || address_of(out) % TensorMap::kAlign != 0)
      return refuse(state, kName, "the map is not at a multiple of 64 bytes");
    auto map = unpack_tensor_map(
        std::span<const std::byte, TensorMap::kBytes>(static_cast<const std::byte*>(out), TensorMap::kBytes));
    if (!map) return refuse(state, kName, "its bytes are no tensor map");
    map->address = address_of(address);
    if (const std::string why = refusal(*map); !why.empty()) return refuse(state, kName, why);
    const auto bytes = pack(*map);
    std::memcpy(out, bytes.data(), bytes.size());
    return cuda::kSuccess;
  });
}

Error encode_im2col() {
  return driver_call([](Runtime& state) { return not_here(state, "cuTensorMapEncodeIm2col", "im2col is"); });
}
Error encode_im2col_wide() {
  return driver_call(
      [](Runtime& state) { return not_here(state, "cuTensorMapEncodeIm2colWide", "im2col is"); });
}

}  // namespace

void* find_driver_call(std::string_view name) {
  if (name == "cuTensorMapEncodeTiled") return reinterpret_cast<void*>(&encode_tiled);
  if (name == "cuTensorMapReplaceAddress") return reinterpret_cast<void*>(&replace_address);
  if (name == "cuTensorMapEncodeIm2col") return reinterpret_cast<void*>(&encode_im2col);
  if (name == "cuTensorMapEncodeIm2colWide") return reinterpret_cast<void*>(&encode_im2col_wide);
  return nullptr;
}

}  // namespace fusebox::sim::runtime

// The same, and what stands around them, for programs that link the driver's library.
using fusebox::cuda::Error;

FUSEBOX_CUDA_API Error fusebox_cuTensorMapEncodeTiled(void* map, int element, std::uint32_t rank,
                                                      void* address, const std::uint64_t* size,
                                                      const std::uint64_t* stride, const std::uint32_t* box,
                                                      const std::uint32_t* step, int interleave, int swizzle,
                                                      int promotion, int fill) {
  return fusebox::sim::runtime::encode_tiled(map, element, rank, address, size, stride, box, step, interleave,
                                             swizzle, promotion, fill);
}
FUSEBOX_CUDA_API Error fusebox_cuTensorMapReplaceAddress(void* map, void* address) {
  return fusebox::sim::runtime::replace_address(map, address);
}
FUSEBOX_CUDA_API Error fusebox_cuTensorMapEncodeIm2col() { return fusebox::sim::runtime::encode_im2col(); }
FUSEBOX_CUDA_API Error fusebox_cuTensorMapEncodeIm2colWide() {
  return fusebox::sim::runtime::encode_im2col_wide();
}
FUSEBOX_CUDA_API Error fusebox_cuInit(unsigned) { return fusebox::cuda::kSuccess; }
// Of the numbers that the calls above answer with.
FUSEBOX_CUDA_API Error fusebox_cuGetErrorName(Error error, const char** name) {
  constexpr std::pair<Error, const char*> kNames[] = {
      {fusebox::cuda::kSuccess, "CUDA_SUCCESS"},
      {fusebox::cuda::kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {fusebox::cuda::kInitializationError, "CUDA_ERROR_NOT_INITIALIZED"},
      {fusebox::cuda::kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"},
  };
  *name = nullptr;
  for (const auto& [number, text] : kNames)
    if (number == error) *name = text;
  return *name == nullptr ? fusebox::cuda::kInvalidValue : fusebox::cuda::kSuccess;
}
FUSEBOX_CUDA_API Error fusebox_cuGetErrorString(Error error, const char** text) {
  *text = fusebox::cuda::error_text(error);
  return fusebox::cuda::kSuccess;
}
