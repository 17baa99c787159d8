#include "grader/toolchain/toolchain.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "grader/confine/defences.h"
#include "grader/device/binary/fat_binary.h"
#include "grader/process/run_process.h"
#include "grader/report/json/json_text.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/sha256.h"
#include "grader/toolchain/host_object.h"
#include "grader/toolchain/messages.h"
#include "grader/toolchain/sandbox/compile_rights.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Far above what honest files need (a second or two): what feeds a compiler without end is stopped here, and
// not where the machine ends. Of processor time, for each of the compiler's programs, so that what else the
// machine does makes no verdict; the clock is only for a compiler that waits.
constexpr std::uint64_t kCompileCpuS = 20;
constexpr double kCompileClockS = 600;
constexpr std::uint64_t kCompileMemory = 4ull << 30, kLargestObject = 512ull << 20;
constexpr int kFactsVersion = 2;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What is asked for, and how.
struct Parts {
  std::vector<std::string> flags;
  const char* made;                 // what nvcc writes, in the workspace
  bool machine_code, host_library;  // of what it makes
};

// Plain text in the fat binary: the simulator reads the PTX that the host object carries, so one nvcc call
// makes all. -O is of the host's code alone, which only launches: at -O3 the compiler would take a tenth
// longer for the same kernels.
const Parts kAll = {{"-x", "cu", "-c", "-std=c++17", "-O1", "-lineinfo", "-no-compress", "-Xptxas", "-v",
                     "-Xcompiler", "-fPIC"},
                    "object.o",
                    true,
                    true};

// The same PTX and machine code: the host's compiler does not run.
const Parts kModule = {
    {"-x", "cu", "-fatbin", "-std=c++17", "-O1", "-lineinfo", "-no-compress", "-Xptxas", "-v"},
    "module.fatbin",
    true,
    false};

// The same PTX and nothing else: ptxas does not run either.
const Parts kDeviceCode = {
    {"-x", "cu", "-ptx", "-std=c++17", "-O1", "-lineinfo"}, "module.ptx", false, false};

// One compile: where the text is, what it is called, and what was asked for.
struct Job {
  std::string path;     // given to nvcc
  std::string name;     // what messages call it
  std::string text;     // its contents
  std::string include;  // one more folder for quoted includes, or empty
  std::string architecture;
  const Parts* parts = &kAll;
};

// The bytes of every quoted include that exists beside the file, and of what those include. Headers of the
// toolkit are covered by its version.
void add_includes(const fs::path& folder, const std::string& text, std::set<fs::path>& seen,
                  std::string& all) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t open = line.find('"');
    if (open == line.npos) continue;
    std::string directive = line.substr(0, open);
    std::erase_if(directive, [](char c) { return c == ' ' || c == '\t'; });
    if (directive != "#include") continue;
    const std::string name = line.substr(open + 1, line.find('"', open + 1) - open - 1);
    const fs::path file = (folder / name).lexically_normal();
    if (!seen.insert(file).second) continue;
    const auto contents = read_file(file);
    all += fmt::format("\n{} {}\n", file.string(), contents ? contents->size() : 0);
    if (!contents) continue;
    all += contents.value();
    add_includes(file.parent_path(), contents.value(), seen, all);
  }
}

std::string key_of(const Job& job, const Compiler& compiler) {
  std::string all =
      fmt::format("{}\n{}\n{}.{}\n{}\n{}\n{}\n", kFactsVersion, compiler.nvcc.string(), compiler.major,
                  compiler.minor, job.architecture, job.name, fs::absolute(job.name).string());
  for (const auto& flag : job.parts->flags) all += flag + '\n';
  if (const char* host = std::getenv("NVCC_CCBIN")) all += host;
  all += fmt::format("\n{}\n", job.text.size()) + job.text;
  std::set<fs::path> seen;
  add_includes(fs::path(job.name).parent_path(), job.text, seen, all);
  return sha256_hex(all);
}

bool contains_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != text.npos; });
}

