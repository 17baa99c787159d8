#include <cstring>

#include "grader/simulator/runtime/cuda/runtime.h"

// Advice about managed memory. Pages are where they are, so following it and ignoring it are the same; it is
// kept for those who ask.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;
using cuda::Location;

constexpr int kNoDevice = -2, kHostDevice = -1;

/// A place as it comes in one register: CUDA 13 and the _v2 functions say a cudaMemLocation, CUDA 12 a
/// device's number.
Location read_location(std::uint64_t bits, bool typed) {
  Location place{};
  if (typed) {
    std::memcpy(&place, &bits, sizeof place);
    if (place.type >= Location::kHost) place = {Location::kHost, kHostDevice};  // its nodes are one
    return place;
  }
  const int device = static_cast<int>(static_cast<std::uint32_t>(bits));
  return {device == kHostDevice ? Location::kHost : Location::kDevice, device};
}

Error with_advice(const void* pointer, const std::function<Error(Advice&)>& body) {
  return entry([&](Runtime& state) {
    DeviceAddress begin = address_of(pointer);
    if (!state.is_managed(begin)) return cuda::kInvalidValue;
    state.memory.find(begin, &begin);
    return body(state.advice[begin]);
  });
}

Error advise(const void* pointer, int advice, const Location& place) {
  if (place.type == Location::kDevice && place.id != 0)
    return entry([](Runtime&) { return cuda::kInvalidDevice; });
  return with_advice(pointer, [&](Advice& kept) {
    switch (advice) {  // cudaMemoryAdvise
      case 1:
      case 2:
        kept.read_mostly = advice == 1;
        return cuda::kSuccess;
      case 3:
      case 4:
        kept.preferred = advice == 3 ? place : Location{Location::kNone, kNoDevice};
        return cuda::kSuccess;
      case 5:
      case 6:
        (place.type == Location::kHost ? kept.by_host : kept.by_device) = advice == 5;
        return cuda::kSuccess;
      default:
        return cuda::kInvalidValue;
    }
  });
}

Error prefetch(const void* pointer, const Location& place) {
  if (place.type == Location::kDevice && place.id != 0)
    return entry([](Runtime&) { return cuda::kInvalidDevice; });
  return with_advice(pointer, [&](Advice& kept) {
    kept.prefetched = place;
    return cuda::kSuccess;
  });
}

Error range_attribute(void* value, std::size_t bytes, int attribute, const void* pointer) {
  if (!value || bytes < sizeof(int) || bytes % sizeof(int) != 0)
    return entry([](Runtime&) { return cuda::kInvalidValue; });
  return with_advice(pointer, [&](const Advice& kept) {
    std::vector<int> answer;
    // The old questions know devices and the host; the ones for a place's number know numbers of devices
    // only.
    const auto number = [](const Location& place) {
      return place.type == Location::kDevice ? place.id : kNoDevice;
    };
    switch (attribute) {  // cudaMemRangeAttribute
      case 1:
        answer = {kept.read_mostly};
        break;
      case 2:
        answer = {kept.preferred.id};
        break;
      case 3:
        if (kept.by_device) answer.push_back(0);
        if (kept.by_host) answer.push_back(kHostDevice);
        break;
      case 4:
        answer = {kept.prefetched.id};
        break;
      case 5:
        answer = {kept.preferred.type};
        break;
      case 6:
        answer = {number(kept.preferred)};
        break;
      case 7:
        answer = {kept.prefetched.type};
        break;
      case 8:
        answer = {number(kept.prefetched)};
        break;
      default:
        return cuda::kInvalidValue;
    }
    answer.resize(bytes / sizeof(int), kNoDevice);
    std::memcpy(value, answer.data(), bytes);
    return cuda::kSuccess;
  });
}

}  // namespace

bool Runtime::is_managed(DeviceAddress address) const {
  if (const DeviceMemory::Block* block = memory.find(address)) return block->kind == MemoryKind::managed;
  for (const auto& binary : binaries)
    for (const Binary::Managed& managed : binary->managed) {
      const ptx::Variable* variable = binary->module ? binary->module->find_variable(managed.name) : nullptr;
      if (variable && address - binary->module->address_of(*variable) < variable->bytes) return true;
    }
  return false;
}

}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaMemAdvise(const void* pointer, std::size_t, int advice,
                                           std::uint64_t place) {
  return advise(pointer, advice, read_location(place, kCudaMajor >= 13));
}
FUSEBOX_CUDA_API cuda::Error cudaMemAdvise_v2(const void* pointer, std::size_t, int advice,
                                              std::uint64_t place) {
  return advise(pointer, advice, read_location(place, true));
}
FUSEBOX_CUDA_API cuda::Error cudaMemPrefetchAsync(const void* pointer, std::size_t, std::uint64_t place) {
  return prefetch(pointer, read_location(place, kCudaMajor >= 13));
}
FUSEBOX_CUDA_API cuda::Error cudaMemPrefetchAsync_v2(const void* pointer, std::size_t, std::uint64_t place) {
  return prefetch(pointer, read_location(place, true));
}
FUSEBOX_CUDA_API cuda::Error cudaMemRangeGetAttribute(void* value, std::size_t bytes, int attribute,
                                                      const void* pointer, std::size_t) {
  return range_attribute(value, bytes, attribute, pointer);
}
FUSEBOX_CUDA_API cuda::Error cudaMemRangeGetAttributes(void** values, const std::size_t* bytes,
                                                       const int* attributes, std::size_t count,
                                                       const void* pointer, std::size_t) {
  if (!values || !bytes || !attributes || count == 0)
    return entry([](Runtime&) { return cuda::kInvalidValue; });
  cuda::Error error = cuda::kSuccess;
  for (std::size_t i = 0; i < count && error == cuda::kSuccess; ++i)
    error = range_attribute(values[i], bytes[i], attributes[i], pointer);
  return error;
}
