// Launches every kernel of bulk_copies.h for each of its sizes and prints copy,bytes,offset for each.

#include "bulk_copies.h"
#include "driver.h"

using namespace fusebox::patterns;

int main() {
  const std::vector<BulkKernel> kernels = bulk_kernels();
  Gpu gpu(bulk_module(kernels));
  const CUdeviceptr memory = gpu.allocate(1 << 16);
  for (const BulkKernel& kernel : kernels)
    for (const BulkPlace& place : bulk_places()) {
      std::printf("%s,%u,%u\n", kernel.name.c_str(), place.bytes, place.offset);
      gpu.launch(kernel.name, kernel.multicast ? 2 : 1, kBulkSharedBytes, memory + place.offset, place.bytes);
    }
  return 0;
}