Result<ProcessResult> run_nvcc(const Job& job, const Compiler& compiler, const fs::path& folder) {
  std::vector<std::string> argv = {compiler.nvcc.string()};
  argv.insert(argv.end(), job.parts->flags.begin(), job.parts->flags.end());
  argv.push_back("-gencode");
  const std::string machine_code = job.parts->machine_code ? fmt::format("sm_{},", job.architecture) : "";
  argv.push_back(fmt::format("arch=compute_{0},code=[{1}compute_{0}]", job.architecture, machine_code));
  if (!job.include.empty()) argv.insert(argv.end(), {"-I", job.include});
  argv.insert(argv.end(), {"-o", (folder / job.parts->made).string(), job.path});

  ProcessOptions options;
  options.time_limit_s = kCompileClockS;
  options.limits.cpu_s = in_force(Defence::compiler_processor_time, kCompileCpuS);
  options.limits.memory_bytes = in_force(Defence::compiler_memory, kCompileMemory);
  options.limits.file_bytes = in_force(Defence::compiler_file_size, kLargestObject);
  const char* path = std::getenv("PATH");
  options.environment = {"TMPDIR=" + folder.string(),
                         fmt::format("PATH={}:{}", compiler.nvcc.parent_path().string(),
                                     path == nullptr ? "/usr/bin:/bin" : path),
                         // The same file gives the same artifact whatever the caller's shell says.
                         "LC_ALL=C", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CPATH", "C_INCLUDE_PATH",
                         "CPLUS_INCLUDE_PATH",
                         // Its cache lies where nothing is written.
                         "CCACHE_DISABLE=1", kLargePages};
  if (in_force(Defence::compiler_files))
    options.rights = rights_to_compile(compiler.nvcc, fs::path(job.name).parent_path(), folder);
  return run_process(argv, options);
}

// Whether this machine compiles and links a file that nothing is wrong with. Then a failure is the learner's,
// whatever words that file put into the compiler's mouth.
bool machine_compiles(const std::string& architecture, const Compiler& compiler, const fs::path& workspace) {
  const fs::path folder = workspace / "probe";
  Job probe;
  probe.path = probe.name = (folder / "probe.cu").string();
  probe.architecture = architecture;
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  if (!write_file(probe.path, "__global__ void kernel() {}\nvoid launch() { kernel<<<1, 1>>>(); }\n"))
    return false;
  const auto run = run_nvcc(probe, compiler, folder);
  if (!run || run->exit_code != 0) return false;
  const auto object = read_file(folder / "object.o");
  if (!object) return false;
  const auto symbols = read_object_symbols(std::as_bytes(std::span(object.value())));
  return symbols.ok() && link_host_library(folder, symbols.value()).ok();
}

// A fault of the machine, not of the file, as far as the compiler's output can be believed.
std::optional<Error> machine_fault(const std::string& output) {
  if (contains_any(output, {"gcc: not found", "g++: not found", "Failed to preprocess host compiler",
                            "failed to preprocess host compiler", "cc1plus: No such file",
                            "cannot execute 'cc1plus'", "error trying to exec 'cc1plus'"}))
    return Error{ErrorKind::missing_part, "nvcc finds no host C++ compiler: " + output, "./fusebox setup"};
  if (contains_any(output, {"host_config.h"}) && contains_any(output, {"#error"}))
    return Error{ErrorKind::missing_part, "nvcc refuses this machine's host C++ compiler: " + output,
                 "install an older g++ and set NVCC_CCBIN to it"};
  if (const auto at = output.find("nvcc fatal");
      at != std::string::npos && (at == 0 || output[at - 1] == '\n'))
    return Error{ErrorKind::missing_part, output, "./fusebox setup"};
  return std::nullopt;
}

// Why there is no message of the compiler's own that says it, or none that a learner understands; empty where
// there is.
std::string stopped_by_a_limit(const ProcessResult& run) {
  if (run.timed_out)
    return fmt::format("compiling did not end within {} s by the clock and was stopped", kCompileClockS);
  if (run.exit_code == 128 + SIGXCPU ||
      contains_any(run.output, {"CPU time limit exceeded", "died due to signal 24"}))
    return fmt::format(
        "it does not compile within {} s of processor time and was stopped: look for a loop that is unrolled, or a macro or template that is expanded, too many times",
        kCompileCpuS);
  if (contains_any(run.output,
                   {"out of memory", "virtual memory exhausted", "std::bad_alloc", "Cannot allocate memory",
                    "memory exhausted", "Loop in catastrophic error processing"}))
    return fmt::format("compiling needed more than {} GiB of memory and was stopped", kCompileMemory >> 30);
  if (contains_any(run.output, {"File size limit exceeded", "File too large"}))
    return fmt::format("the compiled file is larger than {} MiB", kLargestObject >> 20);
  return {};
}

