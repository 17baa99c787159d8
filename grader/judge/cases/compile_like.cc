#include "grader/judge/cases/compile_like.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/judge/cases/other_device_code.h"
#include "grader/judge/source/host_code.h"

namespace fusebox {
namespace {

/// Whether all kernels of the one are in the other: what the host code launches without launching it by name,
/// a compiler makes of the text around it.
bool has_kernels_of(const ModuleImage& module, const ModuleImage& other) {
  const std::vector<KernelResources>& all = module.resources;
  return std::all_of(other.resources.begin(), other.resources.end(), [&](const KernelResources& wanted) {
    return std::any_of(all.begin(), all.end(),
                       [&](const KernelResources& kernel) { return kernel.kernel == wanted.kernel; });
  });
}

}  // namespace

Artifact with_module(const Artifact& host, ModuleImage module) {
  Artifact artifact = host;
  std::string ptx = with_static_names_of(host.module.ptx, module.ptx);
  // Machine code has the other names still; a GPU's driver makes it anew.
  if (ptx != module.ptx) module.cubin.clear();
  module.ptx = std::move(ptx);
  artifact.module = std::move(module);
  return artifact;
}

Result<CompileResult> compile_like(const Services& services, const SourceFile& reference,
                                   const std::function<const Artifact*()>& host, const SourceFile& source) {
  const bool known = services.known && services.known(source.text);
  if (known || !services.compile_module || host_code_of(source.text) != host_code_of(reference.text))
    return services.compile(source);
  auto compiled = services.compile_module(source);
  auto* const mine = compiled ? std::get_if<Artifact>(&*compiled) : nullptr;
  if (!mine) return compiled;
  const Artifact* const program = host();
  if (!program || !has_kernels_of(mine->module, program->module)) return services.compile(source);
  Artifact artifact = with_module(*program, std::move(mine->module));
  artifact.source_sha256 = std::move(mine->source_sha256);
  artifact.warnings = std::move(mine->warnings);
  return CompileResult(std::move(artifact));
}

}  // namespace fusebox
