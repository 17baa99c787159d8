// From a saved file to its verdict: the whole grader against the compiler that it cannot do without, in the
// same run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "grader/toolchain/checkout_compiler.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;
const fs::path kBuild = FUSEBOX_BINARY_DIR;
constexpr const char* kFile = "p20_layernorm_linear.cu";

/// Wall seconds of a program whose output goes nowhere; negative when it did not exit with `expected`.
double timed(const std::vector<std::string>& words, int expected, double* max_memory_bytes = nullptr) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (max_memory_bytes) *max_memory_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  return WIFEXITED(status) && WEXITSTATUS(status) == expected ? took.count() : -1;
}

/// A folder with p20's solution, or with one whose LayerNorm forgets beta, made new by a comment that no
/// earlier run has seen.
struct Desk {
  explicit Desk(bool right = true)
      : folder(fs::temp_directory_path() / fmt::format("fusebox_bench_{}_{}", ::getpid(), right)),
        right(right) {
    fs::create_directories(folder);
  }
  ~Desk() { fs::remove_all(folder); }
  void save() {
    std::ifstream reference(kRoot / "solutions" / kFile);
    std::string text((std::istreambuf_iterator<char>(reference)), {});
    const std::string beta = " + beta[h]";
    if (const std::size_t at = text.find(beta); !right && at != std::string::npos)
      text.erase(at, beta.size());
    std::ofstream(folder / kFile) << text << "// saved " << ::getpid() << " " << ++saves << "\n";
  }
  fs::path folder;
  bool right;
  int saves = 0;
};

/// `full`: at full size too, which is what comes behind the verdict.
std::vector<std::string> grade(const Desk& desk, bool full = false) {
  std::vector<std::string> words{(kBuild / "bin" / "grader").string(),
                                 "p20",
                                 "--from",
                                 desk.folder.string(),
                                 "--root",
                                 kRoot.string(),
                                 "--seed",
                                 "1"};
  if (!full) words.push_back("--no-full");
  return words;
}

std::vector<std::string> compile(const Desk& desk) {
  auto compiler = fusebox::find_checkout_compiler();
  const std::string nvcc = compiler.ok() ? compiler->nvcc.string() : "nvcc";
  return {nvcc,
          "-c",
          "-O3",
          "-arch=sm_90",
          "-o",
          (desk.folder / "out.o").string(),
          (desk.folder / kFile).string()};
}

/// `changed`: a file saved a moment ago. Otherwise the same file again.
void verdict(benchmark::State& state, bool changed) {
  Desk desk;
  desk.save();
  if (timed(grade(desk), 0) < 0) {
    state.SkipWithError("grader does not pass its own solution of p20");
    return;
  }
  double grading = 0, compiling = 0, memory = 0;
  for (auto _ : state) {
    if (changed) desk.save();
    double bytes = 0;
    const double one = timed(grade(desk), 0, &bytes), other = timed(compile(desk), 0);
    if (one < 0 || other < 0) {
      state.SkipWithError("a program failed");
      return;
    }
    grading += one;
    compiling += other;
    memory = std::max(memory, bytes);
    state.SetIterationTime(one);
  }
  state.counters["x_of_nvcc_c"] = grading / compiling;
  state.counters["nvcc_c_s"] = compiling / static_cast<double>(state.iterations());
  state.counters["peak_MiB"] = memory / (1 << 20);
}

/// What looking for the cause of a wrong answer takes: its verdict against that of a right one.
void wrong_verdict(benchmark::State& state, bool changed) {
  Desk right, wrong(false);
  right.save();
  wrong.save();
  // Known mistakes are compiled once for all files.
  if (timed(grade(right), 0) < 0 || timed(grade(wrong), 1) < 0) {
    state.SkipWithError("grader does not tell a right p20 from a wrong one");
    return;
  }
  double rights = 0, wrongs = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (changed) right.save(), wrong.save();
    const double one = timed(grade(wrong), 1), other = timed(grade(right), 0);
    if (one < 0 || other < 0) {
      state.SkipWithError("a program failed");
      return;
    }
    wrongs += one;
    rights += other;
    state.SetIterationTime(one);
  }
  state.counters["x_of_right"] = wrongs / rights;
  state.counters["more_s"] = (wrongs - rights) / static_cast<double>(state.iterations());
}

void saved_wrong_file_to_verdict(benchmark::State& state) { wrong_verdict(state, true); }
void unchanged_wrong_file_to_verdict(benchmark::State& state) { wrong_verdict(state, false); }

