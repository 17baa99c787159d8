// The README's transcripts: their commands print what they say, to the letter.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "grader/parity/hardware.h"
#include "grader/process/run_process.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;

struct Transcript {
  int line = 0;  ///< of its first command
  std::vector<std::vector<std::string>> commands;
  std::string output;
};

/// The README's blocks that begin with a command of the launcher; what a GPU must answer is not among them.
std::vector<Transcript> read_transcripts() {
  std::vector<Transcript> all;
  std::ifstream readme(kRoot / "README.md");
  bool inside = false, kept = false;
  int number = 0;
  for (std::string line; std::getline(readme, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      kept = false;
      continue;
    }
    if (!inside) continue;
    if (line.starts_with("$ ./fusebox ") && !line.starts_with("$ ./fusebox bench ")) {
      if (!kept) all.push_back({number, {}, {}});
      kept = true;
      std::istringstream words(line.substr(2));
      all.back().commands.push_back({std::istream_iterator<std::string>(words), {}});
    } else if (kept) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

/// What the launcher makes of its words once everything is set up and built.
std::vector<std::string> launched(std::vector<std::string> words, const Compiler& compiler) {
  EXPECT_EQ(words.at(0), "./fusebox");
  words.erase(words.begin());
  if (words.at(0) == "nvcc") {
    words[0] = compiler.nvcc;
    return words;
  }
  const bool grades = words.at(0) == "grade";
  if (grades) words.erase(words.begin());
  // The learner's own puzzles, but without what is remembered of earlier attempts.
  if (grades && std::find(words.begin(), words.end(), "--from") == words.end())
    words.insert(words.end(), {"--from", "puzzles"});
  const std::ptrdiff_t verb = words.at(0) == "dev" ? 2 : 1;
  words.insert(words.begin() + verb, {"--root", kRoot.string(), "--no-color"});
  words.insert(words.begin(), fs::path(FUSEBOX_BINARY_DIR) / "bin/grader");
  return words;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// What the README's student handed in, one attempt after the other: the solution with one mistake.
void hand_in(const fs::path& folder, std::size_t attempt) {
  const std::pair<std::string, std::string> mistakes[] = {{" + beta[h];", ";"},
                                                          {"normalized_row[h] =", "normalized_row[h + 1] ="}};
  const auto& [right, wrong] = mistakes[std::min<std::size_t>(attempt, 1)];
  std::ifstream in(kRoot / "solutions" / "p20_layernorm_linear.cu");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  ASSERT_NE(text.find(right), text.npos);
  text.replace(text.find(right), right.size(), wrong);
  fs::create_directories(folder / "submissions/ada");
  std::ofstream(folder / "submissions/ada/p20_layernorm_linear.cu") << text;
}

class Readme : public testing::Test {
 protected:
  Readme() : compiler_(find_checkout_compiler()) {
    std::string pattern = (fs::temp_directory_path() / "fusebox-readme-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "build");
    for (const char* part : {"docs", "puzzles", "solutions"})
      fs::copy(kRoot / part, folder_ / part, fs::copy_options::recursive);
  }
  ~Readme() override { fs::remove_all(folder_); }

  std::string run(const std::vector<std::string>& command) {
    const auto ran = run_process(launched(command, compiler_.value()),
                                 {.time_limit_s = 300, .directory = folder_, .environment = {}});
    EXPECT_TRUE(ran.ok());
    if (!ran.ok()) return {};
    const fs::path grader = fs::path(FUSEBOX_BINARY_DIR) / "bin/grader";
    const std::string from_here = grader.lexically_relative(folder_).string();
    return with(with(ran->output, grader.string(), "build/bin/grader"), from_here, "build/bin/grader");
  }

  Result<Compiler> compiler_;
  fs::path folder_;
};

// How much was compared with a GPU is what its table holds; that every row is equal is another test's.
TEST(ReadmeNumbers, LaunchesAndKernelsAreThoseOfTheRecordedTable) {
  const auto table = read_hardware_table(kRoot / "assets" / "recorded" / "parity" / "h200.json");
  ASSERT_TRUE(table.ok());
  std::set<std::pair<std::string, std::string>> kernels;  // "p04 fused" and "p04 unfused" are one file
  for (const HardwareLaunch& launch : table->launches) {
    const bool of_puzzle =
        launch.row.starts_with("p") && launch.row.size() > 2 && std::isdigit(launch.row[1]);
    kernels.insert({of_puzzle ? launch.row.substr(0, 3) : "", launch.kernel});
  }
  std::ifstream readme(kRoot / "README.md");
  const std::string text{std::istreambuf_iterator<char>(readme), {}};
  const std::string said = "In " + std::to_string(table->launches.size()) + " launches of " +
                           std::to_string(kernels.size()) + " kernels";
  EXPECT_NE(text.find(said), std::string::npos) << said;
}

TEST_F(Readme, EachCommandPrintsWhatIsPrintedThere) {
  ASSERT_TRUE(compiler_.ok()) << compiler_.error().what;
  std::size_t handed_in = 0;
  std::ifstream in(kRoot / "README.md");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto transcripts = read_transcripts();
  EXPECT_EQ(transcripts.size(), 7u);
  for (const Transcript& transcript : transcripts) {
    SCOPED_TRACE("README.md:" + std::to_string(transcript.line));
    std::string output;
    for (const auto& command : transcript.commands) {
      if (std::find(command.begin(), command.end(), "submissions/ada") != command.end())
        hand_in(folder_, handed_in++);
      output += run(command);
    }
    EXPECT_EQ(output, transcript.output);
    text = with(text, transcript.output, output);
  }
  // FUSEBOX_UPDATE_GOLDEN=1 writes down what is printed now.
  if (std::getenv("FUSEBOX_UPDATE_GOLDEN")) std::ofstream(kRoot / "README.md") << text;
}

}  // namespace
}  // namespace fusebox