// A failed nvcc is the learner's affair unless the machine is at fault.
Result<CompileResult> explain_failure(const Job& job, const ProcessResult& run, const Compiler& compiler,
                                      const fs::path& workspace) {
  if (contains_any(run.output, {"No space left on device", "Disk quota exceeded"}) && is_full(workspace))
    return Cache::cannot_write(workspace.parent_path().parent_path(), "no space left on the disk");
  if (const auto fault = machine_fault(run.output);
      fault && !machine_compiles(job.architecture, compiler, workspace))
    return *fault;
  CompileFailure failure{parse_diagnostics(run.output, job.text, job.name), run.output, false};
  // Temporary names mean nothing to the reader.
  if (job.path != job.name)
    for (std::size_t at; (at = failure.output.find(job.path)) != std::string::npos;)
      failure.output.replace(at, job.path.size(), job.name);
  const auto is_error = [](const Diagnostic& message) { return message.severity == "error"; };
  const std::string limit = stopped_by_a_limit(run);
  failure.limited = !limit.empty();
  if (failure.limited)
    failure.diagnostics.insert(failure.diagnostics.begin(), {job.name, 0, 0, "error", limit});
  else if (std::none_of(failure.diagnostics.begin(), failure.diagnostics.end(), is_error))
    failure.diagnostics.push_back(
        {job.name, 0, 0, "error",
         fmt::format("nvcc failed (exit code {}) without a message", run.exit_code)});
  return CompileResult(std::move(failure));
}

// The same of a link that failed: an array that no address reaches is in the learner's file.
Result<CompileResult> explain_link_failure(const Job& job, const Error& error, const Compiler& compiler,
                                           const fs::path& workspace) {
  if (is_full(workspace))
    return Cache::cannot_write(workspace.parent_path().parent_path(), "no space left on the disk");
  if (!machine_compiles(job.architecture, compiler, workspace)) return error;
  const bool too_far = contains_any(error.what, {"relocation truncated", "GOTPCREL", "out of range"});
  CompileFailure failure;
  failure.output = error.what;
  failure.diagnostics.push_back({job.name, 0, 0, "error",
                                 too_far
                                     ? "it cannot be linked: its global arrays are larger than 2 GiB together"
                                     : "it cannot be linked"});
  return CompileResult(std::move(failure));
}

json to_json(const Diagnostic& message) {
  return {message.file, message.line, message.column, message.severity, message.text};
}

Diagnostic diagnostic_of(const json& message) {
  return {message.at(0), message.at(1), message.at(2), message.at(3), message.at(4)};
}

std::string facts_of(const Job& job, const ObjectSymbols& symbols, const std::string& output) {
  json facts;
  facts["source_sha256"] = sha256_hex(job.text);
  facts["resources"] = json::array();
  std::set<std::string> kernels;
  for (const auto& kernel : parse_resources(output)) {
    kernels.insert(kernel.kernel);
    facts["resources"].push_back(
        {kernel.kernel, kernel.registers, kernel.static_shared_bytes, kernel.spill_bytes});
  }
  // On the host side a kernel's name is nvcc's launch stub, not a function of the learner.
  facts["functions"] = json::array();
  for (const auto& name : symbols.functions)
    if (!kernels.contains(name) && name.find("__device_stub__") == name.npos)
      facts["functions"].push_back(name);
  facts["warnings"] = json::array();
  for (const auto& message : parse_diagnostics(output, job.text, job.name))
    facts["warnings"].push_back(to_json(message));
  // Names from the file may be no UTF-8.
  return json_text(facts);
}

// Beside the key of what a file compiles to, that of how it fails.
std::string failure_key(const std::string& key) { return sha256_hex("failure of " + key); }

// Whether the same text fails in the same way next time. What a limit ended may be the machine's doing, and a
// file that was not found may be there then.
bool is_lasting(const CompileFailure& failure) {
  return !failure.limited && failure.output.find("error") != std::string::npos &&
         !contains_any(failure.output, {"No such file", "cannot open source file", "died due to",
                                        "internal error", "internal compiler error", "Killed"});
}