void saved_file_to_verdict(benchmark::State& state) { verdict(state, true); }
void unchanged_file_to_verdict(benchmark::State& state) { verdict(state, false); }

/// What the full size adds behind the verdict of a file saved a moment ago: every entry of it, the
/// reference's being kept from the first time.
void full_size_behind_the_verdict(benchmark::State& state) {
  Desk desk;
  desk.save();
  if (timed(grade(desk, true), 0) < 0) {
    state.SkipWithError("grader does not pass its own solution of p20");
    return;
  }
  double memory = 0;
  for ([[maybe_unused]] auto _ : state) {
    desk.save();
    double bytes = 0;
    // The first compiles it: the two that are compared need not.
    const double first = timed(grade(desk), 0), all = timed(grade(desk, true), 0, &bytes),
                 verdict = timed(grade(desk), 0);
    if (first < 0 || all < 0 || verdict < 0) {
      state.SkipWithError("a program failed");
      return;
    }
    memory = std::max(memory, bytes);
    state.SetIterationTime(std::max(all - verdict, 0.0));
  }
  state.counters["peak_MiB"] = memory / (1 << 20);
}

/// A class in which each answer is a right p20 that nobody has compiled before: something inside one of its
/// blanks differs.
struct Class {
  static constexpr int kAnswers = 20;

  Class() : folder(kBuild / fmt::format("bench_class_{}", ::getpid())) { fs::create_directories(folder); }
  ~Class() { fs::remove_all(folder); }
  fs::path answer(int student) const { return folder / "handed" / fmt::format("s{}", student) / kFile; }
  void hand_in() {
    std::ifstream reference(kRoot / "solutions" / kFile);
    const std::string text((std::istreambuf_iterator<char>(reference)), {});
    const std::string blank = "// FILL ME IN: layernorm";
    const std::size_t inside = text.find('\n', text.find(blank)) + 1;
    std::ofstream roster(folder / "roster.csv");
    roster << "id\n";
    ++rounds;
    for (int student = 0; student < kAnswers; ++student) {
      fs::create_directories(answer(student).parent_path());
      std::string changed = text;
      changed.insert(inside, fmt::format("  // {} {} {}\n", ::getpid(), rounds, student));
      std::ofstream(answer(student)) << changed;
      roster << "s" << student << "\n";
    }
  }
  double graded() const {
    return timed(
        {kBuild / "bin" / "workshop", "class", "--puzzles", "p20", "--submissions", folder / "handed",
         "--roster", folder / "roster.csv", "--out", folder / "out", "--root", kRoot, "--seed", "1"},
        0);
  }
  /// As many at a time as the class has graded.
  double compiled() const {
    auto compiler = fusebox::find_checkout_compiler();
    const std::string nvcc = compiler.ok() ? compiler->nvcc.string() : "nvcc";
    std::atomic<int> next = 0;
    std::atomic<bool> failed = false;
    const auto work = [&] {
      for (int student; (student = next++) < kAnswers;)
        if (timed({nvcc, "-c", "-O3", "-arch=sm_90", "-o", answer(student).string() + ".o", answer(student)},
                  0) < 0)
          failed = true;
    };
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return failed ? -1 : took.count();
  }

  fs::path folder;
  int rounds = 0;
};

/// A class against the sum of its compiles on all cores. What is done once for a class, its canaries above
/// all, is measured by one that has nothing left to grade, and taken into account for 500 answers.
void class_of_new_answers(benchmark::State& state) {
  Class students;
  double grading = 0, compiling = 0, once = 0;
  for ([[maybe_unused]] auto _ : state) {
    students.hand_in();
    const double one = students.graded(), again = students.graded(), other = students.compiled();
    if (one < 0 || again < 0 || other < 0) {
      state.SkipWithError("a class of right answers does not pass, or a program failed");
      return;
    }
    grading += one;
    once += again;
    compiling += other;
    state.SetIterationTime(one);
  }
  const auto answers = static_cast<double>(state.iterations() * Class::kAnswers);
  state.counters["x_of_compiles"] = grading / compiling;
  state.counters["once_s"] = once / static_cast<double>(state.iterations());
  state.counters["x_for_500"] =
      (once / static_cast<double>(state.iterations()) + (grading - once) / answers * 500) /
      (compiling / answers * 500);
}

BENCHMARK(class_of_new_answers)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK(full_size_behind_the_verdict)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(saved_file_to_verdict)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(unchanged_file_to_verdict)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

BENCHMARK(saved_wrong_file_to_verdict)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(unchanged_wrong_file_to_verdict)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

}  // namespace
