#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/launch_record.h"
#include "grader/report/result.h"

// What a program that runs on the simulator tells the one who started it: lines in a file of its own, written
// as things happen, so that a crash loses nothing. One file per process, because programs may start others.
namespace fusebox::sim {

/// What the one who starts a program tells the runtime, by environment.
inline constexpr const char* kJournalVariable = "FUSEBOX_SIM_JOURNAL";  ///< folder, exists
inline constexpr const char* kAssetsVariable = "FUSEBOX_SIM_ASSETS";    ///< folder of gpus/
inline constexpr const char* kGpuVariable = "FUSEBOX_SIM_GPU";          ///< profile's name
inline constexpr const char* kBudgetVariable = "FUSEBOX_SIM_MAX_INSTRUCTIONS";
/// Seed of a shuffled order of warps and blocks; absent: in order.
inline constexpr const char* kScheduleVariable = "FUSEBOX_SIM_SCHEDULE";
/// Set: every launch finds the modelled L2 empty.
inline constexpr const char* kColdVariable = "FUSEBOX_SIM_COLD";
/// Set: runs will be compared. What the program copies back is journalled, and every launch takes the same
/// time, because what a program makes of elapsed time is no result.
inline constexpr const char* kCompareVariable = "FUSEBOX_SIM_COMPARE";

/// Written by one process.
class JournalWriter {
 public:
  /// Without `folder`, or where nothing can be written, everything is dropped.
  explicit JournalWriter(const std::filesystem::path& folder);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  void launch(const LaunchRecord& record);
  /// The program could not have what it asked for; its results are not to be trusted.
  void problem(const std::string& text);
  /// Worth knowing, and no reason to fail.
  void note(const std::string& text);
  /// The same from a signal handler, which may not allocate.
  void problem_at_a_crash(const char* text) const;
  /// The host was given these bytes of the device's memory.
  void copied_back(const void* bytes, std::uint64_t count);

 private:
  void line(char kind, const std::string& text);
  int file_ = -1;
};

/// Of all processes of the program; those that started earlier first.
struct Journal {
  bool started = false;  ///< the runtime was loaded at all
  std::vector<LaunchRecord> launches;
  std::vector<std::string> problems, notes;  ///< each text once
  std::vector<std::string>
      copies;  ///< "SIZE HASH" of what was copied back, in order; only when runs are compared
};
Result<Journal> read_journal(const std::filesystem::path& folder);

}  // namespace fusebox::sim
