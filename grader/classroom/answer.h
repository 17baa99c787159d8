#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/classroom/results/row.h"
#include "grader/confine/gpu_nodes.h"
#include "grader/process/run_process.h"

namespace fusebox::classroom {

/// A puzzle as a class sees it.
struct Wanted {
  std::string id;          ///< "p20"
  std::string file_name;   ///< that a student hands in
  double weight = 1;       ///< points for an answer that passes
  unsigned hidden = 0;     ///< seeds besides the class's own, with which it must pass too
  std::string cases = {};  ///< further ones by their sizes, as `grader --cases` takes them
};

/// How every answer of a class is graded.
struct AnswerSettings {
  std::filesystem::path grader, root;  ///< the program that grades one file, and its checkout
  std::filesystem::path cache;         ///< of compiled files: written by the program
  std::filesystem::path scratch;       ///< private to this run
  std::uint64_t seed = 0;
  double seconds = 900;                   ///< by the clock, after which there is no verdict
  std::uint64_t memory_mib = 2048;        ///< for one case, as `grader --memory` takes it
  std::string backend = "sim";            ///< "gpu": on the GPU of this machine too, which must have one
  std::filesystem::path unpacker = {};    ///< the program that reads archives, where there is one
  std::filesystem::path bubblewrap = {};  ///< the program, where answers are graded in it
  std::vector<std::filesystem::path> compiler = {};  ///< folders that the compiler lies in, for bubblewrap
  GpuNodes gpu = {};                                 ///< of the GPU that answers run on, for bubblewrap
  std::filesystem::path groups = {};  ///< where each answer gets a control group; empty: nowhere
};

/// MiB that an answer may take in all: its compiler's processes, or what host and device may have of
/// `memory_mib` each and as much again for bookkeeping, beside the grader.
std::uint64_t memory_of_answer(std::uint64_t memory_mib);

struct ConfinedRun {
  ProcessResult process;
  bool out_of_memory = false;  ///< ended by the limit of its control group
};

struct GradedAnswer {
  Row row;  ///< of neither student nor key; an infra_error where the grader gave no verdict that can be
            ///< believed
  bool timed_out = false;
  std::string output;  ///< what the grader printed
};

/// Runs `command` where and as an answer to `puzzle` is graded: in the folder `desk`, with `more` in its
/// environment. It may write that folder and the cache alone, and sees nothing else but what it needs where
/// there is bubblewrap.
Result<ConfinedRun> run_confined(const AnswerSettings& settings, const Wanted& puzzle,
                                 const std::filesystem::path& desk, const std::vector<std::string>& command,
                                 std::vector<std::string> more = {});

/// Grades `text` as by hand: the same program, on a copy in a folder of its own, `desk`, that nobody else can
/// reach and that is gone afterwards. The program is confined as above.
GradedAnswer grade_answer(const AnswerSettings& settings, const Wanted& puzzle, const std::string& text,
                          const std::string& desk);

}  // namespace fusebox::classroom
