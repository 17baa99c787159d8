#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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
inline constexpr const char* kLaunchesVariable =
    "FUSEBOX_SIM_LAUNCHES";  ///< read_launch_range(); absent: all
/// Names of kernels, a line for each; absent: all.
inline constexpr const char* kKernelsVariable = "FUSEBOX_SIM_KERNELS";
/// Set: launches that repeat others are counted too.
inline constexpr const char* kEveryLaunchVariable = "FUSEBOX_SIM_EVERY_LAUNCH";
/// LaunchProgress::path() of the one who started it.
inline constexpr const char* kProgressVariable = "FUSEBOX_SIM_PROGRESS";
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

  /// `number`: of the process's launches, from 1.
  void launch(std::uint64_t number, const LaunchRecord& record);
  /// One more that has the numbers of launch `like`.
  void repeated(std::uint64_t like);
  /// One that nobody asked to have counted.
  void uncounted(const std::string& kernel);
  /// The program could not have what it asked for; its results are not to be trusted.
  void problem(const std::string& text);
  /// Worth knowing, and no reason to fail.
  void note(const std::string& text);
  /// The same from a signal handler, which may not allocate.
  void problem_at_a_crash(const char* text) const;
  /// A library computed on the host what it computes on a GPU.
  void library_call(const std::string& function);
  /// The host was given these bytes of the device's memory.
  void copied_back(const void* bytes, std::uint64_t count);

 private:
  void line(char kind, const std::string& text);
  int file_ = -1;
};

/// A launch that was counted.
struct CountedLaunch : LaunchRecord {
  std::uint64_t number = 0;    ///< of its process's launches, from 1
  std::uint64_t repeated = 0;  ///< launches that were not counted and have these numbers
};

/// Of all processes of the program; those that started earlier first.
struct Journal {
  bool started = false;  ///< the runtime was loaded at all
  std::vector<CountedLaunch> launches;
  std::map<std::string, std::uint64_t> uncounted;  ///< launches that nobody asked to have counted, by kernel
  std::map<std::string, std::uint64_t> library_calls;  ///< that computed on the host, by function
  std::vector<std::string> problems, notes;            ///< each text once
  std::vector<std::string>
      copies;  ///< "SIZE HASH" of what was copied back, in order; only when runs are compared
};
Result<Journal> read_journal(const std::filesystem::path& folder);

}  // namespace fusebox::sim
