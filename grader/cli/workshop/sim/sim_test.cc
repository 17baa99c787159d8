#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "grader/process/run_process.h"
#include "grader/toolchain/checkout_compiler.h"

// `grader sim` on small programs. Each says in its own comments what must come of it:
//   //# flags F...       for nvcc, instead of the usual ones           //# options O...   for grader sim
//   //# parts FILE...    of parts/, compiled with it
//   //# needs memory protection keys   skipped on machines without
//   //# exit N           of grader sim; 0 when nothing is said
//   //# stdout LINE      the program's output, these lines and no others
//   //# says TEXT        somewhere in everything that is printed
//   //# launch KERNEL grid=G block=B COUNTER=VALUE...   in order; when there is one, then all
//   //# fault KIND LINE  the faults of all launches, in order; none when nothing is said
namespace fusebox {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kPrograms = fs::path(FUSEBOX_SOURCE_DIR) / "grader/testdata/programs";
const fs::path kFolder = fs::path(FUSEBOX_BINARY_DIR) / "sim_programs";
const fs::path kGrader = fs::path(FUSEBOX_BINARY_DIR) / "bin/grader";

struct Expectation {
  std::string flags, options, needs, parts;
  int exit = 0;
  std::vector<std::string> output, says, launches, faults;
};

Expectation read_expectation(const fs::path& source) {
  Expectation expected;
  expected.flags = "--cudart shared -lineinfo -gencode arch=compute_80,code=compute_80";
  std::ifstream file(source);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string mark, key, rest;
    words >> mark >> key >> std::ws;
    std::getline(words, rest);
    if (mark != "//#") continue;
    if (key == "flags")
      expected.flags = rest.find("--cudart") == rest.npos ? "--cudart shared " + rest : rest;
    if (key == "parts") expected.parts = rest;
    if (key == "needs") expected.needs = rest;
    if (key == "options") expected.options = rest;
    if (key == "exit") expected.exit = std::stoi(rest);
    if (key == "stdout") expected.output.push_back(rest);
    if (key == "says") expected.says.push_back(rest);
    if (key == "launch") expected.launches.push_back(rest);
    if (key == "fault") expected.faults.push_back(rest);
  }
  return expected;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Compiled once per content.
fs::path compiled(const fs::path& source, const std::string& flags, const std::string& parts = "") {
  std::ostringstream text;
  text << std::ifstream(source).rdbuf() << flags;
  for (const std::string& part : split(parts)) text << std::ifstream(kPrograms / "parts" / part).rdbuf();
  const fs::path program =
      kFolder / (source.stem().string() + "-" + std::to_string(std::hash<std::string>()(text.str())));
  if (fs::exists(program)) return program;
  fs::create_directories(kFolder);
  const auto compiler = find_checkout_compiler();
  EXPECT_TRUE(compiler.ok()) << "no nvcc";
  if (!compiler) return {};
  std::vector<std::string> command{compiler->nvcc};
  for (const std::string& flag : split(flags)) command.push_back(flag);
  // Under another name until it is whole: what a compiler that was stopped leaves behind is no program.
  const fs::path fresh = program.string() + "." + std::to_string(getpid());
  command.insert(command.end(), {"-o", fresh, source});
  for (const std::string& part : split(parts)) command.push_back(kPrograms / "parts" / part);
  const auto result = run_process(command, {.time_limit_s = 240, .directory = {}, .environment = {}});
  if (result.ok() && result->exit_code == 0) fs::rename(fresh, program);
  EXPECT_TRUE(result.ok() && result->exit_code == 0) << (result.ok() ? result->output : result.error().what);
  return program;
}

/// "4", "4x2" or "4x2x3", as the table writes it.
std::string extent(const Json& e) {
  std::string text = std::to_string(e.at(0).get<int>());
  if (e.at(1) != 1 || e.at(2) != 1) text += "x" + std::to_string(e.at(1).get<int>());
  if (e.at(2) != 1) text += "x" + std::to_string(e.at(2).get<int>());
  return text;
}

void expect_launch(const Json& launch, const std::string& expected) {
  const std::vector<std::string> words = split(expected);
  std::string kernel;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == word.npos) {
      kernel += (kernel.empty() ? "" : " ") + word;
      continue;
    }
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "grid" || key == "block") {
      EXPECT_EQ(extent(launch.at(key)), value) << key;
    } else {
      EXPECT_EQ(launch.at("counters").at(key).get<std::uint64_t>(), std::stoull(value)) << key;
    }
  }
  EXPECT_EQ(launch.at("kernel"), kernel);
}

