// Random programs of calls, divergence, barriers, what warps do together, and atomics (random_program.h),
// each carried out in every way that must come to the same: warps converged, on one core and on several,
// taking turns in order, and by schedules. Bytes are compared with what the program means, counters with each
// other, and no fault may be told.
//
//   fuzz_programs [--seconds 60] [--seed 1] [--programs 32] [--failures FOLDER]
//
// Program N has seed N: `--seed N --programs 1` is that one again. What fails is left in --failures (here, by
// default) as `program-N.cu`.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "grader/fuzz/random_program.h"
#include "grader/process/run_process.h"
#include "grader/report/json/json.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/small_gpu.h"
#include "grader/toolchain/toolchain.h"

using namespace fusebox;
using namespace fusebox::fuzz;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxSteps = 60'000;
constexpr std::uint64_t kBatch = 12;  // programs that are compiled at once
constexpr std::uint32_t kCores = 3;

struct Options {
  double seconds = 0;
  std::uint64_t seed = 1, programs = 0;
  fs::path failures = ".";
};

/// How a launch is carried out.
struct Way {
  const char* name;
  unsigned cores;
  bool cooperative;
  std::uint64_t schedule;  ///< 0: in order
  bool model;
};
constexpr Way kWays[] = {
    {"converged warps together", 1, false, 0, true}, {"on several cores", kCores, false, 0, true},
    {"without a model", kCores, false, 0, false},    {"warp after warp", 1, true, 0, false},
    {"by schedule 1", 1, false, 1, false},           {"by schedule 2", 1, false, 2, false},
    {"by schedule 3", 1, false, 3, false},
};

/// What a crash says, and the text it leaves: a handler may not allocate.
char running[512], crash_path[4096];
const std::string* crash_text = nullptr;

void on_signal(int) {
  if (write(2, running, std::strlen(running)) < 0 || crash_text == nullptr) _exit(1);
  const int file = creat(crash_path, 0644);
  if (file >= 0 && write(file, crash_text->data(), crash_text->size()) < 0) _exit(1);
  _exit(1);
}

struct Outcome {
  std::vector<std::uint32_t> words;
  LaunchRecord record;
  sim::Ending ending = sim::Ending::stopped;
  bool in_parallel = false;
};

class Bench {
 public:
  explicit Bench(const std::string& ptx) {
    for (const unsigned cores : {1u, kCores}) {
      Device& device = devices_.emplace_back();
      device.cores = cores;
      device.session = std::make_unique<sim::Session>(sim::small_gpu(4), cores);
      auto module = sim::load_module(ptx, device.session->variables());
      if (!module) {
        error = module.error().what;
        return;
      }
      device.module = std::move(*module);
    }
  }

  Outcome run(const RandomProgram& program, const Way& way) {
    Device& device = way.cores == 1 ? devices_[0] : devices_[1];
    sim::Session& session = *device.session;
    Outcome outcome;
    outcome.words = initial_words(program);
    session.restart();
    const DeviceAddress at = session.buffers().begin;
    std::vector<std::byte> bytes(outcome.words.size() * 4);
    std::memcpy(bytes.data(), outcome.words.data(), bytes.size());
    const auto kernel = device.module->program(program.name());
    if (auto placed = device.module->place_variables(session.memory());
        !placed || !session.place("words", at, bytes.size(), bytes) || !kernel) {
      error = !placed ? placed.error().what : !kernel ? kernel.error().what : "no room";
      return outcome;
    }
    LaunchOp op{program.name(), {program.blocks, 1, 1}, {program.threads, 1, 1}, 0, way.cooperative, {}};
    op.arguments.resize(8);
    std::memcpy(op.arguments.data(), &at, 8);
    sim::LaunchSettings settings;
    settings.max_warp_instructions = 20'000'000;
    settings.model = way.model;
    if (way.schedule != 0) settings.schedule = way.schedule;
    sim::LaunchOutcome launched = session.launch(*device.module, **kernel, op, settings);
    outcome.ending = launched.ending;
    outcome.in_parallel = launched.in_parallel;
    outcome.record = std::move(launched.record);
    std::memcpy(outcome.words.data(), sim::GlobalMemory::data(at), bytes.size());
    return outcome;
  }

  std::string error;
  std::uint64_t in_parallel = 0;  ///< launches whose blocks ran on several cores at once

 private:
  struct Device {
    unsigned cores = 1;
    std::unique_ptr<sim::Session> session;
    std::unique_ptr<sim::LoadedModule> module;
  };
  std::vector<Device> devices_;
};

/// What is wrong with `got`; empty: nothing.
std::string difference(const RandomProgram& program, const Way& way, const Outcome& got, const Outcome& first,
                       const std::vector<std::uint32_t>& expected) {
  for (const Fault& fault : got.record.faults)
    return fmt::format("fault {}: {} {}; block {} thread {}; line {}", fault.kind, fault.what, fault.where,
                       fault.block[0], fault.thread[0], fault.line);
  if (got.ending != sim::Ending::complete) return "it stopped without a fault";
  const std::uint32_t slots = program.all_threads() * kSlots, results = slots + program.all_threads();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got.words[i] == expected[i]) continue;
    const std::string where = i < slots     ? fmt::format("slot {} of thread {}", i % kSlots, i / kSlots)
                              : i < results ? fmt::format("the result of thread {}", i - slots)
                                            : fmt::format("sum {}", i - results);
    return fmt::format("{} is {:#x}, not {:#x}", where, got.words[i], expected[i]);
  }
  if (way.model && launch_to_json(got.record) != launch_to_json(first.record))
    return "the record differs: " + launch_to_json(got.record) + "\n" + launch_to_json(first.record);
  LaunchRecord record = first.record;
  record.counters = got.record.counters;
  if (!(got.record.counters == first.record.counters))
    return "counters differ: " + launch_to_json(record) + "\n" + launch_to_json(first.record);
  return "";
}

