#include "grader/cli/workshop/dev/parity_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/cases/case_runner.h"
#include "grader/judge/source/function_match.h"

namespace fusebox {
namespace {

constexpr std::uint64_t kParitySeed = 20;

Result<Artifact> compile(const Services& services, const std::filesystem::path& path) {
  const auto source = read_source(path);
  if (!source) return source.error();
  auto compiled = services.compile(*source);
  if (!compiled) return compiled.error();
  if (const auto* failure = std::get_if<CompileFailure>(&*compiled))
    return Error{ErrorKind::internal, path.string() + " does not compile: " + failure->output, ""};
  return std::move(std::get<Artifact>(*compiled));
}

Result<ParityPlan> record(Services services, Device& device, const CompiledFile& program,
                          std::size_t function, const Entry& entry, const Problem& problem) {
  services.device = &device;
  auto call = prepare_call(services, program, function, entry, problem);
  if (!call) return call.error();
  auto recorded = services.record(call->request);
  if (!recorded) return recorded.error();
  if (const auto* failure = std::get_if<RecordFailure>(&*recorded))
    return Error{ErrorKind::internal, entry.signature.function + ": " + failure->what, failure->hint};
  return ParityPlan{std::move(std::get<Recording>(*recorded).plan), std::move(call->buffers)};
}

std::string job_name(const Puzzle& puzzle, const Entry& entry) {
  return puzzle.id + (puzzle.entries.size() > 1 ? " " + entry.name : "");
}

Result<bool> add_solution(const Puzzle& puzzle, const WorkspacePaths& paths, const Services& services,
                          const std::set<std::string>& without, std::vector<ParityJob>& jobs) {
  const auto is_wanted = [&](const Entry& entry) { return !without.contains(job_name(puzzle, entry)); };
  if (std::none_of(puzzle.entries.begin(), puzzle.entries.end(), is_wanted)) return true;
  auto artifact = compile(services, paths.solutions() / (puzzle.id + "_" + puzzle.slug + ".cu"));
  if (!artifact) return artifact.error();
  auto kernels = kernel_parameters(artifact->module);
  if (!kernels) return kernels.error();
  const auto program =
      std::make_shared<const CompiledFile>(CompiledFile{{}, std::move(*artifact), std::move(*kernels)});
  Random random(kParitySeed);
  const auto problem = std::make_shared<const Problem>(puzzle.make(puzzle.counted_case(), random));
  for (const Entry& entry : puzzle.entries) {
    if (!is_wanted(entry)) continue;
    const FunctionMatch match = match_function(entry.signature, program->artifact.functions);
    if (!match.index) return Error{ErrorKind::internal, match.problem, ""};
    ParityJob& job = jobs.emplace_back();
    job.name = job_name(puzzle, entry);
    job.module = std::shared_ptr<const ModuleImage>(program, &program->artifact.module);
    for (const Argument& argument : problem->arguments)
      if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && !tensor->on_host)
        job.types.push_back(tensor->dtype);
    job.make = [services, program, problem, &entry, function = *match.index](Device& device) {
      return record(services, device, *program, function, entry, *problem);
    };
  }
  return true;
}

}  // namespace

Result<std::vector<ParityJob>> prepare_parity_jobs(const WorkspacePaths& paths, Machine& machine,
                                                   const std::set<std::string>& without) {
  const Services services = machine.services();
  auto kernels = compile(services, paths.assets() / "parity" / "kernels.cu");
  if (!kernels) return kernels.error();
  const auto module = std::make_shared<const ModuleImage>(std::move(kernels->module));
  std::vector<ParityJob> jobs;
  for (const ParityRow& row : parity_rows()) {
    if (without.contains(row.name())) continue;
    jobs.push_back({row.name(),
                    module,
                    row.exact,
                    {DType::f32, DType::f32, DType::i32, DType::f32},
                    [row](Device& device) -> Result<ParityPlan> {
                      return make_parity_plan(row, device.address_range());
                    }});
  }
  for (const Puzzle& puzzle : puzzles())
    if (auto added = add_solution(puzzle, paths, services, without, jobs); !added) return added.error();
  return jobs;
}

}  // namespace fusebox
