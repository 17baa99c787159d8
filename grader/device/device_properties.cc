#include "grader/device/device_properties.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "grader/report/hardware.h"

namespace fusebox::cuda {
namespace {

constexpr std::size_t kBytes12 = 1032, kBytes13 = 1008;
constexpr int kClockKhz12 = 348;  // clockRate went away in CUDA 13
constexpr std::size_t kNameBytes = 256;

constexpr int kMaxBlock[3] = {1024, 1024, 64};
constexpr int kMaxGrid[3] = {2147483647, 65535, 65535};
constexpr int kMaxPitch = 2147483647;
constexpr int kConstantBytes = 65536;
constexpr int kTextureAlignment = 512;
/// What textures and surfaces can be at most: the same on every GPU from compute capability 7.0 on.
/// `attribute`, and where it lies in each layout; the numbers of one kind lie behind each other.
struct Limit {
  int attribute;
  std::size_t offset12, offset13;
  int count;
  std::array<int, 3> values;
};
const Limit kTextureLimits[] = {
    {21, 408, 396, 1, {131072}},                  // maxTexture1D
    {77, 412, 400, 1, {32768}},                   // maxTexture1DMipmap
    {22, 420, 404, 2, {131072, 65536}},           // maxTexture2D
    {73, 428, 412, 2, {32768, 32768}},            // maxTexture2DMipmap
    {70, 436, 420, 3, {131072, 65000, 2097120}},  // maxTexture2DLinear
    {45, 448, 432, 2, {32768, 32768}},            // maxTexture2DGather
    {24, 456, 440, 3, {16384, 16384, 16384}},     // maxTexture3D
    {47, 468, 452, 3, {8192, 8192, 32768}},       // maxTexture3DAlt
    {52, 480, 464, 1, {32768}},                   // maxTextureCubemap
    {42, 484, 468, 2, {32768, 2048}},             // maxTexture1DLayered
    {27, 492, 476, 3, {32768, 32768, 2048}},      // maxTexture2DLayered
    {53, 504, 488, 2, {32768, 2046}},             // maxTextureCubemapLayered
    {55, 512, 496, 1, {32768}},                   // maxSurface1D
    {56, 516, 500, 2, {131072, 65536}},           // maxSurface2D
    {58, 524, 508, 3, {16384, 16384, 16384}},     // maxSurface3D
    {61, 536, 520, 2, {32768, 2048}},             // maxSurface1DLayered
    {63, 544, 528, 3, {32768, 32768, 2048}},      // maxSurface2DLayered
    {66, 556, 540, 1, {32768}},                   // maxSurfaceCubemap
    {67, 560, 544, 2, {32768, 2046}},             // maxSurfaceCubemapLayered
    {30, 568, 552, 1, {512}},                     // surfaceAlignment
    {51, 376, 376, 1, {32}},                      // texturePitchAlignment
};
constexpr int kLinearTexture = 268435456;
constexpr std::size_t kLinearTexture12 = 416;  // maxTexture1DLinear went away in CUDA 13
constexpr int kWindow = 128 << 20;             // of an access policy
constexpr int kEngines = 3;                    // that copy

constexpr int kHighestAttribute =
    255;  // toolkits to come may ask more than today's 150 or so; then the answer is "no"

/// A field of type int or size_t: where it lies in each layout, and what it holds.
struct Field {
  std::size_t offset12, offset13;
  bool wide;  ///< size_t
  std::uint64_t value;
};

/// Of L2 for data that shall stay there.
std::uint64_t persisting_l2(const GpuProfile& gpu) {
  return gpu.compute_major >= 8 ? gpu.l2_bytes / 8 * 5 : 0;
}

std::uint64_t u64(int value) { return static_cast<std::uint64_t>(value); }

}  // namespace

void write_device_properties(const GpuProfile& gpu, const DeviceFeatures& features, PropertiesLayout layout,
                             void* target) {
  const bool old = layout == PropertiesLayout::cuda12;
  auto* bytes = static_cast<std::byte*>(target);
  std::memset(bytes, 0, old ? kBytes12 : kBytes13);
  const std::string name = gpu.full_name.substr(0, kNameBytes - 1);
  std::memcpy(bytes, name.data(), name.size());
  const Field fields[] = {
      {288, 288, true, gpu.global_bytes},                     // totalGlobalMem
      {296, 296, true, u64(gpu.max_shared_bytes_per_block)},  // sharedMemPerBlock
      {304, 304, false, u64(gpu.registers_per_sm)},           // regsPerBlock
      {308, 308, false, kWarpSize},                           // warpSize
      {312, 312, true, kMaxPitch},                            // memPitch
      {320, 320, false, u64(gpu.max_threads_per_block)},      // maxThreadsPerBlock
      {324, 324, false, u64(kMaxBlock[0])},                   // maxThreadsDim
      {328, 328, false, u64(kMaxBlock[1])},
      {332, 332, false, u64(kMaxBlock[2])},
      {336, 336, false, u64(kMaxGrid[0])},  // maxGridSize
      {340, 340, false, u64(kMaxGrid[1])},
      {344, 344, false, u64(kMaxGrid[2])},
      {352, 352, true, kConstantBytes},                              // totalConstMem
      {360, 360, false, u64(gpu.compute_major)},                     // major
      {364, 364, false, u64(gpu.compute_minor)},                     // minor
      {368, 368, true, kTextureAlignment},                           // textureAlignment
      {388, 384, false, u64(gpu.sms)},                               // multiProcessorCount
      {400, 392, false, features.mapped_host_memory},                // canMapHostMemory
      {652, 636, false, features.managed_memory},                    // managedMemory
      {676, 656, false, features.managed_memory},                    // concurrentManagedAccess
      {728, 704, false, features.mapped_host_memory},                // hostRegisterSupported
      {576, 560, false, 1},                                          // concurrentKernels
      {580, 564, false, 1},                                          // ECCEnabled
      {600, 584, false, kEngines},                                   // asyncEngineCount
      {604, 588, false, 1},                                          // unifiedAddressing
      {616, 596, false, gpu.l2_bytes},                               // l2CacheSize
      {624, 604, false, u64(gpu.max_threads_per_sm)},                // maxThreadsPerMultiProcessor
      {632, 612, false, 1},                                          // globalL1CacheSupported
      {636, 616, false, 1},                                          // localL1CacheSupported
      {640, 624, true, u64(gpu.shared_bytes_per_sm)},                // sharedMemPerMultiprocessor
      {648, 632, false, u64(gpu.registers_per_sm)},                  // regsPerMultiprocessor
      {620, 600, false, persisting_l2(gpu)},                         // persistingL2CacheMaxSize
      {716, 692, false, gpu.compute_major >= 8 ? u64(kWindow) : 0},  // accessPolicyMaxWindowSize
      {628, 608, false, 1},                                          // streamPrioritiesSupported
      {680, 660, false, 1},                                          // computePreemptionSupported
      {772, 748, false, gpu.compute_major >= 9},                     // clusterLaunch
      {776, 752, false, 1},                                          // unifiedFunctionPointers
      {688, 668, false, 1},                                          // cooperativeLaunch
      {696, 672, true, u64(gpu.max_shared_bytes_per_block_optin)},   // sharedMemPerBlockOptin
      {712, 688, false, u64(gpu.max_blocks_per_sm)},                 // maxBlocksPerMultiProcessor
      {720, 696, true, u64(gpu.reserved_shared_bytes_per_block)},    // reservedSharedMemPerBlock
      {744, 720, false, 1},                                          // memoryPoolsSupported
  };
  for (const Field& field : fields)
    std::memcpy(bytes + (old ? field.offset12 : field.offset13), &field.value, field.wide ? 8 : 4);
  for (const Limit& limit : kTextureLimits)
    std::memcpy(bytes + (old ? limit.offset12 : limit.offset13), limit.values.data(),
                static_cast<std::size_t>(limit.count) * sizeof(int));
  if (old) {
    std::memcpy(bytes + kLinearTexture12, &kLinearTexture, sizeof kLinearTexture);
    const int clock_khz = static_cast<int>(gpu.clock_hz / 1000);
    std::memcpy(bytes + kClockKhz12, &clock_khz, sizeof clock_khz);
  }
}

std::optional<int> device_attribute(const GpuProfile& gpu, const DeviceFeatures& features, int attribute) {
  switch (attribute) {  // the numbers of cudaDeviceAttr
    case 1:
      return gpu.max_threads_per_block;
    case 2:
    case 3:
    case 4:
      return kMaxBlock[attribute - 2];
    case 5:
    case 6:
    case 7:
      return kMaxGrid[attribute - 5];
    case 8:
      return gpu.max_shared_bytes_per_block;
    case 9:
      return kConstantBytes;
    case 10:
      return kWarpSize;
    case 11:
      return kMaxPitch;
    case 12:
    case 82:
      return gpu.registers_per_sm;
    case 13:
      return static_cast<int>(gpu.clock_hz / 1000);
    case 14:
      return kTextureAlignment;
    case 15:
    case 31:
    case 32:
    case 41:
    case 78:
    case 90:
    case 129:
      return 1;  // overlap, concurrent kernels, ECC, unified addressing, priorities, preemption, function
                 // pointers
    case 40:
      return kEngines;
    case 69:
      return kLinearTexture;
    case 87:
      return gpu.compute_minor == 0 ? 2 : 32;  // single to double precision: 64 cores in an SM, or 2
    case 108:
      return static_cast<int>(persisting_l2(gpu));
    case 109:
      return gpu.compute_major >= 8 ? kWindow : 0;
    case 120:
      return gpu.compute_major >= 9;  // clusters
    case 16:
      return gpu.sms;
    case 19:  // mapped host memory
    case 99:  // host registration
      return features.mapped_host_memory;
    case 83:
    case 89:  // managed memory, and the host may touch it at any time
      return features.managed_memory;
    case 38:
      return static_cast<int>(gpu.l2_bytes);
    case 39:
      return gpu.max_threads_per_sm;
    case 75:
      return gpu.compute_major;
    case 76:
      return gpu.compute_minor;
    case 79:
    case 80:
      return 1;  // L1 caches global and local memory
    case 81:
      return gpu.shared_bytes_per_sm;
    case 95:
      return 1;  // cooperative launch
    case 97:
      return gpu.max_shared_bytes_per_block_optin;
    case 106:
      return gpu.max_blocks_per_sm;
    case 111:
      return gpu.reserved_shared_bytes_per_block;
    case 115:
      return 1;  // cudaMallocAsync
    default:
      break;
  }
  for (const Limit& limit : kTextureLimits)
    if (attribute >= limit.attribute && attribute - limit.attribute < limit.count)
      return limit.values[static_cast<std::size_t>(attribute - limit.attribute)];
  if (attribute < 1 || attribute > kHighestAttribute) return std::nullopt;
  return 0;
}

}  // namespace fusebox::cuda
