#pragma once

#include <cstddef>
#include <cstdint>

// The part of the CUDA runtime's binary interface that the recorder and the simulator's runtime offer, in our
// own declarations: both are built where no CUDA Toolkit is. CUDA 12 and 13 agree on all of it but the layout
// of cudaDeviceProp (device_properties.cc).
namespace fusebox::cuda {

using Error = int;  ///< cudaError_t

inline constexpr Error kSuccess = 0, kInvalidValue = 1, kMemoryAllocation = 2, kInitializationError = 3,
                       kInvalidConfiguration = 9, kInvalidPitch = 12, kInvalidSymbol = 13,
                       kInvalidChannelDescriptor = 20, kInvalidMemcpyDirection = 21,
                       kInvalidFilterSetting = 26, kInvalidNormSetting = 27, kMissingConfiguration = 52,
                       kInvalidDeviceFunction = 98, kInvalidDevice = 101, kInvalidKernelImage = 200,
                       kNoKernelImage = 209, kUnsupportedLimit = 215, kInvalidPtx = 218,
                       kUnsupportedPtxVersion = 222, kInvalidResourceHandle = 400, kNotReady = 600,
                       kIllegalAddress = 700, kLaunchOutOfResources = 701, kLaunchTimeout = 702,
                       kPeerAccessNotEnabled = 705, kAssert = 710, kHostMemoryAlreadyRegistered = 712,
                       kHostMemoryNotRegistered = 713, kMisalignedAddress = 716, kLaunchFailure = 719,
                       kCooperativeLaunchTooLarge = 720, kNotSupported = 801, kStreamCaptureUnsupported = 900,
                       kStreamCaptureInvalidated = 901, kStreamCaptureMerge = 902,
                       kStreamCaptureUnmatched = 903, kStreamCaptureUnjoined = 904,
                       kStreamCaptureImplicit = 906, kGraphExecUpdateFailure = 910, kIllegalState = 401,
                       kSymbolNotFound = 500, kInvalidClusterSize = 912;

enum CopyKind : int { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kInferred };

/// dim3, passed by value.
struct Extent {
  unsigned x, y, z;
};

struct LaunchAttribute {
  std::uint32_t id;
  std::uint32_t padding;
  union {
    int cooperative;
    Extent cluster;
    void* event;
    std::byte space[64];
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

inline constexpr std::uint32_t kAttributeIgnore = 0, kAttributeCooperative = 2, kAttributeCluster = 4,
                               kAttributeProgrammaticStreamSerialization = 6, kAttributeAccessPolicy = 1,
                               kAttributeClusterScheduling = 5, kAttributeMemoryDomainMap = 9,
                               kAttributeMemoryDomain = 10, kAttributeSharedCarveout = 14,
                               kAttributePriority = 8, kAttributeProgrammaticEvent = 7,
                               kAttributeLaunchCompletionEvent = 12;

struct LaunchConfig {
  Extent grid, block;
  std::size_t dynamic_shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

/// cudaPitchedPtr, cudaPos (x in bytes for linear memory), cudaExtent (width in bytes).
struct PitchedPointer {
  void* pointer;
  std::size_t pitch, width, height;
};
struct Position {
  std::size_t x, y, z;
};
struct Volume {
  std::size_t width, height, depth;
};

/// cudaChannelFormatDesc: bits of each channel; 0 signed, 1 unsigned, 2 floating.
struct Channels {
  int bits[4];
  int kind;
};

/// cudaMemLocation.
struct Location {
  static constexpr int kNone = 0, kDevice = 1, kHost = 2;
  int type, id;
};
static_assert(sizeof(Location) == 8);

struct Copy3D {
  const void* from_array;
  Position from_position;
  PitchedPointer from;
  void* to_array;
  Position to_position;
  PitchedPointer to;
  Volume volume;
  int kind;
};
static_assert(sizeof(Copy3D) == 160);

/// cudaMemcpy3DPeerParms.
struct CopyPeers {
  const void* from_array;
  Position from_position;
  PitchedPointer from;
  int from_device;
  void* to_array;
  Position to_position;
  PitchedPointer to;
  int to_device;
  Volume volume;
};
static_assert(sizeof(CopyPeers) == 168);

enum MemoryType : int { kUnregisteredMemory, kHostMemory, kDeviceMemory, kManagedMemory };

/// As in CUDA 12; CUDA 13 added reserved fields behind, which must stay 0.
struct PointerAttributes {
  int type, device;
  void* device_pointer;
  void* host_pointer;
};
static_assert(sizeof(PointerAttributes) == 24);

/// What __cudaRegisterFatBinary is given.
struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* container;
  const void* more;  ///< with version 2: the containers to link
};
inline constexpr std::uint32_t kFatBinaryWrapperMagic = 0x466243b1;

struct FunctionAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads_per_block, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared_bytes;
  int preferred_shared_carveout, cluster_must_be_set, cluster_width, cluster_height, cluster_depth;
  int cluster_scheduling_policy, non_portable_cluster_size_allowed;
  int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);

inline constexpr int kFunctionMaxDynamicShared = 8, kFunctionSharedCarveout = 9, kFunctionLargeClusters = 14,
                     kFunctionClusterScheduling = 15;

}  // namespace fusebox::cuda
