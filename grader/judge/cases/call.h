#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/judge/cases/services.h"

namespace fusebox {

/// A compiled file, ready to have its host functions called.
struct CompiledFile {
  SourceFile source;
  Artifact artifact;
  std::vector<KernelParameters> kernels;
};

/// Where the parameters of each kernel lie, out of the PTX, and what limits its launches.
Result<std::vector<KernelParameters>> kernel_parameters(const ModuleImage& image);

/// One call of a host function: where its tensors lie and what it is given.
struct Call {
  RecordRequest request;
  std::vector<Buffer> buffers;         ///< one for each tensor, in the order of the arguments
  std::vector<const Tensor*> tensors;  ///< same order; they belong to the problem
  bool counted = false;                ///< its numbers are shown: model them too
  std::uint64_t max_work = 0;          ///< warp instructions; 0: as many as any case may take
  bool races = true;                   ///< look for data races; the counted case is too large for it
};

/// Lays a problem out in the device's memory. Outputs are left undefined, so that a kernel that reads one is
/// found out.
Result<Call> prepare_call(const Services& services, const CompiledFile& program, std::size_t function,
                          const Entry& entry, const Problem& problem);

/// The same call with all its addresses moved.
Call moved(const Call& call, std::uint64_t by);

}  // namespace fusebox
