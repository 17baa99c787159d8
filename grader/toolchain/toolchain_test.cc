#include "grader/toolchain/toolchain.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <span>
#include <sstream>

#include "grader/device/binary/fat_binary.h"
#include "grader/device/binary/machine_code.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/sha256.h"
#include "grader/toolchain/checkout_compiler.h"
#include "grader/toolchain/host_object.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

const char* const kSource = R"(#include <cuda_runtime.h>
#include "scale.h"
static int seven() { return SEVEN; }
static __device__ __noinline__ float twice(float x) { return x * 2 + 1.0f / x; }
template <class T>
__global__ void scale(T* p) { p[threadIdx.x] *= 2; }
__global__ void add(const float* a, float* b, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = twice(tile[63 - threadIdx.x]);
}
inline void weak_one() {}
void run(const float* a, float* b, int n) {
  static int k = seven();
  weak_one();
  add<<<1, 64>>>(a, b, n + k);
  scale<float><<<1, 64>>>(b);
}
namespace inner { int answer(double) { return SEVEN * 6; } }
)";

// One compiler and one cache for all tests here: a compile takes a second.
class ToolchainTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::temp_directory_path() / ("fusebox toolchain " + std::to_string(getpid()));
    fs::create_directories(folder_);
    const auto compiler = find_checkout_compiler();
    ASSERT_TRUE(compiler.ok()) << compiler.error().what;
    compiler_ = compiler.value();
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  static fs::path write(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  static fs::path good_file() {
    write("scale.h", "#define SEVEN 7\n");
    return write("good.cu", kSource);
  }
  static Toolchain toolchain() { return Toolchain(compiler_, folder_ / "cache"); }
  static Result<CompileResult> compile(const std::string& name, const std::string& text) {
    return toolchain().compile(write(name, text), "90");
  }
  static std::size_t entries() {
    std::error_code none;
    return std::distance(fs::directory_iterator(folder_ / "cache/artifacts", none), fs::directory_iterator());
  }
  static bool workspaces_are_gone() { return fs::is_empty(folder_ / "cache/tmp"); }

  static inline fs::path folder_;
  static inline Compiler compiler_;
};

std::string output_of(const std::vector<std::string>& argv) {
  const auto result = run_process(argv);
  return result.ok() && result->exit_code == 0 ? result->output
                                               : "failed: " + (result.ok() ? result->output : "");
}

// PTX without what carries no meaning: the fat binary's copy has its comments and indentation taken out.
std::vector<std::string> words(const std::string& ptx) {
  std::vector<std::string> found;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream rest(line.substr(0, line.find("//")));
    for (std::string word; rest >> word;) found.push_back(word);
  }
  return found;
}

TEST_F(ToolchainTest, AnArtifactHoldsEverythingOfOneCompile) {
  const auto result = toolchain().compile(good_file(), "90");
  ASSERT_TRUE(result.ok()) << result.error().what;
  ASSERT_TRUE(std::holds_alternative<Artifact>(*result)) << std::get<CompileFailure>(*result).output;
  const Artifact& artifact = std::get<Artifact>(*result);
  EXPECT_EQ(artifact.source_sha256, sha256_hex(kSource));

  EXPECT_EQ(artifact.functions,
            (std::vector<std::string>{"run(float const*, float*, int)", "inner::answer(double)"}));
  EXPECT_EQ(artifact.mangled, (std::vector<std::string>{"_Z3runPKfPfi", "_ZN5inner6answerEd"}));

  ASSERT_EQ(artifact.module.resources.size(), 2u);
  auto add = artifact.module.resources[0].kernel == "_Z3addPKfPfi" ? artifact.module.resources[0]
                                                                   : artifact.module.resources[1];
  EXPECT_EQ(add.kernel, "_Z3addPKfPfi");
  EXPECT_EQ(add.static_shared_bytes, 256);
  EXPECT_GE(add.registers, 8);

  const fs::path ptx = folder_ / "good.ptx";
  ASSERT_EQ(output_of({compiler_.nvcc, "-ptx", "-std=c++17", "-O3", "-lineinfo", "-arch=compute_90", "-o",
                       ptx, (folder_ / "good.cu").string()}),
            "");
  EXPECT_EQ(words(artifact.module.ptx), words(read_file(ptx).value()));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(artifact.module.cubin.data()), 4),
            "\x7f"
            "ELF");
  EXPECT_NE(artifact.module.ptx.find(".file"), std::string::npos);
  EXPECT_NE(artifact.module.ptx.find("good.cu\""), std::string::npos);
  EXPECT_TRUE(workspaces_are_gone());
}

