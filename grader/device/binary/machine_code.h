#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grader/device/device.h"

namespace fusebox {

/// Registers per thread of each kernel in machine code (an ELF image as fat binaries hold it); nothing else
/// is known from there. The bytes may be hostile: what does not read is left out.
std::vector<KernelResources> read_machine_code(std::span<const std::byte> cubin);

}  // namespace fusebox
