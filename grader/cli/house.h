#pragma once

#include <filesystem>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/report/result.h"

namespace fusebox {

/// Where everything lies: the checkout, and the build folder that this program is in.
struct House {
  std::filesystem::path root;
  std::filesystem::path puzzles, solutions, assets;
  std::filesystem::path build;     ///< holds bin/grader, the cache, the progress
  std::filesystem::path cache;     ///< compiled files
  std::filesystem::path toolkit;   ///< the wheels' compiler, when set-up put one there
  std::filesystem::path recorder;  ///< the program that runs host functions
  std::filesystem::path executor;  ///< the program that runs kernels on a GPU
  std::filesystem::path workshop;  ///< the program that carries out what learners do not ask for
  std::filesystem::path progress;  ///< what is solved, which hints were shown
  std::string command;  ///< how to type the grader's name from the current folder: "build/bin/grader"

  std::filesystem::path texts() const { return assets / "puzzles"; }
  std::filesystem::path optimized() const { return solutions / "optimized"; }
  std::filesystem::path spec(const Puzzle& puzzle) const {
    return root / "grader" / "catalog" / "specs" / (puzzle.id + "_" + puzzle.slug + ".cc");
  }
};

/// `root` (from --root) first, then FUSEBOX_ROOT, then upwards from the program and from the current folder
/// to a folder that holds puzzles/ and assets/. None is an error that says so.
Result<House> find_house(const std::string& root, const char* argv0);

/// `path` as it is shortest to type from the current folder.
std::string shown(const std::filesystem::path& path);

}  // namespace fusebox
