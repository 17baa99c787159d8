#include "grader/cli/house.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <system_error>

#include "grader/toolchain/toolchain.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "puzzles", error) && fs::is_directory(folder / "assets", error);
}

std::optional<fs::path> upwards_from(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    if (is_root(folder)) return folder;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

}  // namespace

std::string shown(const fs::path& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return path.string();
  const fs::path near = path.lexically_relative(here);
  if (near.empty() || near.string().starts_with("../..")) return path.string();
  return near.string();
}

Result<House> find_house(const std::string& root, const char* argv0) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) program = fs::absolute(argv0, error);
  const fs::path here = fs::current_path(error);

  House house;
  const char* from_environment = std::getenv("FUSEBOX_ROOT");
  const std::string given = !root.empty() ? root : from_environment ? from_environment : "";
  if (!given.empty()) {
    house.root = fs::weakly_canonical(given, error);
    if (!is_root(house.root))
      return Error{ErrorKind::missing_part, fmt::format("{} holds no puzzles/ and assets/", given),
                   "give --root (or FUSEBOX_ROOT) the folder of the Fusebox checkout"};
  } else if (auto found = upwards_from(program.parent_path()); found || (found = upwards_from(here))) {
    house.root = *found;
  } else {
    return Error{ErrorKind::missing_part,
                 fmt::format("no Fusebox checkout around {} or the current folder", program.string()),
                 "run this from the checkout, or give --root"};
  }
  house.puzzles = house.root / "puzzles";
  house.solutions = house.root / "solutions";
  house.assets = house.root / "assets";
  house.build = program.parent_path().parent_path();
  house.cache = house.build / "cache";
  house.toolkit = toolkit_folder(house.root, house.build);
  house.recorder = program.parent_path() / "recorder";
  house.executor = program.parent_path() / "gpu_executor";
  house.workshop = program.parent_path() / "workshop";
  house.progress = house.build / "progress.json";
  house.command =
      std::string(argv0).find('/') == std::string::npos ? argv0 : shown(program.parent_path() / "grader");
  return house;
}

}  // namespace fusebox