// Known mistakes and blanks that do not compile alone are tried at every grade: nvcc need not say so twice.
void store_failure(const std::string& key, const CompileFailure& failure, Cache& cache,
                   const Workspace& workspace) {
  if (!is_lasting(failure)) return;
  json facts;
  facts["output"] = failure.output;
  facts["diagnostics"] = json::array();
  for (const Diagnostic& message : failure.diagnostics) facts["diagnostics"].push_back(to_json(message));
  // An entry is a library and its facts; this one has an empty library. Without it the compiler is asked
  // again.
  const fs::path nothing = workspace.folder() / "nothing.so";
  if (write_file(nothing, "")) (void)cache.store(failure_key(key), workspace, nothing, json_text(facts));
}

std::optional<CompileFailure> find_failure(const std::string& key, Cache& cache) {
  const auto entry = cache.find(failure_key(key));
  const json facts = entry ? parse_json(entry->facts) : json();
  if (!facts.is_object()) return std::nullopt;
  CompileFailure failure;
  failure.output = facts.at("output");
  for (const json& message : facts.at("diagnostics")) failure.diagnostics.push_back(diagnostic_of(message));
  return failure;
}

Result<CompileResult> artifact_of(const CacheEntry& entry, const Parts& parts) {
  const json facts = parse_json(entry.facts);
  if (facts.is_discarded())
    return Error{ErrorKind::internal, "the cache's facts are no JSON", "./fusebox setup"};
  Artifact artifact;
  artifact.source_sha256 = facts.at("source_sha256");
  if (!parts.machine_code) {
    artifact.module.ptx.assign(reinterpret_cast<const char*>(entry.library_bytes.data()),
                               entry.library_bytes.size());
    return CompileResult(std::move(artifact));
  }
  if (parts.host_library) artifact.host_library = entry.library;
  for (const auto& kernel : facts.at("resources"))
    artifact.module.resources.push_back({kernel.at(0), kernel.at(1), kernel.at(2), kernel.at(3)});
  for (const auto& name : facts.at("functions")) {
    artifact.mangled.push_back(name);
    artifact.functions.push_back(demangle_names(name));
  }
  for (const auto& message : facts.at("warnings")) artifact.warnings.push_back(diagnostic_of(message));
  const auto images =
      parts.host_library ? read_fat_binary_of_elf(entry.library_bytes) : read_fat_binary(entry.library_bytes);
  if (!images) return images.error();
  for (const auto& image : images.value()) {
    if (image.kind == FatBinaryEntry::Kind::ptx)
      artifact.module.ptx.assign(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    else if (image.kind == FatBinaryEntry::Kind::elf)
      artifact.module.cubin = image.bytes;
  }
  return CompileResult(std::move(artifact));
}

Result<CompileResult> compile_job(const Job& job, const std::string& key, const Compiler& compiler,
                                  Cache& cache, const Workspace& workspace) {
  const auto run = run_nvcc(job, compiler, workspace.folder());
  if (!run) return run.error();
  if (run->exit_code != 0 || run->timed_out) {
    auto explained = explain_failure(job, run.value(), compiler, workspace.folder());
    if (explained) store_failure(key, std::get<CompileFailure>(*explained), cache, workspace);
    return explained;
  }

  if (!job.parts->host_library) {
    const auto entry =
        cache.store(key, workspace, workspace.folder() / job.parts->made, facts_of(job, {}, run->output));
    if (!entry) return entry.error();
    return artifact_of(entry.value(), *job.parts);
  }
  const auto object = read_file(workspace.folder() / job.parts->made);
  if (!object) return object.error();
  const auto symbols = read_object_symbols(std::as_bytes(std::span(object.value())));
  if (!symbols) return symbols.error();
  const auto linked = link_host_library(workspace.folder(), symbols.value());
  if (!linked) return explain_link_failure(job, linked.error(), compiler, workspace.folder());
  const auto entry = cache.store(key, workspace, workspace.folder() / "library.so",
                                 facts_of(job, symbols.value(), run->output));
  if (!entry) return entry.error();
  return artifact_of(entry.value(), *job.parts);
}

// What is known of a key: what it compiles to, or how it fails.
std::optional<Result<CompileResult>> find_compiled(const std::string& key, const Parts& parts, Cache& cache) {
  if (const auto entry = cache.find(key)) return artifact_of(*entry, parts);
  if (auto failure = find_failure(key, cache)) return CompileResult(std::move(*failure));
  return std::nullopt;
}

// Held by a thread while it compiles: who asks for the same meanwhile waits, and finds it in the cache.
std::mutex& turn_of(const std::string& key) {
  static std::array<std::mutex, 256> turns;
  return turns[std::hash<std::string>()(key) % turns.size()];
}

// Asks the compiler for what is not in the cache, once for all threads that ask for it meanwhile. `place`
// puts the job's files into the workspace; an error is the machine's.
template <class Place>
Result<CompileResult> compile_once(Job job, const Compiler& compiler, const fs::path& folder_of_cache,
                                   Place place) {
  Cache cache(folder_of_cache);
  const std::string key = key_of(job, compiler);
  if (auto found = find_compiled(key, *job.parts, cache)) return std::move(*found);
  const std::lock_guard turn(turn_of(key));
  if (auto found = find_compiled(key, *job.parts, cache)) return std::move(*found);
  const auto workspace = cache.make_workspace();
  if (!workspace) return workspace.error();
  if (const std::optional<Error> error = place(job, workspace->folder())) return *error;
  return compile_job(job, key, compiler, cache, workspace.value());
}

// nvcc hands file names to a shell in double quotes, and splits some options at commas.
bool is_awkward(const std::string& path) { return path.find_first_of("\"$`\\,*?\n") != path.npos; }

bool is_architecture(const std::string& text) {
  return text.size() >= 2 && text.size() <= 4 && text.find_first_not_of("0123456789af") == text.npos;
}

Error bad_architecture(const std::string& text) {
  return {ErrorKind::wrong_usage, fmt::format("\"{}\" is no GPU architecture", text),
          "give a number such as 80 or 90"};
}

Result<CompileResult> compile_parts(const Parts& parts, const std::string& text, const std::string& name,
                                    const std::string& architecture, const Compiler& compiler,
                                    const fs::path& folder_of_cache) {
  if (!is_architecture(architecture)) return bad_architecture(architecture);
  const fs::path folder = fs::path(name).parent_path();
  // A byte order mark is one at the start of a file only, and there a line of ours will stand.
  Job job{"",
          name,
          text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0),
          folder.empty() ? "." : folder.string(),
          architecture,
          &parts};
  const auto place = [&](Job& here, const fs::path& workspace) -> std::optional<Error> {
    here.path = (workspace / "text.cu").string();
    if (is_awkward(here.include)) {
      std::error_code error;
      fs::create_directory_symlink(fs::absolute(here.include), workspace / "beside", error);
      if (error) return Cache::cannot_write(workspace, error.message());
      here.include = (workspace / "beside").string();
    }
    std::string quoted;
    for (char c : name) quoted += (c == '\\' || c == '"') ? std::string{'\\', c} : std::string(1, c);
    if (!write_file(here.path, fmt::format("#line 1 \"{}\"\n", quoted) + here.text))
      return Cache::cannot_write(folder_of_cache, std::strerror(errno));
    return std::nullopt;
  };
  return compile_once(std::move(job), compiler, folder_of_cache, place);
}

}  // namespace