// Through g++ a library takes 50 ms more. What keeps one from the short way is a name that is not known to
// have one version: what stands on the host for a device function calls exit().
TEST_F(ToolchainTest, AFileWithADeviceFunctionIsLinkedTheShortWay) {
  const fs::path source = write("device.cu",
                                "__device__ int twice(int x) { return 2 * x; }\n"
                                "__global__ void kernel(int* x) { *x = twice(*x); }\n"
                                "void run(int* x) { kernel<<<1, 1>>>(x); }\n"),
                 object = folder_ / "object.o";
  ASSERT_EQ(output_of({compiler_.nvcc, "-c", "-std=c++17", "-arch=sm_90", "-Xcompiler", "-fPIC", "-o", object,
                       source}),
            "");
  const std::string bytes = read_file(object).value();
  const auto symbols = read_object_symbols(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(symbols.ok());
  EXPECT_EQ(link_host_library(folder_, *symbols).value(), "ld");
}

// What a library of ours needs from the CUDA runtime when it is loaded; nothing is launched here.
const char* const kNoRuntime = R"(extern "C" {
void** __cudaRegisterFatBinary(void*) { static void* handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterFunction() {}
})";

TEST_F(ToolchainTest, HostFunctionsCanBeLoadedAndCalled) {
  const fs::path runtime = folder_ / "runtime.so";
  ASSERT_EQ(output_of({"g++", "-shared", "-fPIC", "-o", runtime, write("runtime.cc", kNoRuntime)}), "");
  ASSERT_NE(dlopen(runtime.c_str(), RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  // Both ways of linking: what every kernel file needs, and the C++ library with static objects and
  // exceptions.
  for (const char* text :
       {"static int six() { return 6; }\nint answer() { static int six_times = six(); return six_times * 7; "
        "}\n",
        "#include <stdexcept>\n#include <string>\n#include <vector>\n"
        "static std::vector<std::string> words{\"forty\", \"two\"};\n"
        "int answer() { try { throw std::runtime_error(words[0] + words[1]); }\n"
        "  catch (const std::exception& e) { return std::string(e.what()) == \"fortytwo\" ? 42 : 0; } }\n"}) {
    const auto result = compile("plain.cu", text);
    ASSERT_TRUE(result.ok()) << result.error().what;
    ASSERT_TRUE(std::holds_alternative<Artifact>(*result)) << std::get<CompileFailure>(*result).output;
    const Artifact& artifact = std::get<Artifact>(*result);
    ASSERT_EQ(artifact.functions, std::vector<std::string>{"answer()"});
    void* library = dlopen(artifact.host_library.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto answer = reinterpret_cast<int (*)()>(dlsym(library, artifact.mangled[0].c_str()));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(answer(), 42);
  }
}

TEST_F(ToolchainTest, TheSameAgainComesFromTheCache) {
  const auto first = toolchain().compile(good_file(), "90");
  const std::size_t before = entries();
  const auto start = std::chrono::steady_clock::now();
  const auto again = toolchain().compile(good_file(), "90");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(100));
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(std::get<Artifact>(*again).host_library, std::get<Artifact>(*first).host_library);
  EXPECT_EQ(std::get<Artifact>(*again).module.ptx, std::get<Artifact>(*first).module.ptx);
  EXPECT_EQ(entries(), before);
}

TEST_F(ToolchainTest, AChangedHeaderIsAnotherFile) {
  const auto library = [&] {
    const auto result =
        toolchain().compile(write("user.cu", "#  include \"value.h\"\nint f() { return VALUE; }\n"), "90");
    return result.ok() ? std::get<Artifact>(*result).host_library : fs::path();
  };
  write("value.h", "#define VALUE 1\n");
  const auto one = library();
  write("value.h", "#define VALUE 2\n");
  const auto two = library();
  EXPECT_NE(one, two);
  write("value.h", "#define VALUE 1\n");
  EXPECT_EQ(library(), one);
}

TEST_F(ToolchainTest, ADamagedEntryIsMadeAgain) {
  const char* text = "int f() { return 5; }\n";
  const auto first = compile("damage.cu", text);
  ASSERT_TRUE(first.ok());
  const fs::path library = std::get<Artifact>(*first).host_library;
  const auto good = read_file(library);
  ASSERT_TRUE(write_file(library, good->substr(0, good->size() / 2)));
  const auto again = compile("damage.cu", text);
  ASSERT_TRUE(again.ok()) << again.error().what;
  EXPECT_EQ(std::get<Artifact>(*again).functions, std::vector<std::string>{"f()"});
  EXPECT_EQ(read_file(library)->size(), good->size());
}

TEST_F(ToolchainTest, CompileErrorsAreVerdictsWithTheirPlace) {
  const struct {
    const char* what;
    const char* text;
    int line, column;
    const char* words;
  } cases[] = {
      {"front end", "\n  int f() { return nothing; }\n", 2, 20, "nothing"},
      {"preprocessor", "#include \"nowhere.h\"\n", 1, 10, "nowhere.h"},
      {"kernel", "__global__ void k(int* p) {\n  p[0] = 1\n}\n", 3, 1, "expected a \";\""},
      {"ptxas",
       "__global__ void k(float* p) { __shared__ float t[70000]; t[threadIdx.x] = 1; __syncthreads();\n"
       "  p[threadIdx.x] = t[threadIdx.x ^ 1]; }\n",
       0, 0, "k(float*)"},
  };
  const std::size_t before = entries();
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const auto result = compile("broken file.cu", c.text);
    ASSERT_TRUE(result.ok()) << result.error().what;
    ASSERT_TRUE(std::holds_alternative<CompileFailure>(*result));
    const auto& failure = std::get<CompileFailure>(*result);
    ASSERT_FALSE(failure.diagnostics.empty());
    const Diagnostic& first = failure.diagnostics[0];
    EXPECT_EQ(first.file, (folder_ / "broken file.cu").string());
    EXPECT_EQ(first.line, c.line) << failure.output;
    EXPECT_EQ(first.column, c.column) << failure.output;
    EXPECT_EQ(first.severity, "error");
    EXPECT_NE(first.text.find(c.words), std::string::npos) << first.text;
  }
  EXPECT_EQ(entries(), before + 3) << "all but the one that a new file would mend";
  EXPECT_TRUE(workspaces_are_gone());
}

TEST_F(ToolchainTest, WhatDoesNotCompileFailsInTheSameWordsFromTheCache) {
  const char* text = "#warning careful\nint f() { return missing_name; }\n";
  const auto first = compile("fails.cu", text);
  const auto start = std::chrono::steady_clock::now();
  const auto again = compile("fails.cu", text);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(100));
  ASSERT_TRUE(first.ok() && again.ok());
  const auto& one = std::get<CompileFailure>(*first);
  const auto& two = std::get<CompileFailure>(*again);
  EXPECT_EQ(two.output, one.output);
  ASSERT_EQ(two.diagnostics.size(), one.diagnostics.size());
  for (std::size_t i = 0; i < one.diagnostics.size(); ++i) {
    EXPECT_EQ(two.diagnostics[i].file, one.diagnostics[i].file);
    EXPECT_EQ(two.diagnostics[i].line, one.diagnostics[i].line);
    EXPECT_EQ(two.diagnostics[i].column, one.diagnostics[i].column);
    EXPECT_EQ(two.diagnostics[i].severity, one.diagnostics[i].severity);
    EXPECT_EQ(two.diagnostics[i].text, one.diagnostics[i].text);
  }
}