std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

class SimProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(SimProgram, DoesWhatItsCommentsSay) {
  const fs::path source = kPrograms / (GetParam() + ".cu");
  const Expectation expected = read_expectation(source);
  if (!expected.needs.empty()) {
    const int key = pkey_alloc(0, 0);
    if (key < 0) GTEST_SKIP() << "this machine has no " << expected.needs;
    pkey_free(key);
  }
  const fs::path program = compiled(source, expected.flags, expected.parts);
  const fs::path report = kFolder / (GetParam() + ".json");
  fs::remove(report);
  std::vector<std::string> command{kGrader, "sim", "--no-color", "--json", report};
  for (const std::string& option : split(expected.options)) command.push_back(option);
  command.insert(command.end(), {"--", program});
  const auto result = run_process(command);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, expected.exit) << result->output;
  // Line breaks do not count.
  for (const std::string& text : expected.says)
    EXPECT_THAT(in_one_line(result->output), ::testing::HasSubstr(in_one_line(text)));

  std::string wanted;
  for (const std::string& line : expected.output) wanted += line + "\n";
  const std::size_t own = result->output.find("\nFusebox simulator");
  if (own != std::string::npos && expected.says.empty()) {
    EXPECT_EQ(result->output.substr(0, own), wanted);
  }
  EXPECT_THAT(result->output, ::testing::HasSubstr(wanted));

  std::vector<std::string> faults;
  if (fs::exists(report)) {
    const Json json = Json::parse(std::ifstream(report));
    const Json& launches = json.at("launches");
    if (!expected.launches.empty()) {
      ASSERT_GE(launches.size(), expected.launches.size());
      for (std::size_t i = 0; i < expected.launches.size(); ++i)
        expect_launch(launches[i], expected.launches[i]);
    }
    for (const Json& launch : launches)
      for (const Json& fault : launch.at("faults"))
        faults.push_back(fault.at("kind").get<std::string>() + " " +
                         std::to_string(fault.at("line").get<int>()));
  }
  EXPECT_EQ(faults, expected.faults) << result->output;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kPrograms))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SimProgram, ::testing::ValuesIn(program_names()),
                         [](const auto& info) { return info.param; });

std::string run_sim(const std::vector<std::string>& words, int exit) {
  std::vector<std::string> command{kGrader, "sim", "--no-color"};
  command.insert(command.end(), words.begin(), words.end());
  const auto result = run_process(command);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, exit) << result->output;
  return result->output;
}

TEST(Sim, UsageIsSaid) {
  EXPECT_THAT(run_sim({}, 2), ::testing::HasSubstr("grader sim -- ./program"));
  EXPECT_THAT(run_sim({"--", "/no/such/program"}, 2), ::testing::HasSubstr("there is no program"));
  EXPECT_THAT(run_sim({"--gpu", "nonsense", "--", "/bin/true"}, 2), ::testing::HasSubstr("nonsense"));
}

TEST(Sim, AProgramsOwnExitCodeAndArgumentsArePassedOn) {
  EXPECT_THAT(run_sim({"--", "sh", "-c", "echo $0 $1; exit 5", "--json", "-v"}, 5),
              ::testing::HasSubstr("--json -v"));
}

TEST(Sim, ToBeStoppedFromOutsideIsNoCrash) {
  const std::string said = in_one_line(run_sim({"--", "sh", "-c", "kill -TERM $$"}, 1));
  EXPECT_THAT(said, ::testing::HasSubstr("the program was stopped from outside: Terminated (signal 15)"));
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("crashed")));
  EXPECT_THAT(run_sim({"--", "sh", "-c", "kill -ABRT $$"}, 1), ::testing::HasSubstr("crashed"));
}

// What the host copied to the device lies in the L2, unless it is emptied as a profiler does.
TEST(Sim, ColdEmptiesTheL2BeforeEachLaunch) {
  const fs::path program = compiled(kPrograms / "vector_add.cu",
                                    "--cudart shared -lineinfo -gencode arch=compute_80,code=compute_80");
  const auto dram_reads = [&](std::vector<std::string> options) {
    const std::string file = (kFolder / "cold.json").string();
    options.insert(options.end(), {"--json", file, "--", program});
    run_sim(options, 0);
    return Json::parse(std::ifstream(file)).at("launches").at(0).at("model").at("dram_read_bytes").get<int>();
  };
  const int warm = dram_reads({}), cold = dram_reads({"--cold"});
  EXPECT_EQ(warm, 0);
  EXPECT_GT(cold, 0);
}

