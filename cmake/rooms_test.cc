// The table of CONTRIBUTING.md says which room may include which: every #include of ours is held to it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

const std::string kTests = "tests";  // the row of what every test may include besides
const std::string kEverything = "everything";

/// By folder ("grader/report"); a row may name rooms by the last parts of their folder.
struct Table {
  std::map<std::string, Names> rows;
  std::vector<std::string> mistakes;
};

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" `"), to = text.find_last_not_of(" `");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(trimmed(part));
  return parts;
}

Table read_table(std::istream& in) {
  Table table;
  std::map<std::string, std::string> cells;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| room ")) inside = true;
    if (!inside || line.starts_with("| room ") || line.starts_with("|--")) continue;
    if (!line.starts_with("|")) break;
    const auto columns = split(line, '|');  // before the first bar there is nothing
    const std::string& folder = columns.at(1);
    cells[folder] = columns.size() > 3 ? columns[3] : "";
  }
  for (const auto& [folder, cell] : cells) {
    Names& row = table.rows[folder];
    for (const std::string& name : split(cell, ',')) {
      if (name.empty()) continue;
      if (name == kEverything || cells.contains(name) || name.starts_with("bench/")) {
        row.insert(name);
        continue;
      }
      Names named;
      for (const auto& [room, unused] : cells)
        if (room.ends_with("/" + name)) named.insert(room);
      row.insert(named.begin(), named.end());
      if (named.size() > 1)
        table.mistakes.push_back(
            fmt::format("{} may include \"{}\", which can be {}", folder, name, fmt::join(named, " or ")));
      // A library is no room: "Dear ImGui".
      if (named.empty() && !std::isupper(static_cast<unsigned char>(name[0])))
        table.mistakes.push_back(
            fmt::format("{} may include \"{}\", which is no room of the table", folder, name));
    }
  }
  return table;
}

/// What `folder` may include: itself, its row, and what the rooms in it may.
Names allowed(const Table& table, const std::string& folder) {
  Names all{folder};
  for (std::vector<std::string> open{folder}; !open.empty();) {
    const auto row = table.rows.find(open.back());
    open.pop_back();
    if (row == table.rows.end()) continue;
    for (const std::string& name : row->second)
      if (all.insert(name).second) open.push_back(name);
  }
  return all;
}

/// The room that a path lies in: the row with the longest folder around it; "" when there is none.
std::string room_of(const Table& table, const std::string& path) {
  std::string room;
  for (const auto& [folder, row] : table.rows)
    if (path.starts_with(folder + "/") && folder.size() > room.size()) room = folder;
  return room;
}

bool is_test(const std::string& path) {
  return path.ends_with("_test.cc") || path.ends_with("_testing.h") || path.find("/testing/") != path.npos;
}

/// One message for each include that `path` (from the top of the checkout) may not have.
std::vector<std::string> violations(const Table& table, const std::string& path, std::istream& in) {
  std::vector<std::string> found;
  const std::string room = room_of(table, path);
  if (room.empty()) return {path + ": lies in no room of the table"};
  Names may = allowed(table, room);
  if (is_test(path)) {
    may.merge(allowed(table, kTests));
    // Tests of rooms in a room are one program with its own.
    may.merge(allowed(table, room_of(table, room)));
  }
  const std::string include = "#include \"";
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.starts_with(include)) continue;
    const std::string target = line.substr(include.size(), line.rfind('"') - include.size());
    const std::string at = fmt::format("{}:{}: includes \"{}\"", path, number, target);
    if (target.find("..") != target.npos) {
      found.push_back(at + ": write the path from the top of the checkout");
      continue;
    }
    const bool ours = target.starts_with("grader/") || target.starts_with("viewer/");
    const bool bench = target.starts_with("bench/");
    if (!ours && !bench) continue;  // of a library, or inside a text
    const std::string other = ours ? room_of(table, target) : target.substr(0, target.rfind('/'));
    if (!may.contains(other) && !may.contains(kEverything))
      found.push_back(
          fmt::format("{} of {}; allowed: {}", at, other.empty() ? "no room" : other, fmt::join(may, ", ")));
  }
  return found;
}