TEST_F(ToolchainTest, AHeaderThatIsThereLaterMendsAFailure) {
  const char* text = "#include <later.h>\nint f() { return LATER; }\n";
  const auto compiled = [&] {
    const auto result = toolchain().compile_text(text, (folder_ / "waits.cu").string(), "90");
    return result.ok() && std::holds_alternative<Artifact>(*result);
  };
  EXPECT_FALSE(compiled());
  write("later.h", "#define LATER 1\n");
  EXPECT_TRUE(compiled());
}

// What a learner writes is never a fault of the machine, whatever it makes the compiler say.
TEST_F(ToolchainTest, WordsOfTheFileAreNoFaultOfTheMachine) {
  const struct {
    const char* text;
    const char* words;
  } cases[] = {
      {"#error host_config.h is what I say\n", "host_config.h"},
      {"#include <cuda_runtime.h>\n#error g++: not found\n", "g++: not found"},
      {"#include <cuda_runtime.h>\n#error No space left on device\n", "No space left"},
      {"static_assert(false, \"\\nnvcc fatal : no\");\n", "static assertion failed"},
      {"char far[3ull << 30], away[3ull << 30];\nchar* f(bool b) { return b ? far : away; }\n",
       "larger than 2 GiB"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.words);
    const auto result = compile("innocent.cu", c.text);
    ASSERT_TRUE(result.ok()) << result.error().what;
    ASSERT_TRUE(std::holds_alternative<CompileFailure>(*result));
    const auto& failure = std::get<CompileFailure>(*result);
    ASSERT_FALSE(failure.diagnostics.empty());
    EXPECT_NE(failure.diagnostics[0].text.find(c.words), std::string::npos) << failure.diagnostics[0].text;
  }
  EXPECT_TRUE(workspaces_are_gone());
}

