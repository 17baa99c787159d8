// What the lanes of a warp hold of a matrix after wmma.load, and what a GPU's counters say of each
// wmma.load and wmma.store. `fragments elements` prints operand,shape,type and for the elements of lane 0, of
// lane 1, ... their index in the matrix counted by rows; `fragments accesses` launches every instruction of
// fragments.h once for each of its places, and prints instruction,stride,offset for each.

#include <cstring>
#include <map>

#include "driver.h"
#include "fragments.h"

using namespace fusebox::patterns;

namespace {

constexpr std::size_t kBytes = 1 << 16;

struct Fragments {
  std::vector<FragmentKernel> kernels = fragment_kernels();
  Gpu gpu{fragment_module(kernels)};
  CUdeviceptr matrix = gpu.allocate(kBytes), lanes = gpu.allocate(kBytes);

  void launch(const FragmentKernel& kernel, FragmentPlace place) {
    gpu.launch(kernel.name, 1, kFragmentSharedBytes, matrix, lanes, place.stride, place.offset);
  }
};

/// Element `at` of this width is `value`, or as much of it as there is room for.
void put(std::vector<unsigned char>& bytes, std::size_t at, std::uint32_t width, std::uint64_t value) {
  std::memcpy(&bytes[at * width], &value, width);
}
std::uint64_t get(const std::vector<unsigned char>& bytes, std::size_t at, std::uint32_t width) {
  std::uint64_t value = 0;
  std::memcpy(&value, &bytes[at * width], width);
  return value;
}

/// For each element of each lane, which one of the matrix it is.
std::vector<int> elements(Fragments& gpu, const FragmentKernel& k) {
  const std::uint32_t per_lane = k.elements_per_lane(), cells = k.rows * k.columns;
  std::vector<int> of_lane(32 * per_lane, 0);
  // A byte names no more than 256 places: the lower byte of each place first, then the upper one.
  for (int shift = 0; shift <= (k.element_bytes == 1 ? 8 : 0); shift += 8) {
    std::vector<unsigned char> matrix(kBytes), lanes(kBytes);
    const auto in_memory = [&](std::uint32_t cell) {
      const std::uint32_t row = cell / k.columns, column = cell % k.columns;
      return k.by_columns ? column * k.rows + row : row * k.columns + column;
    };
    for (std::uint32_t cell = 0; cell < cells; ++cell)
      put(matrix, in_memory(cell), k.element_bytes, cell >> shift);
    for (std::uint32_t i = 0; i < 32 * per_lane; ++i) put(lanes, i, k.element_bytes, i >> shift);
    if (k.store()) {
      check(cuMemcpyHtoD(gpu.lanes, lanes.data(), kBytes), "cuMemcpyHtoD");
      gpu.launch(k, {k.extent(), 0});
      check(cuMemcpyDtoH(matrix.data(), gpu.matrix, kBytes), "cuMemcpyDtoH");
    } else {
      check(cuMemcpyHtoD(gpu.matrix, matrix.data(), kBytes), "cuMemcpyHtoD");
      gpu.launch(k, {k.extent(), 0});
      check(cuMemcpyDtoH(lanes.data(), gpu.lanes, kBytes), "cuMemcpyDtoH");
    }
    if (k.store()) {
      for (std::uint32_t cell = 0; cell < cells; ++cell)
        of_lane.at(get(matrix, in_memory(cell), k.element_bytes)) = static_cast<int>(cell);
    } else {
      for (std::uint32_t i = 0; i < 32 * per_lane; ++i)
        of_lane[i] |= static_cast<int>(get(lanes, i, k.element_bytes)) << shift;
    }
  }
  return of_lane;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode != "elements" && mode != "accesses") {
    std::fprintf(stderr, "fragments: say `elements` or `accesses`\n");
    return 2;
  }
  Fragments gpu;
  if (mode == "accesses") {
    for (const FragmentKernel& k : gpu.kernels)
      for (const FragmentPlace& place : fragment_places(k)) {
        std::printf("%s,%s,%u,%u\n", k.instruction.c_str(), k.in_shared ? "shared" : "global", place.stride,
                    place.offset);
        gpu.launch(k, place);
      }
    return 0;
  }
  // The layout in memory and the space make no difference; c and d are one.
  std::map<std::string, std::vector<int>> known;
  for (const FragmentKernel& k : gpu.kernels) {
    if (k.in_shared) continue;
    const std::string key = std::string(1, k.store() ? 'c' : k.operand) + "," + k.shape + "," + k.type;
    const std::vector<int> here = elements(gpu, k);
    const auto [entry, fresh] = known.emplace(key, here);
    if (!fresh && entry->second != here) {
      std::fprintf(stderr, "fragments: %s has another layout than the ones before it\n",
                   k.instruction.c_str());
      return 1;
    }
    if (!fresh) continue;
    std::printf("%s,", key.c_str());
    for (std::size_t i = 0; i < here.size(); ++i) std::printf(i == 0 ? "%d" : " %d", here[i]);
    std::printf("\n");
  }
  return 0;
}