TEST(Rooms, EveryIncludeGoesTheWayOfTheTable) {
  const fs::path root = FUSEBOX_SOURCE_DIR;
  std::ifstream contributing(root / "CONTRIBUTING.md");
  const Table table = read_table(contributing);
  ASSERT_GE(table.rows.size(), 15u) << "the table of CONTRIBUTING.md is not where it was";
  for (const std::string& mistake : table.mistakes) ADD_FAILURE() << "CONTRIBUTING.md: " << mistake;
  for (const auto& [folder, row] : table.rows)
    if (folder != kTests) {
      EXPECT_TRUE(fs::is_directory(root / folder)) << folder << " has a row and is no folder";
    }
  int files = 0;
  for (const char* top : {"grader", "viewer"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path extension = entry.path().extension();
      const std::string path = entry.path().lexically_relative(root).string();
      if ((extension != ".cc" && extension != ".h") || path.find("/testdata/") != path.npos) continue;
      ++files;
      std::ifstream in(entry.path());
      for (const std::string& message : violations(table, path, in)) ADD_FAILURE() << message;
    }
  EXPECT_GT(files, 200);
}

// From the vocabulary up: what stands further down the list may use what stands above it, and never the other
// way round. The table alone would not hold that: a row that allows too much makes every include right.
TEST(Rooms, TheRoomsOfTheSimulatorsExecutorGoOneWay) {
  std::ifstream contributing(fs::path(FUSEBOX_SOURCE_DIR) / "CONTRIBUTING.md");
  const Table table = read_table(contributing);
  const std::string exec = "grader/simulator/exec";
  const std::vector<std::string> order = {exec,
                                          exec + "/state",
                                          exec + "/program",
                                          exec + "/memory",
                                          exec + "/instructions/lanes",
                                          exec + "/instructions/async",
                                          exec + "/instructions/warpgroup",
                                          exec + "/instructions",
                                          exec + "/decode",
                                          exec + "/execution"};
  for (std::size_t upper = 0; upper < order.size(); ++upper) {
    ASSERT_TRUE(table.rows.contains(order[upper])) << order[upper] << " has no row";
    const Names may = allowed(table, order[upper]);
    for (std::size_t other = 0; other < order.size(); ++other)
      EXPECT_EQ(may.contains(order[other]), other <= upper) << order[upper] << " and " << order[other];
  }
  // Rooms that nobody put in order.
  for (const auto& [folder, row] : table.rows)
    if (folder.starts_with(exec)) {
      EXPECT_EQ(std::count(order.begin(), order.end(), folder), 1) << folder;
    }
}

// What one request is stands above; what is made of the requests stands side by side.
TEST(Rooms, TheRoomsOfTheObserversGoOneWay) {
  std::ifstream contributing(fs::path(FUSEBOX_SOURCE_DIR) / "CONTRIBUTING.md");
  const Table table = read_table(contributing);
  const std::string observe = "grader/simulator/observe";
  const std::string requests = observe + "/requests";
  std::map<std::string, Names> expected = {{requests, {requests}}};
  Names all{observe, requests};
  for (const char* name : {"/traffic", "/modelled", "/races", "/faults"}) {
    expected[observe + name] = {observe + name, requests};
    all.insert(observe + name);
  }
  expected[observe] = all;
  std::map<std::string, Names> found;
  for (const auto& [folder, row] : table.rows) {
    if (!folder.starts_with(observe)) continue;
    for (const std::string& name : allowed(table, folder))
      if (name.starts_with(observe)) found[folder].insert(name);
  }
  EXPECT_EQ(found, expected);
}

TEST(Rooms, NoRoomMayIncludeOneThatMayIncludeIt) {
  std::ifstream contributing(fs::path(FUSEBOX_SOURCE_DIR) / "CONTRIBUTING.md");
  const Table table = read_table(contributing);
  for (const auto& [folder, row] : table.rows)
    for (const std::string& other : allowed(table, folder))
      if (other != folder) {
        EXPECT_FALSE(allowed(table, other).contains(folder)) << folder << " and " << other;
      }
}

// Rooms of a hundred files were where a newcomer stopped.
TEST(Rooms, NoFolderIsTooFullToRead) {
  const fs::path root = FUSEBOX_SOURCE_DIR;
  std::map<std::string, int> files;
  for (const char* top : {"grader", "viewer", "bench", "cmake"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string folder = entry.path().parent_path().lexically_relative(root).string();
      // One file for each puzzle; what tests read.
      if (!entry.is_regular_file() || folder == "grader/catalog/specs" ||
          folder.find("/testdata") != folder.npos)
        continue;
      ++files[folder];
    }
  EXPECT_GT(files.size(), 40u);
  for (const auto& [folder, count] : files) EXPECT_LE(count, 25) << folder;
}

TEST(Rooms, WhatTheTableDoesNotAllowIsFoundOut) {
  std::istringstream text(
      "| room | holds | may include |\n|---|---|---|\n"
      "| `grader/report` | data | |\n"
      "| `grader/device` | plans | report |\n"
      "| `grader/simulator` | runs | device |\n"
      "| `grader/simulator/exec` | decodes | device |\n"
      "| `grader/cli` | main | everything |\n"
      "| `viewer` | draws | report, Dear ImGui |\n"
      "| `tests` | | simulator, bench/patterns |\n\n| not | the | table |\n");
  const Table table = read_table(text);
  EXPECT_TRUE(table.mistakes.empty());
  const struct {
    const char *path, *include;
    bool fine;
  } rows[] = {
      {"grader/device/plan.cc", "grader/report/fault.h", true},
      {"grader/report/fault.cc", "grader/device/plan.h", false},
      {"grader/simulator/a.cc", "grader/report/fault.h", true},       // what device may
      {"grader/simulator/a.cc", "grader/simulator/b.h", true},        // itself
      {"grader/simulator/a.cc", "grader/simulator/exec/b.h", false},  // a room of its own
      {"grader/simulator/exec/lanes/a.cc", "grader/simulator/exec/b.h", true},
      {"grader/device/plan_test.cc", "grader/simulator/a.h", true},
      {"grader/device/plan_test.cc", "grader/cli/a.h", false},
      {"grader/simulator/exec/a_test.cc", "grader/simulator/b.h", true},  // the room around it
      {"grader/simulator/exec/a.cc", "grader/simulator/b.h", false},
      {"grader/device/plan_test.cc", "bench/patterns/a.h", true},
      {"grader/device/plan.cc", "bench/patterns/a.h", false},
      {"grader/cli/main.cc", "grader/simulator/exec/b.h", true},
      {"viewer/a.cc", "grader/simulator/a.h", false},
      {"viewer/a.cc", "imgui.h", true},
      {"grader/new/a.cc", "grader/report/fault.h", false},  // a room without a row
      {"grader/cli/main.cc", "../report/fault.h", false},
  };
  for (const auto& row : rows) {
    std::istringstream source("#pragma once\n#include \"" + std::string(row.include) + "\"\n");
    const auto found = violations(table, row.path, source);
    EXPECT_EQ(found.empty(), row.fine) << row.path << " includes " << row.include;
  }
  std::istringstream wrong("| room | holds | may include |\n| `grader/a` | | nonsense |\n");
  EXPECT_EQ(read_table(wrong).mistakes.size(), 1u);
  std::istringstream unclear(
      "| room | holds | may include |\n| `grader/a/c` | | |\n| `grader/b/c` | | |\n| `grader/d` | | c, b/c |\n");
  EXPECT_EQ(read_table(unclear).mistakes.size(), 1u);
}

}  // namespace
}  // namespace fusebox
