#include "grader/cli/verbs/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/simulator.h"

namespace fusebox {

Machine::Machine(Toolchain toolchain, Recorder recorder, std::unique_ptr<Device> device, GpuProfile gpu,
                 std::string description, std::filesystem::path root)
    : toolchain_(std::move(toolchain)),
      recorder_(std::move(recorder)),
      device_(std::move(device)),
      reference_device_(std::make_unique<sim::Simulator>(gpu)),
      gpu_(std::move(gpu)),
      architecture_(fmt::format("{}{}", gpu_.compute_major, gpu_.compute_minor)),
      description_(std::move(description)),
      root_(std::move(root)) {}

namespace {

/// The GPU of this machine, where one is wanted: null when "auto" finds none, or none that works.
Result<std::unique_ptr<gpu::Gpu>> find_gpu(const WorkspacePaths& paths, const Options& options) {
  const bool must = options.backend == "gpu";
  if (options.backend == "sim" || (!must && !gpu::driver_is_present())) return std::unique_ptr<gpu::Gpu>();
  gpu::GpuSettings settings;
  settings.executor = paths.executor();
  auto found = gpu::Gpu::open(settings);
  if (!found && !must) return std::unique_ptr<gpu::Gpu>();
  return found;
}

/// What is known of that GPU: its profile in assets/ where there is one, else its own words.
GpuProfile profile_of(const gpu::Gpu& gpu, const WorkspacePaths& paths, const GpuProfile& like) {
  for (const std::string& name : gpu_profile_names(paths.assets()))
    if (auto known = load_gpu_profile(paths.assets(), name); known && known->full_name == gpu.info().name)
      return std::move(known.value());
  return gpu.profile(like);
}

}  // namespace

Result<std::unique_ptr<Machine>> Machine::open(const WorkspacePaths& paths, const Options& options) {
  auto gpu = load_gpu_profile(paths.assets(), options.gpu);
  if (!gpu) return gpu.error();
  auto real = find_gpu(paths, options);
  if (!real) return real.error();
  if (*real && !options.gpu_chosen) gpu = profile_of(**real, paths, *gpu);
  if (*real && std::pair(gpu->compute_major, gpu->compute_minor) >
                   std::pair((*real)->info().compute_major, (*real)->info().compute_minor)) {
    // Code for a newer GPU does not run on this one.
    if (options.backend == "gpu")
      return Error{
          ErrorKind::wrong_usage,
          fmt::format("--gpu {} asks for code that the {} cannot run", options.gpu, (*real)->info().name),
          "leave --gpu out, or take --backend sim"};
    real->reset();
  }
  auto compiler = find_compiler(toolkit_folder(paths.root, paths.build()));
  if (!compiler) return compiler.error();
  std::error_code error;
  if (!std::filesystem::exists(paths.recorder(), error))
    return Error{ErrorKind::missing_part, fmt::format("{} is missing", paths.recorder().string()),
                 "build it: ./fusebox setup"};

  // What a host function does is a handful of calls; a second of it is a loop. The clock is for one that
  // waits.
  RecordLimits limits;
  limits.wall_seconds = 30;
  limits.cpu_seconds = 2;
  if (options.timeout > 0) limits.wall_seconds = std::min(limits.wall_seconds, options.timeout);
  limits.address_space_bytes = options.memory_mib << 20;
  std::string description = fmt::format("simulator (PTX), profile {}", gpu->name);
  if (*real) description += "; " + (*real)->description();
  if (options.schedule) description += fmt::format(", schedule {}", *options.schedule);
  auto machine = std::unique_ptr<Machine>(new Machine(
      Toolchain(std::move(compiler.value()), paths.cache()), Recorder(paths.recorder(), limits),
      std::make_unique<sim::Simulator>(gpu.value()), gpu.value(), std::move(description), paths.root));
  machine->schedule_ = options.schedule;
  machine->seconds_ = options.timeout;
  machine->memory_bytes_ = options.memory_mib << 20;
  machine->real_gpu_ = std::move(real.value());
  return machine;
}

void Machine::shorten(std::string& text) const {
  const std::string prefix = root_.string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
}

Result<CompileResult> Machine::shortened(Result<CompileResult> result) const {
  if (!result) return result;
  if (auto* failure = std::get_if<CompileFailure>(&result.value())) {
    shorten(failure->output);
    for (Diagnostic& diagnostic : failure->diagnostics) shorten(diagnostic.file), shorten(diagnostic.text);
  } else {
    for (Diagnostic& diagnostic : std::get<Artifact>(result.value()).warnings)
      shorten(diagnostic.file), shorten(diagnostic.text);
  }
  return result;
}

Services Machine::services() {
  Services services;
  // An absolute name makes the same cache entry from every current folder; people read the short one.
  const auto name_of = [](const SourceFile& source) {
    return std::filesystem::absolute(source.path).lexically_normal().string();
  };
  services.compile = [this, name_of](const SourceFile& source) {
    return shortened(toolchain_.compile_text(source.text, name_of(source), architecture_));
  };
  services.compile_module = [this, name_of](const SourceFile& source) {
    return shortened(toolchain_.compile_module(source.text, name_of(source), architecture_));
  };
  services.compile_device_code = [this, name_of](const SourceFile& source) {
    return shortened(toolchain_.compile_device_code(source.text, name_of(source), architecture_));
  };
  services.record = [this](const RecordRequest& request) { return recorder_.record(request); };
  services.device = device_.get();
  services.reference_device = reference_device_.get();
  services.gpu = gpu_;
  services.gpu_device = real_gpu_.get();
  if (real_gpu_) services.gpu_name = real_gpu_->info().name;
  services.schedule = schedule_;
  services.seconds = seconds_;
  services.memory_bytes = memory_bytes_;
  return services;
}

}  // namespace fusebox
