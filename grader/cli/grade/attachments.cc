#include "grader/cli/grade/attachments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "grader/catalog/puzzle_text.h"
#include "grader/device/gpu_profile.h"
#include "grader/judge/source/source_file.h"
#include "grader/report/json/json.h"
#include "grader/toolchain/cache/files.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAttemptsKept = 100;

std::string text_of(const fs::path& path) {
  auto file = read_source(path);
  return file ? std::move(file->text) : std::string();
}

}  // namespace

void attach(Report& report, const Puzzle& puzzle, const WorkspacePaths& paths, const std::string& gpu) {
  report.source = text_of(report.file);
  // Saved again since it was graded: the lines would no longer be those that were counted.
  if (sha256_hex(report.source) != report.file_sha256) report.source.clear();
  report.reference_source = text_of(paths.solutions() / puzzle.file_name());
  const TextFiles texts(paths.texts(), puzzle);
  if (auto lesson = load_lesson(texts)) report.lesson = std::move(*lesson);
  if (auto hints = load_hints(texts))
    for (Hint& hint : *hints) report.hints.push_back(std::move(hint.body));
  std::vector<std::string> names = gpu_profile_names(paths.assets());
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == gpu; });
  for (const std::string& name : names)
    if (const auto profile = load_gpu_profile(paths.assets(), name)) report.gpus.push_back(*profile);
}

std::optional<Report> last_attempt(const WorkspacePaths& paths, const std::string& puzzle) {
  std::error_code error;
  fs::path newest;
  for (fs::directory_iterator it(paths.attempts() / puzzle, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".json" && it->path().filename() > newest.filename()) newest = it->path();
  std::ifstream in(newest);
  auto report = report_from_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!report) return std::nullopt;
  return std::move(*report);
}

Result<fs::path> keep_attempt(const WorkspacePaths& paths, const Report& report) {
  const fs::path folder = paths.attempts() / report.puzzle;
  std::error_code error;
  fs::create_directories(folder, error);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const fs::path file = folder / fmt::format("{}-{}.json", milliseconds, to_string(report.verdict));
  if (auto failed = write_atomically(file, to_json(report))) return *failed;
  std::vector<fs::path> kept;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") kept.push_back(it->path());
  if (kept.size() <= kAttemptsKept) return file;
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i + kAttemptsKept < kept.size(); ++i) fs::remove(kept[i], error);
  return file;
}

}  // namespace fusebox
