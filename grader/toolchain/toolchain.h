#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/report/result.h"

namespace fusebox {

/// One message of the compiler about the learner's file.
struct Diagnostic {
  std::string file;
  int line = 0, column = 0;  ///< 0: unknown
  std::string severity;      ///< "error", "warning"
  std::string text;
  int instantiated_at = 0;  ///< in a template: the line that asked for it; 0: it is in none
};

/// What nvcc made of one .cu file for one architecture.
struct Artifact {
  std::string source_sha256;
  std::filesystem::path host_library;  ///< shared object with the host functions and the fat binary
  ModuleImage module;                  ///< PTX out of the fat binary, cubin, registers
  std::vector<std::string> functions;  ///< demangled host functions that the file defines, "f(int, float*)"
  std::vector<std::string> mangled;    ///< the same, mangled, same order
  std::vector<Diagnostic> warnings;
};

/// A compile that failed because of the file: a verdict, not an error.
struct CompileFailure {
  std::vector<Diagnostic> diagnostics;
  std::string output;    ///< the compiler's own words
  bool limited = false;  ///< a limit of time, memory or size ended it
};
using CompileResult = std::variant<Artifact, CompileFailure>;

/// A CUDA compiler that was found.
struct Compiler {
  std::filesystem::path nvcc;
  int major = 0, minor = 0;
};

/// The folder that set-up puts the wheels' compiler in, for programs that were built in `build`: that
/// folder's own, or the checkout's, which build folders of another kind share.
std::filesystem::path toolkit_folder(const std::filesystem::path& root, const std::filesystem::path& build);

/// Looks on PATH, in CUDA_HOME, /usr/local/cuda*, and in `toolkit` (see above).
/// None, or older than 12: an error that says what was found and how to get one.
Result<Compiler> find_compiler(const std::filesystem::path& toolkit);

class Toolchain {
 public:
  /// Compiled files are kept under `cache`, by content: nothing is compiled twice.
  Toolchain(Compiler compiler, std::filesystem::path cache);

  /// Compiles `source` for `architecture` ("90"). An unwritable cache or a full disk is an error with exit
  /// code 3.
  Result<CompileResult> compile(const std::filesystem::path& source, const std::string& architecture);
  /// The same for text that is not a file: `name` is what diagnostics and line tables call it.
  Result<CompileResult> compile_text(const std::string& text, const std::string& name,
                                     const std::string& architecture);
  /// What a GPU runs of it: of an artifact the same `module`, the warnings and nothing else. A little more
  /// than half of the time.
  Result<CompileResult> compile_module(const std::string& text, const std::string& name,
                                       const std::string& architecture);
  /// Its device code alone: of an artifact the same PTX in `module`, and nothing else. A half to a third of
  /// the time.
  Result<CompileResult> compile_device_code(const std::string& text, const std::string& name,
                                            const std::string& architecture);

  const Compiler& compiler() const { return compiler_; }

 private:
  Compiler compiler_;
  std::filesystem::path cache_;
};

}  // namespace fusebox