// Nor does it get at files that are none of its own: the reference's, say.
TEST_F(ToolchainTest, AFileReadsWhatLiesBesideItAndNothingElse) {
  if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  fs::create_directories(folder_ / "elsewhere");
  fs::create_directories(folder_ / "theirs/below");
  write("elsewhere/solution.h", "int stolen() { return 1; }\n");
  write("theirs/own.h", "int own() { return 1; }\n");
  write("theirs/below/own.h", "int below() { return 1; }\n");
  fs::create_symlink(folder_ / "elsewhere/solution.h", folder_ / "theirs/link.h");
  const std::string away = (folder_ / "elsewhere/solution.h").string();
  const struct {
    std::string text;
    bool compiles;
  } cases[] = {
      {"#include \"own.h\"\n#include \"below/own.h\"\nint f() { return own() + below(); }\n", true},
      {"#include \"" + away + "\"\n", false},
      {"#include \"../elsewhere/solution.h\"\n", false},
      {"#include \"link.h\"\n", false},
      {"#include \"/dev/zero\"\n", false},
      {"asm(\".incbin \\\"" + away + "\\\"\");\n", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto result = compile("theirs/file.cu", c.text);
    ASSERT_TRUE(result.ok()) << result.error().what;
    EXPECT_EQ(std::holds_alternative<Artifact>(*result), c.compiles);
  }
  EXPECT_TRUE(workspaces_are_gone());
}

TEST_F(ToolchainTest, ACompilerThatRefusesEverythingIsAMissingPart) {
  const fs::path script = write("nvcc", "#!/bin/sh\necho 'nvcc fatal   : broken' >&2\nexit 1\n");
  chmod(script.c_str(), 0755);
  Toolchain broken(Compiler{script, 13, 0}, folder_ / "cache");
  const auto result = broken.compile(write("fine.cu", "int f() { return 1; }\n"), "90");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing_part);
}

