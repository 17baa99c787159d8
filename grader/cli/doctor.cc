#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/confine/landlock.h"
#include "grader/gpu/gpu.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/judge/source/function_match.h"
#include "grader/toolchain/cache/files.h"
#include "grader/toolchain/sandbox/environment.h"
#include "grader/toolchain/sandbox/sandbox.h"

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

/// What is here and what is missing, a line each.
class Checkup {
 public:
  Checkup(const WorkspacePaths& paths, const Options& options)
      : paths_(paths), options_(options), style_(style_for(STDOUT_FILENO, options.no_color)) {}

  void machine();
  void tools();
  void confinement();
  void materials();
  void gpu();
  /// Only where nothing is missing.
  void proof();
  /// The exit code of the worst that was found.
  int worst() const { return worst_; }

 private:
  void line(bool good, const std::string& what, const std::string& found) {
    fmt::print("  {} {:<12} {}\n", good ? style_.good("✓") : style_.bad("✗"), what, found);
    std::fflush(stdout);
  }
  /// Not there, and nothing to repair.
  void without(const std::string& what, const std::string& found) {
    fmt::print("  {} {:<12} {}\n", style_.quiet("–"), what, found);
  }
  void problem(const std::string& what, const Error& error) {
    line(false, what, error.what);
    if (!error.remedy.empty()) fmt::print("                 {}\n", error.remedy);
    worst_ = std::max(worst_, exit_code(error.kind));
  }

  const WorkspacePaths& paths_;
  const Options& options_;
  Style style_;
  Confinement confined_;
  int worst_ = 0;
};

void Checkup::machine() {
  utsname system{};
  ::uname(&system);
  line(true, "machine",
       fmt::format("{} {} {}, glibc {}, {} cores", system.sysname, system.release, system.machine,
                   gnu_get_libc_version(), std::thread::hardware_concurrency()));
  line(true, "checkout", paths_.root.string());
  const auto probe = paths_.build() / "doctor.probe";
  if (auto error = write_atomically(probe, "probe\n"))
    problem("build folder", *error);
  else
    line(true, "build folder", paths_.build().string());
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
}

void Checkup::tools() {
  std::error_code ignored;
  const auto compiler = find_compiler(toolkit_folder(paths_.root, paths_.build()));
  if (!compiler)
    problem("compiler", compiler.error());
  else
    line(true, "compiler",
         fmt::format("nvcc {}.{}, {}", compiler->major, compiler->minor, compiler->nvcc.string()));
  if (std::filesystem::exists(paths_.recorder(), ignored))
    line(true, "recorder", paths_.recorder().string());
  else
    problem("recorder",
            {ErrorKind::missing_part, paths_.recorder().string() + " is missing", "./fusebox setup"});
}

void Checkup::confinement() {
  confined_ = confinement_here();
  if (const int version = landlock_version(); version > 0)
    line(true, "confinement",
         fmt::format("Landlock {}: a graded file reads the toolkit, and what lies beside it", version));
  else
    without("confinement", "this kernel has no Landlock: a graded file reads what you can read");
  const std::string why = confined_.why_no_better.empty() ? "" : "; no better: " + confined_.why_no_better;
  if (confined_.tier.empty())
    without("class", "limits alone" + why);
  else
    line(true, "class", fmt::format("confined by {}{}", confined_.tier, why));
  const MemoryHold memory = memory_hold_here();
  if (memory.groups.empty())
    without("class memory", memory.words);
  else
    line(true, "class memory", memory.words);
}

void Checkup::materials() {
  const auto gpu = load_gpu_profile(paths_.assets(), options_.gpu);
  if (!gpu)
    problem("profile", gpu.error());
  else
    line(true, "profile", fmt::format("{} ({})", gpu->name, gpu->full_name));
  line(true, "puzzles", fmt::format("{} in {}", puzzles().size(), shown(paths_.puzzles())));
}

void Checkup::gpu() {
  if (!gpu::driver_is_present()) {
    without("GPU", "none; the simulator runs the kernels");
  } else {
    if (!confined_.bubblewrap.empty()) {
      const GpuNodes nodes = find_gpu_nodes(environment("CUDA_VISIBLE_DEVICES"));
      const std::string problem_there = why_no_gpu_in_sandbox(confined_.bubblewrap, paths_.executor(), nodes);
      if (problem_there.empty())
        line(true, "class GPU", fmt::format("in bubblewrap, by {} alone", nodes.nodes.back().string()));
      else
        without("class GPU", "without bubblewrap: " + problem_there);
    }
    gpu::GpuSettings settings;
    settings.executor = paths_.executor();
    const auto real = gpu::Gpu::open(settings);
    // A driver that does not work is worth knowing, and no reason why grading could not.
    if (real)
      line(true, "GPU",
           fmt::format("{}; launches timed by {}", (*real)->description(), (*real)->info().kernel_times));
    else
      without("GPU", real.error().what + "; the simulator runs the kernels");
  }
}

void Checkup::proof() {
  auto machine = Machine::open(paths_, options_);
  if (!machine) return problem("device", machine.error());
  const auto proof = prove(paths_, (*machine)->services());
  if (!proof)
    problem("proof", proof.error());
  else
    line(true, "proof", *proof);
}

}  // namespace

int doctor_verb(const WorkspacePaths& paths, const Options& options) {
  Checkup checkup(paths, options);
  checkup.machine();
  checkup.tools();
  checkup.confinement();
  checkup.materials();
  checkup.gpu();
  if (checkup.worst() == 0) checkup.proof();
  return checkup.worst();
}

}  // namespace fusebox
