// The README's transcript of "Any CUDA program": its commands print what it says, to the letter.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "grader/toolchain/checkout_compiler.h"
#include "grader/toolchain/process.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = FUSEBOX_SOURCE_DIR;

struct Transcript {
  std::vector<std::vector<std::string>> commands;
  std::string output;
};

/// The block of the README whose first line is a call of the compiler.
Transcript read_transcript() {
  Transcript transcript;
  std::ifstream readme(kRoot / "README.md");
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    inside = inside || line.starts_with("$ ./fusebox nvcc ");
    if (!inside) continue;
    if (line == "```") break;
    if (line.starts_with("$ ")) {
      std::istringstream words(line.substr(2));
      transcript.commands.push_back({std::istream_iterator<std::string>(words), {}});
    } else {
      transcript.output += line + "\n";
    }
  }
  return transcript;
}

/// What the launcher makes of its words once everything is set up and built.
std::vector<std::string> launched(std::vector<std::string> words, const Compiler& compiler) {
  EXPECT_EQ(words.at(0), "./fusebox");
  words.erase(words.begin());
  if (words.at(0) == "nvcc") {
    words[0] = compiler.nvcc;
    return words;
  }
  words.insert(words.begin(), fs::path(FUSEBOX_BINARY_DIR) / "bin/grader");
  words.insert(words.begin() + 2, {"--root", kRoot.string(), "--no-color"});
  return words;
}

TEST(Readme, TheProgramPrintsWhatIsPrintedThere) {
  const auto compiler = find_checkout_compiler();
  ASSERT_TRUE(compiler.ok()) << compiler.error().what;
  std::string pattern = (fs::temp_directory_path() / "fusebox-readme-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  fs::create_directories(folder / "build");
  fs::copy(kRoot / "docs", folder / "docs", fs::copy_options::recursive);
  const Transcript transcript = read_transcript();
  EXPECT_EQ(transcript.commands.size(), 2u);
  std::string output;
  for (const auto& command : transcript.commands) {
    const auto ran = run_process(launched(command, compiler.value()),
                                 {.time_limit_s = 120, .directory = folder, .environment = {}});
    ASSERT_TRUE(ran.ok()) << ran.error().what;
    output += ran->output;
  }
  EXPECT_EQ(output, transcript.output);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace fusebox