TEST_F(ToolchainTest, WhatTwoThreadsAskForIsCompiledOnce) {
  // Says which process it is.
  const fs::path script = write("nvcc", "#!/bin/sh\nsleep 0.2\necho \"x.cu(1): error: $$\"\nexit 1\n");
  chmod(script.c_str(), 0755);
  const auto ask = [&] {
    const std::string name = (folder_ / "x.cu").string();
    return Toolchain(Compiler{script, 13, 0}, folder_ / "cache").compile_text("int f();\n", name, "90");
  };
  auto other = std::async(std::launch::async, ask);
  const auto mine = ask(), theirs = other.get();
  ASSERT_TRUE(mine.ok()) << mine.error().what;
  ASSERT_TRUE(theirs.ok()) << theirs.error().what;
  EXPECT_EQ(std::get<CompileFailure>(*mine).output, std::get<CompileFailure>(*theirs).output);
}

// Whatever the caller's shell has.
TEST_F(ToolchainTest, TheCompilerAsksForLargePages) {
  const fs::path script = write("nvcc", "#!/bin/sh\necho \"nvcc fatal   : $GLIBC_TUNABLES\" >&2\nexit 1\n");
  chmod(script.c_str(), 0755);
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=0", 1);
  const auto result =
      Toolchain(Compiler{script, 13, 0}, folder_ / "cache").compile(write("fine.cu", "int f();\n"), "90");
  unsetenv("GLIBC_TUNABLES");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().what.find(": glibc.malloc.hugetlb=1\n"), std::string::npos) << result.error().what;
}

TEST_F(ToolchainTest, AByteOrderMarkIsNoPartOfTheProgram) {
  const std::string mark = "\xEF\xBB\xBF",
                    text = mark + "int f() { return 1; }\nint g() { return nothing; }\n";
  for (const auto& result :
       {compile("mark.cu", text), toolchain().compile_text(text, (folder_ / "mark too.cu").string(), "90")}) {
    ASSERT_TRUE(result.ok()) << result.error().what;
    const auto& failure = std::get<CompileFailure>(*result);
    ASSERT_EQ(failure.diagnostics.size(), 1u) << failure.output;
    EXPECT_EQ(failure.diagnostics[0].line, 2) << failure.output;
  }
}

TEST_F(ToolchainTest, TextIsCompiledUnderItsName) {
  good_file();
  const std::string name = (folder_ / "virtual.cu").string();
  const auto good = toolchain().compile_text(kSource, name, "90");
  ASSERT_TRUE(good.ok()) << good.error().what;
  ASSERT_TRUE(std::holds_alternative<Artifact>(*good)) << std::get<CompileFailure>(*good).output;
  EXPECT_NE(std::get<Artifact>(*good).module.ptx.find("virtual.cu\""), std::string::npos);
  EXPECT_EQ(std::get<Artifact>(*good).module.ptx.find("cache/tmp"), std::string::npos);

  const auto bad = toolchain().compile_text("\nint f() { return g; }\n", name, "90");
  ASSERT_TRUE(bad.ok());
  const auto& failure = std::get<CompileFailure>(*bad);
  EXPECT_EQ(failure.diagnostics.at(0).file, name);
  EXPECT_EQ(failure.diagnostics.at(0).line, 2);
  EXPECT_EQ(failure.diagnostics.at(0).column, 18);
  EXPECT_EQ(failure.output.find("cache/tmp"), std::string::npos) << failure.output;
}

TEST_F(ToolchainTest, DeviceCodeAloneIsTheSamePtx) {
  // Names of what is static differ.
  const std::string source = R"(#include <cuda_runtime.h>
template <class T>
__global__ void scale(T* p) { p[threadIdx.x] = p[threadIdx.x] * 2 + sqrtf(threadIdx.x); }
void run(float* p) { scale<<<1, 64>>>(p); }
)";
  const std::string name = (folder_ / "device.cu").string();
  const auto all = toolchain().compile_text(source, name, "90");
  ASSERT_TRUE(all.ok()) << all.error().what;
  for (const char* time : {"compiled", "found in the cache"}) {
    const auto alone = toolchain().compile_device_code(source, name, "90");
    ASSERT_TRUE(alone.ok()) << alone.error().what;
    ASSERT_TRUE(std::holds_alternative<Artifact>(*alone)) << std::get<CompileFailure>(*alone).output;
    EXPECT_EQ(words(std::get<Artifact>(*alone).module.ptx), words(std::get<Artifact>(*all).module.ptx))
        << time;
    EXPECT_TRUE(std::get<Artifact>(*alone).host_library.empty()) << time;
  }
  const auto bad = toolchain().compile_device_code("\n__global__ void k(int* p) { *p = g; }\n", name, "90");
  ASSERT_TRUE(bad.ok()) << bad.error().what;
  EXPECT_EQ(std::get<CompileFailure>(*bad).diagnostics.at(0).line, 2);
  EXPECT_TRUE(workspaces_are_gone());
}

