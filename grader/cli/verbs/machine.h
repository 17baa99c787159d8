#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "grader/cli/verbs/options.h"
#include "grader/gpu/gpu.h"
#include "grader/judge/cases/services.h"
#include "grader/report/workspace_paths.h"

namespace fusebox {

/// The real compiler, recorder and device behind Services. Lives as long as what uses its services.
class Machine {
 public:
  /// Finds the compiler and sets the devices up. What is missing, among it a GPU that was asked for, is an
  /// error with exit 3.
  static Result<std::unique_ptr<Machine>> open(const WorkspacePaths& paths, const Options& options);

  Services services();
  const Toolchain& toolchain() const { return toolchain_; }
  /// The GPU of this machine; null: none, or not wanted.
  gpu::Gpu* gpu() const { return real_gpu_.get(); }
  const std::string& architecture() const { return architecture_; }
  /// "simulator (PTX), profile h200; NVIDIA H200, driver 580.159.04"
  const std::string& description() const { return description_; }

 private:
  Machine(Toolchain toolchain, Recorder recorder, std::unique_ptr<Device> device, GpuProfile gpu,
          std::string description, std::filesystem::path root);
  /// Takes the checkout's folder out of paths in a compiler's words.
  void shorten(std::string& text) const;
  /// The same of what a compiler says.
  Result<CompileResult> shortened(Result<CompileResult> result) const;

  Toolchain toolchain_;
  Recorder recorder_;
  std::unique_ptr<Device> device_, reference_device_;
  std::unique_ptr<gpu::Gpu> real_gpu_;
  GpuProfile gpu_;
  std::string architecture_, description_;
  std::filesystem::path root_;
  std::optional<std::uint64_t> schedule_;
  double seconds_ = 0;
  std::uint64_t memory_bytes_ = 0;
};

}  // namespace fusebox
