#pragma once

#include <filesystem>
#include <string>

#include "grader/report/result.h"

namespace fusebox {

/// Where everything lies: in a checkout, and in the build folder of the program that asks.
struct WorkspacePaths {
  std::filesystem::path root;  ///< the checkout; empty: there is none, and nothing in it
  std::filesystem::path bin;   ///< the programs' folder, in the build folder
  std::string command;         ///< how to type the grader's name from the current folder: "build/bin/grader"

  std::filesystem::path puzzles() const { return in_checkout("puzzles"); }
  std::filesystem::path solutions() const { return in_checkout("solutions"); }
  std::filesystem::path optimized() const { return in_checkout("solutions/optimized"); }
  std::filesystem::path assets() const { return in_checkout("assets"); }
  std::filesystem::path texts() const { return in_checkout("assets/puzzles"); }
  std::filesystem::path recorded() const { return in_checkout("assets/recorded"); }
  std::filesystem::path recorded_reports() const { return in_checkout("assets/recorded/reports"); }
  /// `stem` is the name of the puzzle's files: "p20_layernorm_linear".
  std::filesystem::path spec(const std::string& stem) const {
    return in_checkout("grader/catalog/specs") / (stem + ".cc");
  }

  std::filesystem::path build() const { return bin.parent_path(); }
  std::filesystem::path cache() const { return build() / "cache"; }             ///< compiled files
  std::filesystem::path attempts() const { return build() / "reports"; }        ///< a folder for each puzzle
  std::filesystem::path progress() const { return build() / "progress.json"; }  ///< what is solved
  std::filesystem::path grader() const { return bin / "grader"; }
  std::filesystem::path recorder() const { return bin / "recorder"; }      ///< runs host functions
  std::filesystem::path executor() const { return bin / "gpu_executor"; }  ///< runs kernels on a GPU
  std::filesystem::path workshop() const { return bin / "workshop"; }  ///< verbs that learners do not need

 private:
  std::filesystem::path in_checkout(const char* path) const { return root.empty() ? root : root / path; }
};

/// `given` (by --root) first, then FUSEBOX_ROOT, then upwards from this program and from the current folder,
/// to a folder that holds puzzles/ and assets/. None is an error that says so.
Result<WorkspacePaths> find_workspace(const std::string& given, const char* argv0);

/// The same for who can do without: what is no checkout is passed over, and `root` may be empty.
WorkspacePaths workspace_if_any(const char* argv0);

/// `path` as it is shortest to type from the current folder.
std::string shown(const std::filesystem::path& path);

}  // namespace fusebox