// The program launches `first`, 1,000 times `add`, 5 times `store`, 20 times a wider `add` and once another.
class SimLaunches : public testing::Test {
 protected:
  std::string said(std::vector<std::string> options, int exit) {
    const fs::path program = compiled(kPrograms / "repeated_launches.cu",
                                      "--cudart shared -lineinfo -gencode arch=compute_80,code=compute_80");
    options.insert(options.end(), {"--json", file_, "--", program});
    return in_one_line(run_sim(options, exit));
  }
  Json launches() const { return Json::parse(std::ifstream(file_)).at("launches"); }

  // Of each test its own: they run at the same time.
  std::string file_ =
      (kFolder / (testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".json")))
          .string();
};

TEST_F(SimLaunches, EachKindIsCountedThreeTimesUnlessAllAreAskedFor) {
  said({}, 1);
  ASSERT_EQ(launches().size(), 1u + 3 + 4 + 3 + 1);
  EXPECT_EQ(launches().at(3).at("number"), 4);
  EXPECT_EQ(launches().at(3).at("repeated"), 997);
  EXPECT_EQ(launches().at(2).at("repeated"), 0);
  EXPECT_EQ(launches().at(7).at("number"), 1 + 1000 + 4);
  const Json last = launches().back();
  EXPECT_EQ(last.at("model").at("dram_read_bytes"), 0);
  EXPECT_THAT(said({"--every-launch"}, 1), ::testing::Not(::testing::HasSubstr("have the counts")));
  EXPECT_EQ(launches().back().at("model"), last.at("model"));
  EXPECT_EQ(launches().size(), 1u + 1000 + 5 + 20 + 1);
}

TEST_F(SimLaunches, OthersThanThoseAskedForComputeAndAreNotCounted) {
  EXPECT_THAT(said({"--launches", "2-3"}, 1), ::testing::HasSubstr("1000 1"));
  ASSERT_EQ(launches().size(), 2u);
  EXPECT_EQ(launches().at(0).at("kernel"), "add");
  EXPECT_EQ(launches().at(1).at("number"), 3);
  EXPECT_THAT(
      said({"--kernel", "store"}, 1),
      ::testing::HasSubstr("carried out and not counted, because of --kernel store: add (1,021), first (1)"));
  EXPECT_EQ(launches().size(), 4u);
  EXPECT_THAT(
      said({"--kernel", "add"}, 1),
      ::testing::HasSubstr("a launch of store that was not to be counted has a fault: out-of-bounds store"));
  EXPECT_THAT(said({"--kernel", "first", "--launches", "1"}, 1),
              ::testing::HasSubstr("because of --launches 1 --kernel first: add (1,021), store (5)"));
}

TEST_F(SimLaunches, ANameThatNeverRanIsAProblemThatSaysWhichDid) {
  EXPECT_THAT(said({"--kernel", "addd"}, 1),
              ::testing::HasSubstr(
                  "none is of those that --kernel addd names; launched were add (1,021), first (1)"));
  EXPECT_THAT(said({"--launches", "2000-"}, 1),
              ::testing::HasSubstr("none is of those that --launches 2000- names"));
}

TEST_F(SimLaunches, ARangeThatIsNoneIsWrongUsage) {
  for (const char* range : {"5-2", "0", "x", "3-x", "-3", ""})
    EXPECT_THAT(said({"--launches=" + std::string(range)}, 2), ::testing::HasSubstr("--launches")) << range;
}