TEST_F(ToolchainTest, AModuleIsWhatAGpuRunsOfTheWhole) {
  const std::string source = R"(#include <cuda_runtime.h>
template <class T>
__global__ void scale(T* p) {
  int unused;
  p[threadIdx.x] = p[threadIdx.x] * 2 + sqrtf(threadIdx.x);
}
void run(float* p) { scale<<<1, 64>>>(p); }
)";
  const std::string name = (folder_ / "module.cu").string();
  const auto all = toolchain().compile_text(source, name, "90");
  ASSERT_TRUE(all.ok()) << all.error().what;
  const auto& whole = std::get<Artifact>(*all);
  for (const char* time : {"compiled", "found in the cache"}) {
    const auto made = toolchain().compile_module(source, name, "90");
    ASSERT_TRUE(made.ok()) << made.error().what;
    ASSERT_TRUE(std::holds_alternative<Artifact>(*made)) << std::get<CompileFailure>(*made).output;
    const auto& module = std::get<Artifact>(*made);
    EXPECT_EQ(words(module.module.ptx), words(whole.module.ptx)) << time;
    const std::vector<KernelResources> of_code = read_machine_code(module.module.cubin);
    ASSERT_EQ(of_code.size(), read_machine_code(whole.module.cubin).size());
    EXPECT_EQ(of_code.at(0).registers, module.module.resources.at(0).registers) << "as the assembler said it";
    ASSERT_EQ(module.module.resources.size(), 1u) << time;
    EXPECT_EQ(module.module.resources[0].kernel, whole.module.resources[0].kernel) << time;
    EXPECT_EQ(module.module.resources[0].registers, whole.module.resources[0].registers) << time;
    ASSERT_EQ(module.warnings.size(), 1u) << time;
    EXPECT_EQ(module.warnings[0].text, whole.warnings.at(0).text) << time;
    EXPECT_EQ(module.warnings[0].line, 4) << time;
    EXPECT_EQ(module.source_sha256, whole.source_sha256) << time;
    EXPECT_TRUE(module.host_library.empty()) << time;
  }
  EXPECT_TRUE(workspaces_are_gone());
}

TEST_F(ToolchainTest, NamesThatAShellWouldRead) {
  const std::string folder = "it's $HOME, `x` \"y\"/";
  fs::create_directories(folder_ / folder);
  write(folder + "value.h", "#define VALUE nothing\n");
  const auto result = compile(folder + "a$b.cu", "#include \"value.h\"\nint f() { return VALUE; }\n");
  ASSERT_TRUE(result.ok()) << result.error().what;
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(*result));
  const auto& failure = std::get<CompileFailure>(*result);
  EXPECT_EQ(failure.diagnostics.at(0).file, (folder_ / folder / "a$b.cu").string()) << failure.output;
  EXPECT_NE(failure.diagnostics[0].text.find("nothing"), std::string::npos);
}

TEST_F(ToolchainTest, FilesThatAreNone) {
  mkfifo((folder_ / "pipe.cu").c_str(), 0600);
  for (const fs::path& path : {folder_ / "missing.cu", folder_, folder_ / "pipe.cu"}) {
    const auto result = toolchain().compile(path, "90");
    ASSERT_FALSE(result.ok()) << path;
    EXPECT_EQ(result.error().kind, ErrorKind::not_passed);
    EXPECT_NE(result.error().what.find(path.string()), std::string::npos);
  }
  const auto empty = compile("empty.cu", "");
  ASSERT_TRUE(empty.ok()) << empty.error().what;
  EXPECT_TRUE(std::get<Artifact>(*empty).functions.empty());
}

