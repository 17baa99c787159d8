#include <fmt/format.h>
#include <signal.h>

#include "grader/classroom/desk.h"
#include "grader/classroom/ingest.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/cache/cache.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

// An archive that a student can make takes a fraction of a second.
constexpr std::uint64_t kUnpackSeconds = 10, kUnpackMemory = 1ull << 30;

Handed faulty(std::string why) { return {std::nullopt, std::move(why), true}; }

// The program's answer, or what its end says of the archive.
Handed read_answer(const ProcessResult& run, const std::string& archive) {
  const std::string file = "file\n", refused = "refused\n";
  if (run.exit_code == 0 && run.output.starts_with(file)) return {run.output.substr(file.size()), ""};
  if (run.exit_code == 0 && run.output.starts_with(refused))
    return {std::nullopt, fmt::format("{}: {}", archive, run.output.substr(refused.size()))};
  if (run.exit_code == 128 + SIGXCPU)
    return {std::nullopt, fmt::format("{} takes more than {} s to unpack", archive, kUnpackSeconds)};
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT})
    if (run.exit_code == 128 + signal) return {std::nullopt, fmt::format("{} cannot be unpacked", archive)};
  return faulty(fmt::format("the unpacker ended with exit code {}", run.exit_code));
}

}  // namespace

Handed take_from_archive(const std::string& bytes, const std::string& archive, const std::string& name,
                         const Unpacking& unpacking) {
  std::error_code error;
  if (!fs::exists(unpacking.program, error))
    return faulty(fmt::format(
        "{} cannot be read here: this machine lacks libarchive (Debian: libarchive-dev)", archive));
  const Desk desk(unpacking.desk);
  // Under a generated name with the extension that says what it is.
  const fs::path copy = desk.path() / ("handed" + fs::path(archive).extension().string());
  if (!write_file(copy, bytes)) return faulty("no room for a copy of the archive");
  ProcessOptions options;
  options.time_limit_s = 10 * kUnpackSeconds;
  options.limits.cpu_s = kUnpackSeconds;
  options.limits.memory_bytes = kUnpackMemory;
  options.directory = desk.path();
  options.rights = FileRights{{"/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store",
                               unpacking.program.parent_path(), desk.path()},
                              {"/dev/null"}};
  const auto run = run_process({unpacking.program.string(), copy.string(), name}, options);
  return run ? read_answer(*run, archive) : faulty(run.error().what);
}

}  // namespace fusebox::classroom
