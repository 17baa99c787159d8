#pragma once

#include <string>

namespace fusebox::gpu {

/// PTX for sm_50 and newer, compiled by the driver. Kernels:
///   fusebox_probe(u32* out)                        out[i] = i * 2654435761 + 1, one block of 256
///   fusebox_wait(u32* flag, u32 round)             returns when *flag >= round, or after a second
///   fusebox_copy(from, to, u64 bytes)              grid-stride, 16-byte accesses, three in flight a thread;
///                                                  addresses and bytes are multiples of 16
///   fusebox_read(from, u64 bytes, u32* sink)       reads everything, so that the caches hold nothing else;
///                                                  writes only in a case that does not happen
///   fusebox_noise(float* out, u64 count, u32 seed) numbers whose bits look random, in (-2, 2)
extern const std::string kOwnKernels;

}  // namespace fusebox::gpu
