#include "grader/cli/workshop/sim/sim_libraries.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "grader/process/run_process.h"
#include "grader/simulator/runtime/vendor_libraries.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;
using sim::Import;

/// One to be: its file's name, and the functions of it that are needed, by version ("" has none).
struct StandIn {
  std::string file;
  std::map<std::string, std::vector<std::string>> functions;
};

std::vector<StandIn> stand_ins_for(const sim::ProgramFile& program) {
  std::vector<StandIn> list;
  std::vector<const sim::VendorLibrary*> seen;
  for (const std::string& file : program.libraries) {
    const sim::VendorLibrary* library = sim::library_of_file(file);
    if (library == nullptr) continue;
    StandIn one{file, {}};
    // Of a family's files any may have what no file is named for.
    const bool first = std::find(seen.begin(), seen.end(), library) == seen.end();
    seen.push_back(library);
    for (const Import& import : program.imports)
      if (import.library == file ||
          (import.library.empty() && first && sim::library_of_function(import.name) == library))
        one.functions[import.version].push_back(import.name);
    list.push_back(std::move(one));
  }
  return list;
}

// A function that our runtime has is jumped to, with all its arguments where they are. Any other hands on
// what may be handles, and its own name.
constexpr const char* kBegin = R"(#if defined(__x86_64__)
#define JUMP(name) "jmp fusebox_" #name "@PLT"
#else
#define JUMP(name) "b fusebox_" #name
#endif
#define OURS(name) __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n  " JUMP(name) "\n.size " #name ", .-" #name "\n");
extern long fusebox_library_call(const char* function, void** arguments);
#define OTHER(name) \
  long name(void* a, void* b, void* c, void* d, void* e, void* f) { \
    void* arguments[] = {a, b, c, d, e, f}; \
    return fusebox_library_call(#name, arguments); \
  }
)";

std::string source_of(const StandIn& one, const std::vector<std::string>& ours) {
  std::string text = kBegin;
  for (const auto& [version, functions] : one.functions)
    for (const std::string& name : functions)
      text += fmt::format(
          "{}({})\n", std::find(ours.begin(), ours.end(), "fusebox_" + name) != ours.end() ? "OURS" : "OTHER",
          name);
  return text;
}

/// The linker's version script; empty: no function has a version.
std::string versions_of(const StandIn& one) {
  std::string text;
  for (const auto& [version, functions] : one.functions) {
    if (version.empty()) continue;
    text += version + " { global:";
    for (const std::string& name : functions) text += " " + name + ";";
    text += " };\n";
  }
  return text;
}

Result<bool> compile(const StandIn& one, const std::string& source, const fs::path& folder,
                     const fs::path& runtime) {
  const fs::path code = folder / (one.file + ".c"), script = folder / (one.file + ".map");
  std::ofstream(code) << source;
  std::ofstream(script) << versions_of(one);
  std::vector<std::string> command{"g++",
                                   "-x",
                                   "c",
                                   "-w",
                                   "-O1",
                                   "-fPIC",
                                   "-shared",
                                   "-o",
                                   folder / one.file,
                                   code,
                                   "-x",
                                   "none",
                                   "-Wl,-soname," + one.file,
                                   runtime};
  if (!versions_of(one).empty()) command.push_back("-Wl,--version-script=" + script.string());
  const auto ran = run_process(command);
  if (ran && ran->exit_code == 0) return true;
  return Error{
      ErrorKind::missing_part,
      fmt::format("cannot make a stand-in for {}: {}", one.file, ran ? ran->output : ran.error().what),
      "see that g++ runs, and that the disk has room"};
}

}  // namespace

Result<fs::path> make_stand_ins(const WorkspacePaths& paths, const sim::ProgramFile& program, int cuda) {
  const std::vector<StandIn> list = stand_ins_for(program);
  if (list.empty()) return fs::path();
  const fs::path runtime = paths.build() / fmt::format("lib/cuda{0}/libcudart.so.{0}", cuda);
  const std::vector<std::string> ours = sim::exported_names(runtime);
  std::vector<std::string> sources;
  sources.reserve(list.size());
  std::string content = runtime.string();
  for (const StandIn& one : list) {
    sources.push_back(source_of(one, ours));
    content += one.file + sources.back() + versions_of(one);
  }
  const fs::path folder = paths.cache() / "libraries" / sha256_hex(content).substr(0, 16);
  std::error_code error;
  if (fs::is_directory(folder, error)) return folder;
  // Made under another name: what was begun and not ended is no folder of libraries.
  const fs::path fresh = folder.string() + "." + std::to_string(getpid());
  fs::create_directories(fresh, error);
  for (std::size_t i = 0; i < list.size() && !error; ++i)
    if (auto made = compile(list[i], sources[i], fresh, runtime); !made) {
      fs::remove_all(fresh, error);
      return made.error();
    }
  if (!error) fs::rename(fresh, folder, error);
  std::error_code ignored;
  fs::remove_all(fresh, ignored);  // another process was faster
  if (fs::is_directory(folder, ignored)) return folder;
  return Error{ErrorKind::missing_part, fmt::format("cannot write {}: {}", folder.string(), error.message()),
               "make the build folder writable, or free some space"};
}

}  // namespace fusebox
