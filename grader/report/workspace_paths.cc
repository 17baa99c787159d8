#include "grader/report/workspace_paths.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

bool is_checkout(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "puzzles", error) && fs::is_directory(folder / "assets", error);
}

/// The folder or one around it that is a checkout; empty: none.
fs::path checkout_around(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    if (is_checkout(folder)) return folder;
    if (folder == folder.parent_path()) return {};
  }
}

fs::path this_program(const char* argv0) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::absolute(argv0, error) : program;
}

std::string from_environment() {
  const char* root = std::getenv("FUSEBOX_ROOT");
  return root ? root : "";
}

/// `root`: a checkout, or empty where one is to be found.
WorkspacePaths around(const fs::path& root, const char* argv0) {
  std::error_code error;
  WorkspacePaths paths;
  paths.bin = this_program(argv0).parent_path();
  const bool on_path = std::string(argv0).find('/') == std::string::npos;
  paths.command = on_path ? argv0 : shown(paths.grader());
  paths.root = root.empty() ? checkout_around(paths.bin) : fs::weakly_canonical(root, error);
  if (paths.root.empty()) paths.root = checkout_around(fs::current_path(error));
  return paths;
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

Result<WorkspacePaths> find_workspace(const std::string& given, const char* argv0) {
  const std::string asked = given.empty() ? from_environment() : given;
  if (!asked.empty() && !is_checkout(asked))
    return Error{ErrorKind::missing_part, fmt::format("{} holds no puzzles/ and assets/", asked),
                 "give --root (or FUSEBOX_ROOT) the folder of the Fusebox checkout"};
  WorkspacePaths paths = around(asked, argv0);
  if (paths.root.empty())
    return Error{
        ErrorKind::missing_part,
        fmt::format("no Fusebox checkout around {} or the current folder", this_program(argv0).string()),
        "run this from the checkout, or give --root"};
  return paths;
}

WorkspacePaths workspace_if_any(const char* argv0) {
  const std::string asked = from_environment();
  return around(is_checkout(asked) ? asked : "", argv0);
}

}  // namespace fusebox
