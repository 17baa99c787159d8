// Each defence is needed: with it switched off, and everything else as it always is, an entry of
// testdata/hostile gets further than it may. What is hostile for minutes is made smaller here, and limits are
// tightened to it.
#include "grader/confine/defences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "grader/classroom/ingest.h"
#include "grader/classroom/results/row_store.h"
#include "grader/confine/landlock.h"
#include "grader/host/recorder.h"
#include "grader/judge/cases/case_runner.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox {
namespace {
// What in_force() says in this program, where it is not the normal value.
std::map<Defence, std::uint64_t> changed;
}  // namespace

std::uint64_t in_force(Defence defence, std::uint64_t normal) {
  const auto found = changed.find(defence);
  return found == changed.end() ? normal : found->second;
}

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_NE(text.find(from), text.npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// An entry as somebody would hand it in; `smaller`: some of it, and what stands there instead.
struct Entry {
  const char* name;
  std::pair<const char*, const char*> smaller = {nullptr, nullptr};
};

class Defences : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock: hostile code is not run on it";
    std::string pattern = (fs::temp_directory_path() / "fusebox-defences-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override {
    changed.clear();
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  fs::path file_of(const Entry& entry) const {
    std::string text = text_of(kRoot / "grader/testdata/hostile" / (std::string(entry.name) + ".cu"));
    for (const auto& [from, to] :
         {std::pair{"// REFERENCE\n", text_of(kRoot / "solutions/p01_copy.cu")},
          std::pair{"@ROOT@", kRoot.string()}, std::pair{"@SECRET@", (folder_ / "secret").string()},
          std::pair{"/tmp/fusebox_seen", (folder_ / "seen").string()}})
      if (text.find(from) != text.npos) replace(text, from, to);
    if (entry.smaller.first != nullptr) replace(text, entry.smaller.first, entry.smaller.second);
    fs::create_directories(folder_ / "handed");
    std::ofstream(folder_ / "secret") << "secret";
    fs::path file = folder_ / "handed/p01_copy.cu";
    std::ofstream(file) << text;
    return file;
  }
  /// Nothing is known from before.
  CompileResult compiled(const Entry& entry) {
    const auto compiler = find_checkout_compiler();
    if (!compiler) {
      ADD_FAILURE() << compiler.error().what;
      return CompileFailure{};
    }
    const fs::path cache = folder_ / ("cache" + std::to_string(caches_++));
    auto result = Toolchain(*compiler, cache).compile(file_of(entry), "90");
    if (result) return *result;
    ADD_FAILURE() << result.error().what;
    return CompileFailure{};
  }
  /// What becomes of its host function, by a recorder without `off`.
  RecordResult recorded(const Artifact& artifact, const RecordLimits& limits, const std::set<Defence>& off) {
    std::string name = "without";
    for (const Defence defence : off) name += "-" + std::to_string(static_cast<int>(defence));
    std::error_code there;
    fs::create_symlink(FUSEBOX_RECORDER_WITHOUT, folder_ / name, there);
    RecordRequest request;
    request.library = artifact.host_library;
    for (std::size_t i = 0; i < artifact.functions.size(); ++i)
      if (artifact.functions[i].starts_with("copy(")) request.function = artifact.mangled[i];
    request.arguments = {{HostArgument::Kind::pointer, 0x4000'0010'0000, {}},
                         {HostArgument::Kind::pointer, 0x4000'0020'0000, {}},
                         {HostArgument::Kind::int64, 100, {}}};
    request.allocations = {0x4000'0030'0000, 1ull << 30};
    request.gpu.sms = 132;
    const auto kernels = kernel_parameters(artifact.module);
    if (kernels) request.kernels = *kernels;
    const auto result = Recorder(folder_ / name, limits).record(request);
    if (result) return *result;
    ADD_FAILURE() << result.error().what;
    return RecordFailure{};
  }

  fs::path folder_;
  int caches_ = 0;
};

/// How it ended, and what was said of it: "limited: ...", "refused: ...", "compiled".
std::string words_of(const CompileResult& result) {
  if (std::holds_alternative<Artifact>(result)) return "compiled";
  const CompileFailure& failure = std::get<CompileFailure>(result);
  return (failure.limited ? "limited: " : "refused: ") +
         (failure.diagnostics.empty() ? failure.output : failure.diagnostics.front().text);
}

/// The same of a recording: "forbidden: ...", "hang: ...", and what it printed where it came to its end.
std::string words_of(const RecordResult& result) {
  if (const auto* recording = std::get_if<Recording>(&result)) return "recorded: " + recording->output;
  const RecordFailure& failure = std::get<RecordFailure>(result);
  return std::string(to_string(failure.kind)) + ": " + failure.what + " " + failure.output.substr(0, 200);
}

// Of 2^20 numbers: some hundred megabytes of the compiler's, and an object of 4 MiB. Of three times as many:
// one of its processes alone works for seconds, on any machine. And of a quarter.
constexpr Entry kBomb = {"macro_bomb", {"{F F F F}", "{E}"}};
constexpr Entry kLongBomb = {"macro_bomb", {"{F F F F}", "{E E E}"}};
constexpr Entry kSmallBomb = {"macro_bomb", {"{F F F F}", "{D D D D}"}};

struct AtCompiling {
  Defence defence;
  Entry entry;
  std::uint64_t in_force;  ///< tightened to what the entry needs; 0: as it is
  const char* ends;        ///< how the entry begins to be told of, where the defence stands
};

const AtCompiling kAtCompiling[] = {
    {Defence::compiler_files, {"includes_the_reference"}, 0, "refused: "},
    {Defence::compiler_files, {"assembles_the_reference"}, 0, "refused: "},
    {Defence::compiler_processor_time, kLongBomb, 1, "limited: it does not compile within"},
    {Defence::compiler_memory, kBomb, 160 << 20, "limited: compiling needed more"},
    {Defence::compiler_file_size, kSmallBomb, 1 << 18, "limited: the compiled file is larger"},
};

TEST_F(Defences, OfTheCompilerAreNeeded) {
  for (const AtCompiling& row : kAtCompiling) {
    changed.clear();
    if (row.in_force != 0) changed[row.defence] = row.in_force;
    EXPECT_THAT(words_of(compiled(row.entry)), testing::StartsWith(row.ends)) << row.entry.name;
    changed[row.defence] = 0;
    EXPECT_EQ(words_of(compiled(row.entry)), "compiled") << row.entry.name << " without the defence";
  }
}

struct AtRecording {
  std::set<Defence> off;     ///< all of them together
  std::set<Defence> before;  ///< are off already where it is still refused: they come first
  Entry entry;
  RecordLimits with, without;
  const char* stands;  ///< what is said of it with the defence ...
  const char* falls;   ///< ... and without
};

const RecordLimits kUsual = {}, kPatient = {.wall_seconds = 60, .cpu_seconds = 1};

const AtRecording kAtRecording[] = {
    {{Defence::recorder_files},
     {},
     {"opens_the_reference"},
     kUsual,
     kUsual,
     "recorded: ",
     "read the solution"},
    {{Defence::recorder_calls}, {}, {"udp"}, kUsual, kUsual, "forbidden: ", "recorded: "},
    {{Defence::recorder_calls}, {}, {"unix_socket"}, kUsual, kUsual, "forbidden: ", "recorded: "},
    {{Defence::recorder_calls}, {}, {"namespaces"}, kUsual, kUsual, "forbidden: ", "recorded: "},
    {{Defence::recorder_processor_time},
     {},
     {"honest_and_slow", {"20000000", "700000000"}},
     kPatient,
     kPatient,
     "hang: ",
     "recorded: "},
    {{Defence::recorder_memory}, {}, {"touches_a_terabyte"}, kUsual, kUsual, "memory: ", "recorded: "},
    {{Defence::recorder_file_size},
     {Defence::recorder_files, Defence::recorder_calls},
     {"leaves_a_file"},
     kUsual,
     kUsual,
     "forbidden: ",
     "recorded: "},
    // By the clock, and by what is printed: limits that a Recorder is given.
    {{}, {}, {"waits", {"-1", "7000"}}, {.wall_seconds = 1}, {.wall_seconds = 60}, "hang: ", "recorded: "},
    {{},
     {},
     {"floods_stdout"},
     kPatient,
     {.wall_seconds = 60, .cpu_seconds = 1, .printed_bytes = 1ull << 50},
     "output: ",
     "hang: "},
};

TEST_F(Defences, OfHostFunctionsAreNeeded) {
  for (const AtRecording& row : kAtRecording) {
    const CompileResult compiled_entry = compiled(row.entry);
    ASSERT_TRUE(std::holds_alternative<Artifact>(compiled_entry))
        << row.entry.name << ": " << words_of(compiled_entry);
    const Artifact& artifact = std::get<Artifact>(compiled_entry);
    const std::string with = words_of(recorded(artifact, row.with, row.before));
    EXPECT_THAT(with, testing::StartsWith(row.stands)) << row.entry.name;
    EXPECT_THAT(with, Not(HasSubstr(row.falls))) << row.entry.name;
    std::set<Defence> off = row.before;
    off.insert(row.off.begin(), row.off.end());
    EXPECT_THAT(words_of(recorded(artifact, row.without, off)), HasSubstr(row.falls))
        << row.entry.name << " without the defence";
  }
}

TEST_F(Defences, LinksOfSubmissionsAreNotFollowed) {
  std::ofstream(folder_ / "reference") << "the answer\n";
  fs::create_directory(folder_ / "ada");
  fs::create_symlink(folder_ / "reference", folder_ / "ada/p01_copy.cu");
  EXPECT_FALSE(classroom::take_file(folder_ / "ada", "p01_copy.cu").text);
  changed[Defence::no_links] = 0;
  EXPECT_EQ(classroom::take_file(folder_ / "ada", "p01_copy.cu").text, "the answer\n");
}

/// Keeps a row in a process that may write no more than a part of it, as on a disk that becomes full.
void keep_half(const classroom::RowStore& store, const classroom::Row& row) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit little{100, 100};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    _exit(store.keep(row) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "half of a row was kept without a word";
}

TEST_F(Defences, RowsTakeTheirPlaceWhole) {
  const classroom::RowStore store(folder_ / "rows");
  classroom::Row row;
  row.student = "ada";
  row.puzzle = "p01";
  row.verdict = classroom::Verdict::pass;
  row.key = std::string(64, 'k');
  ASSERT_FALSE(store.keep(row));
  keep_half(store, row);
  ASSERT_TRUE(store.find("ada", "p01")) << "the row of before is lost";
  changed[Defence::whole_files] = 0;
  keep_half(store, row);
  EXPECT_FALSE(store.find("ada", "p01"));
}

// Who adds a defence adds a row that needs it.
TEST(DefencesTable, HoldsThemAll) {
  std::set<Defence> needed = {Defence::no_links, Defence::whole_files};
  for (const AtCompiling& row : kAtCompiling) needed.insert(row.defence);
  for (const AtRecording& row : kAtRecording) needed.insert(row.off.begin(), row.off.end());
  EXPECT_EQ(needed.size(), static_cast<std::size_t>(kDefences));
}

}  // namespace
}  // namespace fusebox
