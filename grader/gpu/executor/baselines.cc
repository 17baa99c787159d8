#include "grader/gpu/executor/baselines.h"

#include <initializer_list>
#include <memory>

#include "grader/gpu/executor/linear.h"
#include "grader/gpu/executor/norm.h"

namespace fusebox::gpu {
namespace {

void check_buffers(const TimeRequest& request, std::initializer_list<std::uint32_t> buffers) {
  for (const std::uint32_t buffer : buffers)
    if (buffer >= request.sets.front().size())
      throw ExecutorError{{0, "", "a timing request that contradicts itself", -1}};
}

void check_went(bool went, const std::string& name) {
  if (!went) throw ExecutorError{{0, "", name + " refused what it had a kernel for", -1}};
}

}  // namespace

std::vector<Baseline> library_baselines(ExecutorSession& session, const TimeRequest& request,
                                        cu::DevicePointer workspace, std::uint64_t workspace_bytes) {
  std::vector<Baseline> baselines;
  const auto at = [&request](std::uint32_t set, std::uint32_t buffer) {
    return request.sets[set][buffer].address;
  };
  if (const LinearRequest& wanted = request.linear; wanted.rows > 0) {
    check_buffers(request, {wanted.x, wanted.weight, wanted.bias, wanted.out});
    for (const bool tf32 : {false, true}) {
      const std::string name = tf32 ? "cuBLASLt Linear tf32" : "cuBLASLt Linear fp32";
      const std::shared_ptr<Linear> linear =
          Linear::make({wanted.rows, wanted.inner, wanted.columns, tf32}, workspace, workspace_bytes);
      if (!linear) continue;
      baselines.push_back({name, [&session, wanted, at, linear, name](std::uint32_t set) {
                             check_went(
                                 linear->enqueue(at(set, wanted.x), at(set, wanted.weight),
                                                 at(set, wanted.bias), at(set, wanted.out), session.stream()),
                                 name);
                           }});
    }
  }
  if (const NormRequest& wanted = request.norm; wanted.rows > 0) {
    check_buffers(request, {wanted.x, wanted.scale, wanted.out});
    if (!wanted.rms) check_buffers(request, {wanted.bias});
    if (wanted.statistics) check_buffers(request, {wanted.mean, wanted.rstd});
    const std::string name = wanted.rms ? "cuDNN RMSNorm" : "cuDNN LayerNorm";
    const std::shared_ptr<Norm> norm =
        Norm::make({wanted.rows, wanted.columns, wanted.rms, wanted.statistics, wanted.eps}, workspace,
                   workspace_bytes, session.stream());
    if (norm)
      baselines.push_back({name, [wanted, at, norm, name](std::uint32_t set) {
                             const auto maybe = [&](bool there, std::uint32_t buffer) {
                               return there ? at(set, buffer) : cu::DevicePointer{0};
                             };
                             check_went(norm->enqueue({at(set, wanted.x), at(set, wanted.scale),
                                                       maybe(!wanted.rms, wanted.bias), at(set, wanted.out),
                                                       maybe(wanted.statistics, wanted.mean),
                                                       maybe(wanted.statistics, wanted.rstd)}),
                                        name);
                           }});
  }
  // Once before any clock runs: libraries load code at their first call, and may wait for the device then.
  for (const Baseline& baseline : baselines) {
    baseline.enqueue(0);
    session.synchronize(baseline.name);
  }
  return baselines;
}

}  // namespace fusebox::gpu