TEST_F(ToolchainTest, ACacheThatCannotBeWrittenIsAMissingPart) {
  const fs::path blocked = write("blocked", "a file where a folder should be");
  const auto result = Toolchain(compiler_, blocked / "cache").compile(good_file(), "90");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing_part);
  EXPECT_NE(result.error().what.find(blocked.string()), std::string::npos);
  EXPECT_FALSE(result.error().remedy.empty());
}

TEST_F(ToolchainTest, CompressedImagesOfARealObjectAreRead) {
  const fs::path object = folder_ / "fat.o";
  ASSERT_EQ(output_of({compiler_.nvcc, "-c", "-gencode", "arch=compute_80,code=compute_80", "-gencode",
                       "arch=compute_90,code=sm_90", "-o", object, good_file()}),
            "");
  const auto bytes = read_file(object);
  const auto images = read_fat_binary_of_elf(std::as_bytes(std::span(bytes.value())));
  ASSERT_TRUE(images.ok()) << images.error().what;
  ASSERT_EQ(images->size(), 2u);
  for (const auto& image : images.value()) {
    const bool is_ptx = image.kind == FatBinaryEntry::Kind::ptx;
    EXPECT_EQ(image.architecture, is_ptx ? 80 : 90);
    const std::string_view text(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    EXPECT_EQ(text.find(".visible .entry") != std::string_view::npos, is_ptx);
    EXPECT_EQ(text.starts_with("\177ELF"), !is_ptx);
  }
}

class FindCompiler : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("FUSEBOX_NVCC");
  }
  fs::path fake(const std::string& script) {
    const fs::path file = folder_ / "nvcc";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
    setenv("FUSEBOX_NVCC", file.c_str(), 1);
    return file;
  }
  fs::path folder_ = fs::temp_directory_path() / ("fusebox_find_" + std::to_string(getpid()));
};

TEST_F(FindCompiler, TheChosenOneIsAsked) {
  const auto file = fake("echo 'Cuda compilation tools, release 12.4, V12.4.131'\n");
  const auto compiler = find_compiler(folder_);
  ASSERT_TRUE(compiler.ok());
  EXPECT_EQ(compiler->nvcc, file);
  EXPECT_EQ(compiler->major, 12);
  EXPECT_EQ(compiler->minor, 4);
}

TEST_F(FindCompiler, TooOldOrBrokenIsNamed) {
  const struct {
    const char* script;
    const char* words;
  } cases[] = {{"echo 'Cuda compilation tools, release 11.8, V11.8.89'\n", "11.8, too old"},
               {"exit 1\n", "does not answer"},
               {"echo nothing\n", "does not answer"}};
  for (const auto& c : cases) {
    const auto file = fake(c.script);
    const auto compiler = find_compiler(folder_);
    ASSERT_FALSE(compiler.ok());
    EXPECT_EQ(compiler.error().kind, ErrorKind::missing_part);
    EXPECT_NE(compiler.error().what.find(file.string()), std::string::npos) << compiler.error().what;
    EXPECT_NE(compiler.error().what.find(c.words), std::string::npos) << compiler.error().what;
    EXPECT_FALSE(compiler.error().remedy.empty());
  }
}

// A build of another kind, in a folder of its own, uses what set-up put into the checkout's build folder.
TEST_F(FindCompiler, TheToolkitOfTheBuildFolderElseOfTheCheckout) {
  const fs::path root = folder_ / "checkout", build = root / "build" / "sanitize";
  EXPECT_EQ(toolkit_folder(root, build), root / "build" / "toolkit");
  fs::create_directories(build / "toolkit");
  EXPECT_EQ(toolkit_folder(root, build), build / "toolkit");
}

}  // namespace
}  // namespace fusebox