Toolchain::Toolchain(Compiler compiler, fs::path cache)
    : compiler_(std::move(compiler)), cache_(std::move(cache)) {}

Result<CompileResult> Toolchain::compile(const fs::path& source, const std::string& architecture) {
  if (!is_architecture(architecture)) return bad_architecture(architecture);
  const auto text = read_file(source);
  if (!text) return text.error();
  // A name that starts with a dash would be an option.
  const std::string name = (source.string().starts_with('-') ? "./" : "") + source.string();
  if (is_awkward(name)) return compile_text(text.value(), name, architecture);
  // It is compiled where it lies.
  const auto stays = [](Job&, const fs::path&) { return std::optional<Error>(); };
  return compile_once({name, name, text.value(), "", architecture}, compiler_, cache_, stays);
}

Result<CompileResult> Toolchain::compile_text(const std::string& text, const std::string& name,
                                              const std::string& architecture) {
  return compile_parts(kAll, text, name, architecture, compiler_, cache_);
}

Result<CompileResult> Toolchain::compile_module(const std::string& text, const std::string& name,
                                                const std::string& architecture) {
  return compile_parts(kModule, text, name, architecture, compiler_, cache_);
}

Result<CompileResult> Toolchain::compile_device_code(const std::string& text, const std::string& name,
                                                     const std::string& architecture) {
  return compile_parts(kDeviceCode, text, name, architecture, compiler_, cache_);
}

}  // namespace fusebox
