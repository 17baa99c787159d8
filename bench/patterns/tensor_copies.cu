// Carries out the copies of tensor_copies.h, and asks the driver about arguments of tensor maps.
//   tensor_copies bytes FROM  name,hash of the bytes that each copy from number FROM on wrote; one that the
//   GPU refuses
//                             is `name,error` and ends the program with 100, since its context is lost
//   tensor_copies counted     those that are counted, for a profiler
//   tensor_copies encodings   name,result of each set of arguments

#include "driver.h"
#include "tensor_copies.h"

using namespace fusebox::patterns;

constexpr int kRefused = 100;

static CUresult encode(CUtensorMap* map, const TensorMapping& m, CUdeviceptr memory) {
  return cuTensorMapEncodeTiled(
      map, static_cast<CUtensorMapDataType>(m.type), m.rank, reinterpret_cast<void*>(memory + m.offset),
      m.size.data(), m.stride.data() + 1, m.box.data(), m.step.data(),
      static_cast<CUtensorMapInterleave>(m.interleave), static_cast<CUtensorMapSwizzle>(m.swizzle),
      static_cast<CUtensorMapL2promotion>(m.promotion), static_cast<CUtensorMapFloatOOBfill>(m.fill));
}

static unsigned long long hash(const std::vector<std::uint32_t>& words) {
  unsigned long long sum = 14695981039346656037u;
  for (const std::uint32_t word : words) sum = (sum ^ word) * 1099511628211u;
  return sum;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::size_t from = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  Gpu gpu(tensor_module());
  const CUdeviceptr memory = gpu.allocate(kTensorMemoryBytes), data = gpu.allocate(kTensorMemoryBytes);
  alignas(64) CUtensorMap map;
  if (mode == "encodings") {
    for (const auto& [name, mapping] : tensor_encodings())
      std::printf("%s,%d\n", name.c_str(), encode(&map, mapping, memory));
    return 0;
  }
  const std::vector<TensorCopy> copies = tensor_copies();
  for (std::size_t k = from; k < copies.size(); ++k) {
    const TensorCopy& copy = copies[k];
    if (mode == "counted" && !copy.counted) continue;
    const bool loads = copy.kernel == "load", numbers = !loads && copy.kernel != "store";
    const auto fill = [&](CUdeviceptr at, std::uint32_t seed) {
      const std::vector<std::uint32_t> words = tensor_contents(copy.map.type, numbers, seed);
      check(cuMemcpyHtoD(at, words.data(), kTensorMemoryBytes), "cuMemcpyHtoD");
    };
    fill(memory, 1);
    fill(data, 2);
    check(encode(&map, copy.map, memory), copy.name);
    const CUresult done = gpu.try_launch(copy.kernel + "_" + std::to_string(copy.map.rank) + "d", 1,
                                         kTensorSharedBytes, map, data, copy.shared_offset, copy.tile_bytes(),
                                         copy.at[0], copy.at[1], copy.at[2], copy.at[3], copy.at[4]);
    if (done != CUDA_SUCCESS) {
      std::printf("%s,error\n", copy.name.c_str());
      return kRefused;
    }
    std::vector<std::uint32_t> got(loads ? kTensorTileBytes / 4 + 1 : kTensorMemoryBytes / 4);
    check(cuMemcpyDtoH(got.data(), loads ? data : memory, got.size() * 4), "cuMemcpyDtoH");
    std::printf("%s,%016llx\n", copy.name.c_str(), hash(got));
  }
  return 0;
}