/// What a program prints on a terminal.
std::string on_a_terminal(const std::vector<std::string>& command) {
  std::vector<char*> words;
  std::vector<std::string> copies = command;
  words.reserve(copies.size() + 1);
  for (std::string& word : copies) words.push_back(word.data());
  words.push_back(nullptr);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execv(words[0], words.data());
    _exit(127);
  }
  std::string text;
  char part[4096];
  for (ssize_t count; (count = read(terminal, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

TEST(Sim, ALaunchThatTakesLongSaysHowFarItIs) {
  const fs::path program = compiled(kPrograms / "parts/long_launch.cu",
                                    "--cudart shared -gencode arch=compute_80,code=compute_80");
  EXPECT_THAT(on_a_terminal({kGrader, "sim", "--timeout", "6", "--", program}),
              ::testing::ContainsRegex("launch 2, kernel spin: 50 % of 2 blocks after [0-9]+ s"));
  EXPECT_THAT(run_sim({"--timeout", "2", "--", program}, 1),
              ::testing::Not(::testing::HasSubstr("blocks after")));
}

/// A library without code of GPUs, as NVIDIA's is called and has its functions: what a program is linked
/// against.
fs::path library_to_link(const std::string& name, const std::string& functions, bool versions) {
  fs::create_directories(kFolder);
  const fs::path source = kFolder / (name + ".c"), script = kFolder / (name + ".map");
  fs::path file = kFolder / name;
  std::string text;
  for (const std::string& function : split(functions)) text += "int " + function + "(void) { return 77; }\n";
  std::ofstream(source) << text;
  std::ofstream(script) << (versions ? name + " { global: *; };\n" : "{ global: *; };\n");
  const auto made = run_process({"gcc", "-shared", "-fPIC", "-o", file, source, "-Wl,-soname," + name,
                                 "-Wl,--version-script=" + script.string()});
  EXPECT_TRUE(made.ok() && made->exit_code == 0) << (made.ok() ? made->output : made.error().what);
  return file;
}

TEST(Sim, ALibraryOfNvidiasIsRefusedWhenItComputesAndNotBefore) {
  const fs::path cufft = library_to_link(
                     "libcufft.so.11", "cufftPlan1d cufftSetStream cufftGetVersion cufftExecC2C cufftDestroy",
                     true),
                 nccl = library_to_link("libnccl.so.2",
                                        "ncclGetUniqueId ncclCommInitRank ncclAllReduce ncclGetErrorString",
                                        false),
                 cudnn =
                     library_to_link("libcudnn.so.9", "cudnnCreate cudnnSetStream cudnnSoftmaxForward", true),
                 curand = library_to_link(
                     "libcurand.so.10",
                     "curandCreateGenerator curandSetPseudoRandomGeneratorSeed curandGenerateUniform", true),
                 cusparse = library_to_link("libcusparse.so.12",
                                            "cusparseCreate cusparseCreateCsr cusparseSpMV", true);
  std::string linked;
  for (const fs::path& library : {cufft, nccl, cudnn, curand, cusparse})
    linked += " -Xlinker " + library.string();
  const fs::path program = compiled(kPrograms / "parts/uses_libraries.cu",
                                    "--cudart shared -gencode arch=compute_80,code=compute_80" + linked);
  const std::string said = in_one_line(run_sim({"--", program}, 1));
  EXPECT_THAT(said, ::testing::HasSubstr("planned 1 7 1 joined 1, success"));
  EXPECT_THAT(said, ::testing::HasSubstr("cufftExecC2C: cuFFT computes on a GPU only"));
  EXPECT_THAT(said, ::testing::HasSubstr("ncclAllReduce: NCCL computes on a GPU only"));
  EXPECT_THAT(said, ::testing::HasSubstr("transformed 16 "));
  EXPECT_THAT(said, ::testing::HasSubstr("others 1 "));
  for (const char* status : {"reduced 1 ", "softmax 3000 ", "drawn 204 ", "multiplied 10 freed 0"})
    EXPECT_THAT(said, ::testing::HasSubstr(status));
  for (const char* refused :
       {"cudnnSoftmaxForward: cuDNN", "curandGenerateUniform: cuRAND", "cusparseSpMV: cuSPARSE"})
    EXPECT_THAT(said, ::testing::HasSubstr(std::string(refused) + " computes on a GPU only"));
  EXPECT_THAT(said, ::testing::HasSubstr("fill 1 1 64"));
}

TEST(Sim, OfTheDriversLibraryThereAreTensorMaps) {
  const fs::path driver =
      library_to_link("libcuda.so.1", "cuInit cuCtxCreate_v2 cuGetErrorName cuTensorMapEncodeTiled", false);
  const fs::path program =
      compiled(kPrograms / "parts/uses_driver.cu",
               "--cudart shared -gencode arch=compute_90,code=compute_90 -Xlinker " + driver.string());
  const std::string said = in_one_line(run_sim({"--", program}, 1));
  for (const char* part :
       {"init 0, encoded 0, ", "refused 1 CUDA_ERROR_INVALID_VALUE, copied 16 to 31, context 801",
        "cuCtxCreate_v2: of the driver's own calls the simulator has those for tensor maps alone"})
    EXPECT_THAT(said, ::testing::HasSubstr(part));
}

TEST(Sim, MatrixProductsOfCublasAreComputedOnTheHost) {
  const fs::path
      blas = library_to_link(
          "libcublas.so.12",
          "cublasCreate_v2 cublasDestroy_v2 cublasSetStream_v2 cublasSetPointerMode_v2 cublasSetMathMode "
          "cublasSgemm_v2 cublasSgemv_v2 cublasSgemmStridedBatched cublasSgemmBatched cublasGemmEx "
          "cublasGemmStridedBatchedEx cublasDgemm_v2",
          true),
      lt = library_to_link(
          "libcublasLt.so.12",
          "cublasLtCreate cublasLtMatmulDescCreate cublasLtMatmulDescSetAttribute cublasLtMatmulDescDestroy "
          "cublasLtMatrixLayoutCreate cublasLtMatrixLayoutDestroy cublasLtMatmulPreferenceCreate "
          "cublasLtMatmulDescInit_internal cublasLtMatrixLayoutInit_internal "
          "cublasLtMatmulPreferenceInit_internal "
          "cublasLtMatmulPreferenceSetAttribute cublasLtMatmulAlgoGetHeuristic cublasLtMatmul",
          true);
  const fs::path program =
      compiled(kPrograms / "parts/uses_cublas.cu",
               "--cudart shared -std=c++17 -gencode arch=compute_80,code=compute_80 -Xlinker " +
                   blas.string() + " -Xlinker " + lt.string());
  const std::string said = in_one_line(run_sim({"--", program}, 1));
  if (said.starts_with("no BLAS") || said.find(" no BLAS") != said.npos) {
    EXPECT_THAT(
        said, ::testing::HasSubstr("cublasSgemm: this machine has no BLAS to compute it with; install one"));
    GTEST_SKIP() << "this machine has no BLAS";
  }
  EXPECT_THAT(said, ::testing::HasSubstr("wrong: 0 "));
  EXPECT_THAT(said, ::testing::HasSubstr("wrong statuses: 0 "));
  EXPECT_THAT(said, ::testing::HasSubstr("cublasSgemm: 20 calls, computed on the host and not counted"));
  EXPECT_THAT(said, ::testing::HasSubstr("cublasLtMatmul: 22 calls, computed on the host and not counted"));
  for (const char* why :
       {"cublasSgemm: a leading dimension is smaller than its matrix has rows",
        "cublasSgemm: A reaches 16 bytes past the end of its allocation of 64 bytes",
        "cublasSgemm: alpha or beta is not where cublasSetPointerMode says",
        "cublasGemmEx: only matrices of fp32, fp16 and bf16 are multiplied here",
        "cublasDgemm_v2: cuBLAS computes on a GPU only", "cublasSgemm: its handle is none of cublasCreate's"})
    EXPECT_THAT(said, ::testing::HasSubstr(why));
}

// The device code is cut, turned into noise, or claims a newer PTX: an error each, and never a crash of ours.
TEST(Sim, DamagedDeviceCodeIsAnError) {
  const fs::path good =
      compiled(kPrograms / "vector_add.cu",
               "--cudart shared --compress-mode=none -gencode arch=compute_80,code=compute_80");
  std::ostringstream content;
  content << std::ifstream(good, std::ios::binary).rdbuf();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bytes = content.str();
    for (std::size_t at = 0; (at = bytes.find(from, at)) != bytes.npos; at += to.size())
      bytes.replace(at, to.size(), to);
    const fs::path bad = kFolder / "damaged";
    fs::remove(bad);
    std::ofstream(bad, std::ios::binary) << bytes;
    fs::permissions(bad, fs::perms::owner_all);
    return bad.string();
  };
  EXPECT_THAT(run_sim({"--", with(".version 9.0", ".version 19.")}, 1), ::testing::HasSubstr("newer"));
  EXPECT_THAT(run_sim({"--", with(".visible .entry", ".vasible .entry")}, 1),
              ::testing::HasSubstr("fusebox:"));
  const std::string magic = "\x50\xed\x55\xba";
  EXPECT_THAT(run_sim({"--", with(magic, "\x50\xed\x55\xbb")}, 1), ::testing::HasSubstr("damaged"));
}

}  // namespace
}  // namespace fusebox