/// True when everything agrees.
bool try_program(Bench& bench, const RandomProgram& program, const Options& options) {
  const std::string text = write_program(program);
  const fs::path path = options.failures / fmt::format("program-{}.cu", program.seed);
  crash_text = &text;
  std::snprintf(crash_path, sizeof crash_path, "%s", path.c_str());
  std::vector<std::uint32_t> expected = initial_words(program);
  evaluate(program, expected, kMaxSteps);
  Outcome first;
  bool right = true;
  for (const Way& way : kWays) {
    if (way.cooperative && program.side_by_side) continue;  // more blocks than are resident at once
    std::snprintf(running, sizeof running, "fuzz: program %llu crashed %s: %s\n",
                  static_cast<unsigned long long>(program.seed), way.name, path.c_str());
    Outcome got = bench.run(program, way);
    if (&way == kWays) first = got;
    bench.in_parallel += got.in_parallel;
    std::string wrong = bench.error.empty() ? difference(program, way, got, first, expected) : bench.error;
    if (wrong.empty()) continue;
    fmt::print(stderr, "fuzz: program {} {}: {}\n", program.seed, way.name, wrong);
    right = false;
  }
  crash_text = nullptr;
  if (!right) {
    std::ofstream(path) << text;
    fmt::print(stderr, "fuzz: the program was left in {}\n", path.string());
  }
  return right;
}

Result<std::string> compile(const Compiler& compiler, const std::string& text, bool optimised) {
  std::string pattern = (fs::temp_directory_path() / "fusebox-programs-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return Error{ErrorKind::internal, "no temporary folder", ""};
  const fs::path folder = pattern, source = folder / "programs.cu", ptx = folder / "programs.ptx";
  std::ofstream(source) << text;
  const auto ran = run_process({compiler.nvcc.string(), "-ptx", "-std=c++17", "-arch=compute_80", "-w",
                                optimised ? "-lineinfo" : "-G", "-o", ptx.string(), source.string()});
  std::ifstream in(ptx);
  std::string result(std::istreambuf_iterator<char>(in), {});
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{ErrorKind::internal, ran->output, ""};
  return result;
}

/// The programs of these seeds, optimised or, some of them, not: then they have more branches, and all that
/// they do goes through memory. `in_parallel` grows by the launches that ran on several cores. False: one was
/// wrong, or none could be tried.
bool try_batch(const Compiler& compiler, std::uint64_t first, std::uint64_t count, bool optimised,
               const Options& options, std::uint64_t& in_parallel) {
  std::vector<RandomProgram> programs;
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!optimised && (first + i) % 4 != 0) continue;
    programs.push_back(make_program(first + i, kMaxSteps));
    text += write_program(programs.back());
  }
  if (programs.empty()) return true;
  const auto ptx = compile(compiler, text, optimised);
  if (!ptx) {
    std::ofstream(options.failures / fmt::format("program-{}.cu", first)) << text;
    fmt::print(stderr, "fuzz: programs from {} do not compile: {}\n", first, ptx.error().what);
    return false;
  }
  Bench bench(*ptx);
  if (!bench.error.empty()) {
    fmt::print(stderr, "fuzz: programs from {} on do not load: {}\n", first, bench.error);
    return false;
  }
  bool right = true;
  for (const RandomProgram& program : programs) right = try_program(bench, program, options) && right;
  in_parallel += bench.in_parallel;
  return right;
}

int usage() {
  std::fputs("usage: fuzz_programs [--seconds N] [--seed N] [--programs N] [--failures FOLDER]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    if (word == "--seconds")
      options.seconds = std::atof(argv[i + 1]);
    else if (word == "--seed")
      options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    else if (word == "--programs")
      options.programs = std::strtoull(argv[i + 1], nullptr, 10);
    else if (word == "--failures")
      options.failures = argv[i + 1];
    else
      return usage();
  }
  if (argc % 2 == 0 || (options.seconds <= 0 && options.programs == 0)) return usage();
  const auto compiler = find_compiler(fs::path(FUSEBOX_BINARY_DIR) / "toolkit");
  if (!compiler) {
    fmt::print(stderr, "fuzz: {}\n", compiler.error().what);
    return 3;
  }
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, on_signal);

  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t done = 0, in_parallel = 0;
  bool right = true;
  while (right && (options.programs != 0 ? done < options.programs : passed() < options.seconds)) {
    const std::uint64_t left = options.programs != 0 ? options.programs - done : kBatch;
    const std::uint64_t count = std::min(kBatch, left), first = options.seed + done;
    right = try_batch(*compiler, first, count, true, options, in_parallel) &&
            try_batch(*compiler, first, count, false, options, in_parallel);
    done += count;
  }
  fmt::print("fuzz: {} programs from seed {} on, {} in {:.0f} s; {} launches on several cores\n", done,
             options.seed, right ? "all as they should" : "not all as they should", passed(), in_parallel);
  return right ? 0 : 1;
}
