#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "grader/cli/machine.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"
#include "grader/confine/landlock.h"
#include "grader/gpu/gpu.h"
#include "grader/judge/case_runner.h"
#include "grader/judge/function_match.h"
#include "grader/toolchain/environment.h"
#include "grader/toolchain/files.h"
#include "grader/toolchain/sandbox.h"

namespace fusebox {
namespace {

// Small, but it goes all the way: compiled, recorded, executed, compared.
constexpr const char* kProof = R"(__global__ void twice_kernel(const float* x, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2.0f * x[i];
}

void twice(const float* x, float* out, int count) { twice_kernel<<<(count + 63) / 64, 64>>>(x, out, count); }
)";
constexpr int kCount = 100;

Entry proof_entry() {
  Entry entry;
  entry.name = "kernel";
  entry.signature = signature<void(const float*, float*, int)>("twice");
  return entry;
}

Problem proof_problem() {
  Tensor x, out;
  x.name = "x";
  out.name = "out";
  out.role = Role::out;
  x.shape = out.shape = {kCount};
  for (int i = 0; i < kCount; ++i) {
    x.values.push_back(i - 17);
    out.expected.push_back(2 * (i - 17));
  }
  return {{x, out, std::int32_t{kCount}}};
}

Result<std::string> prove(const WorkspacePaths& paths, const Services& services) {
  CompiledFile program{{paths.build() / "doctor.cu", kProof}, {}, {}};
  const auto compiled = services.compile(program.source);
  if (!compiled) return compiled.error();
  if (const auto* failure = std::get_if<CompileFailure>(&*compiled))
    return Error{ErrorKind::missing_part,
                 "the compiler does not compile a simple kernel:\n" + failure->output, "./fusebox setup"};
  program.artifact = std::get<Artifact>(*compiled);
  auto kernels = kernel_parameters(program.artifact.module);
  if (!kernels) return kernels.error();
  program.kernels = *kernels;

  const Entry entry = proof_entry();
  const Problem problem = proof_problem();
  const auto match = match_function(entry.signature, program.artifact.functions);
  if (!match.index) return Error{ErrorKind::internal, match.problem, "please report it"};
  const auto call = prepare_call(services, program, *match.index, entry, problem);
  if (!call) return call.error();
  const auto recorded = services.record(call->request);
  if (!recorded) return recorded.error();
  const auto result = judge_call(services, program, entry, *call, *recorded);
  if (!result) return result.error();
  if (result->check.outcome != Outcome::passed)
    return Error{ErrorKind::internal, result->check.summary + "\n" + result->check.detail,
                 "please report it"};
  const auto& counters = result->launches.front().counters;
  if (counters.global_load.requests != 4 || counters.global_load.sectors != 13)
    return Error{ErrorKind::internal,
                 fmt::format("100 floats are 4 requests and 13 sectors; counted {} and {}",
                             counters.global_load.requests, counters.global_load.sectors),
                 "please report it"};
  return fmt::format("{} floats through {}: right, {} requests, {} sectors", kCount,
                     result->launches.front().kernel, counters.global_load.requests,
                     counters.global_load.sectors);
}

}  // namespace

int doctor_verb(const WorkspacePaths& paths, const Options& options) {
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  int worst = 0;
  const auto line = [&](bool good, const std::string& what, const std::string& found) {
    fmt::print("  {} {:<12} {}\n", good ? style.good("✓") : style.bad("✗"), what, found);
    std::fflush(stdout);
  };
  const auto problem = [&](const std::string& what, const Error& error) {
    line(false, what, error.what);
    if (!error.remedy.empty()) fmt::print("                 {}\n", error.remedy);
    worst = std::max(worst, exit_code(error.kind));
  };

  utsname system{};
  ::uname(&system);
  line(true, "machine",
       fmt::format("{} {} {}, glibc {}, {} cores", system.sysname, system.release, system.machine,
                   gnu_get_libc_version(), std::thread::hardware_concurrency()));
  line(true, "checkout", paths.root.string());
  const auto probe = paths.build() / "doctor.probe";
  if (auto error = write_atomically(probe, "probe\n"))
    problem("build folder", *error);
  else
    line(true, "build folder", paths.build().string());
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);

  const auto compiler = find_compiler(toolkit_folder(paths.root, paths.build()));
  if (!compiler)
    problem("compiler", compiler.error());
  else
    line(true, "compiler",
         fmt::format("nvcc {}.{}, {}", compiler->major, compiler->minor, compiler->nvcc.string()));
  if (std::filesystem::exists(paths.recorder(), ignored))
    line(true, "recorder", paths.recorder().string());
  else
    problem("recorder",
            {ErrorKind::missing_part, paths.recorder().string() + " is missing", "./fusebox setup"});
  if (const int version = landlock_version(); version > 0)
    line(true, "confinement",
         fmt::format("Landlock {}: a graded file reads the toolkit, and what lies beside it", version));
  else
    fmt::print("  {} {:<12} {}\n", style.quiet("–"), "confinement",
               "this kernel has no Landlock: a graded file reads what you can read");
  const Confinement confined = confinement_here();
  const std::string why = confined.why_no_better.empty() ? "" : "; no better: " + confined.why_no_better;
  if (confined.tier.empty())
    fmt::print("  {} {:<12} limits alone{}\n", style.quiet("–"), "class", why);
  else
    line(true, "class", fmt::format("confined by {}{}", confined.tier, why));
  const MemoryHold memory = memory_hold_here();
  if (memory.groups.empty())
    fmt::print("  {} {:<12} {}\n", style.quiet("–"), "class memory", memory.words);
  else
    line(true, "class memory", memory.words);
  const auto gpu = load_gpu_profile(paths.assets(), options.gpu);
  if (!gpu)
    problem("profile", gpu.error());
  else
    line(true, "profile", fmt::format("{} ({})", gpu->name, gpu->full_name));
  line(true, "puzzles", fmt::format("{} in {}", puzzles().size(), shown(paths.puzzles())));
  if (!gpu::driver_is_present()) {
    fmt::print("  {} {:<12} {}\n", style.quiet("–"), "GPU", "none; the simulator runs the kernels");
  } else {
    if (!confined.bubblewrap.empty()) {
      const GpuNodes nodes = find_gpu_nodes(environment("CUDA_VISIBLE_DEVICES"));
      const std::string problem_there = why_no_gpu_in_sandbox(confined.bubblewrap, paths.executor(), nodes);
      if (problem_there.empty())
        line(true, "class GPU", fmt::format("in bubblewrap, by {} alone", nodes.nodes.back().string()));
      else
        fmt::print("  {} {:<12} without bubblewrap: {}\n", style.quiet("–"), "class GPU", problem_there);
    }
    gpu::GpuSettings settings;
    settings.executor = paths.executor();
    const auto real = gpu::Gpu::open(settings);
    // A driver that does not work is worth knowing, and no reason why grading could not.
    if (real)
      line(true, "GPU",
           fmt::format("{}; launches timed by {}", (*real)->description(), (*real)->info().kernel_times));
    else
      fmt::print("  {} {:<12} {}; the simulator runs the kernels\n", style.quiet("–"), "GPU",
                 real.error().what);
  }
  if (worst != 0) return worst;

  auto machine = Machine::open(paths, options);
  if (!machine) {
    problem("device", machine.error());
    return worst;
  }
  const auto proof = prove(paths, (*machine)->services());
  if (!proof)
    problem("proof", proof.error());
  else
    line(true, "proof", *proof);
  return worst;
}

}  // namespace fusebox
