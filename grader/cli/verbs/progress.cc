#include "grader/cli/verbs/progress.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/report/json/json_text.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {

Progress Progress::load(const std::filesystem::path& path) {
  Progress progress;
  progress.path_ = path;
  std::ifstream file(path);
  const auto json = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!json.is_object()) return progress;
  for (const auto& [id, entry] : json.items()) {
    if (!entry.is_object()) continue;
    PuzzleProgress one;
    const auto flag = [&entry = entry](const char* key) {
      return entry.contains(key) && entry[key].is_boolean() && entry[key].get<bool>();
    };
    one.tried = flag("tried");
    one.solved = flag("solved");
    if (entry.contains("hints") && entry["hints"].is_number_integer()) one.hints = entry["hints"].get<int>();
    one.asked = flag("asked");
    one.scored = flag("scored");
    if (entry.contains("prediction") && entry["prediction"].is_string())
      one.prediction = entry["prediction"].get<std::string>();
    progress.puzzles_[id] = one;
  }
  return progress;
}

PuzzleProgress Progress::of(const std::string& id) const {
  const auto found = puzzles_.find(id);
  return found == puzzles_.end() ? PuzzleProgress{} : found->second;
}

std::optional<Error> Progress::save() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [id, one] : puzzles_)
    json[id] = {{"tried", one.tried}, {"solved", one.solved},         {"hints", one.hints},
                {"asked", one.asked}, {"prediction", one.prediction}, {"scored", one.scored}};
  return write_atomically(path_, json_text(json, 1) + "\n");
}

}  // namespace fusebox
