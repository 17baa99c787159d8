// Runs every kernel of testdata/kernels on the simulator and compares all that it reports with the lines
// beside the kernel. The format of those lines is described at the top of counting.cu.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "grader/process/run_process.h"
#include "grader/simulator/simulator.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;

const fs::path kKernels = fs::path(FUSEBOX_SOURCE_DIR) / "grader/testdata/kernels";

struct Argument {
  std::string buffer;  ///< empty: an int or a null pointer
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  ///< of the pointer in the buffer
  bool defined = true;
  bool null = false;
  std::int32_t value = 0;
};

struct Case {
  std::string name;  ///< "counting.cu copy_float/whole"
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<Argument> arguments;
  bool with_lines = false;   ///< compare the table of source lines too
  bool only_faults = false;  ///< compare nothing but faults
  std::vector<std::string> expected;
};

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string trim(std::string text) {
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

Dim3 parse_dim3(const std::string& text) {
  Dim3 extent;
  std::sscanf(text.c_str(), "%ux%ux%u", &extent.x, &extent.y, &extent.z);
  return extent;
}

Argument parse_argument(const std::string& text) {
  static const std::regex buffer(R"((\w+):(\d+)(\?)?(?:@(\d+))?)");
  Argument argument;
  std::smatch match;
  if (std::regex_match(text, match, buffer)) {
    argument.buffer = match[1];
    argument.bytes = std::stoull(match[2]);
    argument.defined = !match[3].matched;
    if (match[4].matched) argument.offset = std::stoull(match[4]);
  } else if (text == "null") {
    argument.null = true;
  } else {
    argument.value = std::stoi(text);
  }
  return argument;
}

/// All cases of one file; a malformed case line is a failure of the test.
std::vector<Case> read_cases(const fs::path& path) {
  static const std::regex head(
      R"(case (\w+): (\w+)<<<([\dx]+), ([\dx]+)(?:, (\d+))?>>>\(([^)]*)\)( lines)?( faults)?)");
  std::vector<Case> cases;
  for (const std::string& line : read_lines(path)) {
    if (line.rfind("//# ", 0) != 0) continue;
    const std::string text = trim(line.substr(4));
    if (text.rfind("for ", 0) == 0) continue;
    if (text.rfind("case ", 0) != 0) {
      if (cases.empty()) {
        ADD_FAILURE() << path << ": a line before the first case: " << text;
      } else {
        cases.back().expected.push_back(text);
      }
      continue;
    }
    std::smatch match;
    if (!std::regex_match(text, match, head)) {
      ADD_FAILURE() << path << ": cannot read " << text;
      continue;
    }
    Case next;
    next.kernel = match[2];
    next.name = fmt::format("{} {}/{}", path.filename().string(), next.kernel, match[1].str());
    next.grid = parse_dim3(match[3]);
    next.block = parse_dim3(match[4]);
    if (match[5].matched) next.shared_bytes = std::stoul(match[5]);
    std::istringstream arguments(match[6]);
    for (std::string word; std::getline(arguments, word, ',');)
      next.arguments.push_back(parse_argument(trim(word)));
    next.with_lines = match[7].matched;
    next.only_faults = match[8].matched;
    cases.push_back(std::move(next));
  }
  return cases;
}

/// A file of its own for this process, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "fusebox-rules-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

/// Kernels that have instructions of one architecture alone say so.
const char* architecture_of(const fs::path& path) {
  const std::vector<std::string> lines = read_lines(path);
  return std::find(lines.begin(), lines.end(), "//# for sm_90a") != lines.end() ? "compute_90a"
                                                                                : "compute_90";
}

/// One compiler call for all files of an architecture: it takes longer to start than to compile them.
Result<std::string> compile(const std::vector<fs::path>& files, const std::string& architecture) {
  const auto compiler = find_checkout_compiler();
  if (!compiler) return compiler.error();
  const ScratchFolder folder;
  const fs::path source = folder.path / "all.cu", ptx = folder.path / "all.ptx";
  {
    std::ofstream out(source);
    for (const fs::path& file : files) out << "#include \"" << file.string() << "\"\n";
  }
  const auto ran = run_process({compiler->nvcc.string(), "-ptx", "-std=c++17", "-arch=" + architecture,
                                "-lineinfo", "-diag-suppress=68", "-o", ptx.string(), source.string()});
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{ErrorKind::internal, ran->output, ""};
  std::ifstream in(ptx);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string source_text(const std::string& file, int line) {
  const auto lines = read_lines(file);
  if (line < 1 || line > static_cast<int>(lines.size())) return fmt::format("{}:{}", file, line);
  return trim(lines[line - 1]);
}

void render(const char* name, const GlobalTraffic& t, std::vector<std::string>& out) {
  if (t == GlobalTraffic{}) return;
  out.push_back(fmt::format("global {} requests={} sectors={} lines={} useful={} ideal={} lanes={}", name,
                            t.requests, t.sectors, t.lines, t.useful_bytes, t.ideal_sectors, t.lanes));
}

void render(const char* name, const SharedTraffic& t, std::vector<std::string>& out) {
  if (t == SharedTraffic{}) return;
  out.push_back(fmt::format("shared {} requests={} wavefronts={} ideal={} lanes={}", name, t.requests,
                            t.wavefronts, t.ideal_wavefronts, t.lanes));
}

void render(const char* space, const AtomicTraffic& t, std::vector<std::string>& out) {
  if (t == AtomicTraffic{}) return;
  out.push_back(fmt::format("{} atomic requests={} sectors={} lanes={} most={}", space, t.requests, t.sectors,
                            t.lanes, t.max_lanes_on_one_address));
}

void render_counters(const LaunchRecord& record, bool with_lines, std::vector<std::string>& out) {
  const Counters& c = record.counters;
  render("load", c.global_load, out);
  render("store", c.global_store, out);
  render("global", c.global_atomic, out);
  render("load", c.shared_load, out);
  render("store", c.shared_store, out);
  render("shared", c.shared_atomic, out);
  if (c.local_load_requests) out.push_back(fmt::format("local load requests={}", c.local_load_requests));
  if (c.local_store_requests) out.push_back(fmt::format("local store requests={}", c.local_store_requests));
  if (c.flops) out.push_back(fmt::format("flops {}", c.flops));
  if (c.barriers) out.push_back(fmt::format("barriers {}", c.barriers));
  std::uint64_t requested = 0, compulsory = 0;
  for (const TensorTraffic& t : record.tensors) {
    out.push_back(fmt::format("tensor {} requested={}/{} compulsory={}/{}", t.tensor, t.requested_read,
                              t.requested_write, t.compulsory_read, t.compulsory_write));
    requested += t.requested_read + t.requested_write;
    compulsory += t.compulsory_read + t.compulsory_write;
  }
  // The ledger and the totals are two accounts of the same thing.
  EXPECT_EQ(requested, c.requested_bytes() + 32 * c.global_atomic.sectors);
  EXPECT_EQ(compulsory, c.compulsory_bytes());
  std::uint64_t warp_instructions = 0;
  for (const LineTraffic& l : record.lines) {
    warp_instructions += l.warp_instructions;
    if (!with_lines || !(l.requests || l.bank_conflicts)) continue;
    out.push_back(fmt::format("line [{}] requests={} sectors={} ideal={} lanes={} conflicts={}",
                              source_text(l.file, l.line), l.requests, l.sectors, l.ideal_sectors, l.lanes,
                              l.bank_conflicts));
  }
  EXPECT_EQ(warp_instructions, c.warp_instructions);
}

void render_faults(const std::vector<Fault>& faults, std::vector<std::string>& out) {
  for (const Fault& f : faults) {
    std::string what = f.what;
    // A race names two lines: the second one as text, so that a kernel may move.
    static const std::regex other_line(R"(at line (\d+) by)");
    if (std::smatch match; f.kind.rfind("race", 0) == 0 && std::regex_search(what, match, other_line))
      what = match.prefix().str() + "at [" + source_text(f.file, std::stoi(match[1])) + "] by" +
             match.suffix().str();
    out.push_back(fmt::format("fault {}: {}{}; block ({}) thread ({}); [{}]; lanes={}", f.kind, what,
                              f.where.empty() ? "" : "; " + f.where, fmt::join(f.block, ","),
                              fmt::join(f.thread, ","), f.line ? source_text(f.file, f.line) : "", f.count));
  }
}

void put(std::vector<std::byte>& bytes, const void* value, std::size_t size) {
  while (bytes.size() % size) bytes.push_back({});
  const auto* from = static_cast<const std::byte*>(value);
  bytes.insert(bytes.end(), from, from + size);
}

std::vector<std::string> run_case(Simulator& simulator, const ModuleImage& module, const Case& c,
                                  ExecuteOptions options = {}) {
  std::vector<std::uint64_t> sizes;
  for (const Argument& a : c.arguments) {
    if (!a.buffer.empty()) sizes.push_back(a.bytes);
  }
  const auto addresses = place_buffers(simulator.address_range(), sizes);
  std::vector<Buffer> buffers;
  LaunchOp launch{c.kernel, c.grid, c.block, c.shared_bytes, false, {}};
  for (const Argument& a : c.arguments) {
    if (a.buffer.empty() && !a.null) {
      put(launch.arguments, &a.value, sizeof a.value);
      continue;
    }
    std::uint64_t pointer = 0;
    if (!a.null) {
      const std::uint64_t address = addresses[buffers.size()];
      pointer = address + a.offset;
      buffers.push_back({a.buffer, address, a.bytes, std::vector<std::byte>(a.defined ? a.bytes : 0)});
    }
    put(launch.arguments, &pointer, sizeof pointer);
  }
  LaunchPlan plan;
  plan.ops.push_back(launch);
  options.max_warp_instructions = 1'000'000;
  const auto run = simulator.execute(plan, module, buffers, options);
  if (!run) return {"refused: " + run.error().what};

  std::vector<std::string> lines;
  render_faults(run->faults, lines);
  for (const LaunchRecord& record : run->launches) {
    if (!c.only_faults) render_counters(record, c.with_lines, lines);
    render_faults(record.faults, lines);
  }
  return lines;
}

void expect_what_is_written(Simulator& simulator, const ModuleImage& module, const Case& c) {
  SCOPED_TRACE(c.name);
  const auto got = run_case(simulator, module, c);
  EXPECT_EQ(fmt::format("{}", fmt::join(got, "\n")), fmt::format("{}", fmt::join(c.expected, "\n")));
  // A detector that is off changes no counter, and another order of warps and blocks makes nothing
  // illegal.
  ExecuteOptions other;
  other.races = false;
  if (!c.only_faults) {
    EXPECT_EQ(run_case(simulator, module, c, other), got);
  }
  other.races = true;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    other.schedule = seed;
    const auto shuffled = run_case(simulator, module, c, other);
    if (c.only_faults && c.expected.empty()) {
      EXPECT_EQ(fmt::format("{}", fmt::join(shuffled, "\n")), "") << "schedule " << seed;
    }
    EXPECT_EQ(run_case(simulator, module, c, other), shuffled) << "schedule " << seed;
  }
}

TEST(Rules, EveryKernelReportsExactlyWhatIsWrittenBesideIt) {
  std::map<std::string, std::vector<fs::path>> files;  // by architecture
  for (const auto& entry : fs::directory_iterator(kKernels)) {
    if (entry.path().extension() == ".cu") files[architecture_of(entry.path())].push_back(entry.path());
  }
  const auto gpu = load_gpu_profile(fs::path(FUSEBOX_SOURCE_DIR) / "assets", "h200");
  ASSERT_TRUE(gpu) << gpu.error().what;

  Simulator simulator(*gpu);
  int count = 0;
  for (auto& [architecture, of_it] : files) {
    std::sort(of_it.begin(), of_it.end());
    const auto ptx = compile(of_it, architecture);
    ASSERT_TRUE(ptx) << ptx.error().what << "\n" << ptx.error().remedy;
    ModuleImage module;
    module.ptx = *ptx;
    for (const fs::path& file : of_it)
      for (const Case& c : read_cases(file)) {
        ++count;
        expect_what_is_written(simulator, module, c);
      }
  }
  EXPECT_GE(count, 50) << "the cases were not found";
}

}  // namespace
}  // namespace fusebox::sim
