#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fusebox {

/// Of `class`, `collect` and `class-task`.
struct ClassOptions {
  std::string puzzles, course, submissions, roster, out;
  std::string rerun = "infra";
  unsigned jobs = 0;         ///< 0: as many as there are cores
  double row_seconds = 900;  ///< for one answer, by the clock
  bool trust = false;
  std::string slurm;                ///< "submit", "print"; empty: graded here
  std::size_t chunk = 0;            ///< answers for one task of Slurm; 0: as many as are useful
  std::vector<std::string> sbatch;  ///< options for sbatch
  std::string manifest;             ///< of a task: the manifest's id
  std::size_t task = 0;             ///< its number
};

/// The command line, as it was typed.
struct Options {
  std::string verb = "grade";  ///< "grade", "list", "hint", ..., "dev check"; "next" when nothing was typed
  std::string puzzle;
  bool fused = false, unfused = false;
  std::string entry;
  std::string cases;  ///< further ones, by their sizes (catalog/extra_cases.h)
  std::string from;   ///< another folder than puzzles/
  std::string backend = "auto", gpu = "h200";
  bool gpu_chosen = false;  ///< --gpu was typed; else a real GPU's own profile is used where there is one
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> schedule;  ///< seed of a shuffled order of warps and blocks
  std::uint64_t schedules = 0;  ///< so many schedules more, whose results are compared with those in order
  std::string json, junit;
  bool once = false;  ///< `grade` on a terminal: do not stay to grade again what is saved
  /// Of `dev answers`: those too that are kept for a last look; against the recorded numbers; without
  /// patterns.
  bool held = false, check = false, without_patterns = false;
  std::string only;                    ///< dev answers: those alone whose file's name has this in it
  std::size_t count = 100;             ///< dev slips: so many
  std::string keep;                    ///< dev slips: a folder for the texts that are not told
  bool full = false, no_full = false;  ///< at full size: also where no answer is right yet, or not at all
  bool no_reference = false;           ///< no numbers of it beside those of an answer that is right
  bool verbose = false, no_color = false, yes = false, force = false;
  std::string root;
  std::vector<std::string> gtest;                  ///< --gtest_* as typed
  std::vector<std::string> words;                  ///< of `sim`: the program and its arguments
  std::string launches;                            ///< of `sim`: those that are counted, "5-7"; empty: all
  std::vector<std::string> kernels;                ///< of `sim`: those that are counted; empty: all
  bool every_launch = false;                       ///< of `sim`: those too that repeat others
  bool cold = false;                               ///< of `sim`: the modelled L2 is empty at each launch
  std::uint64_t max_instructions = 2'000'000'000;  ///< of `sim`: warp instructions per launch
  double timeout = 600;                      ///< seconds for one case, or for `sim`'s program; 0: no limit
  std::uint64_t memory_mib = 2048;           ///< for one case: its host function, and its device memory
  bool block_sizes = false, record = false;  ///< of `bench`; of `dev parity` and `dev answers`
  bool ncu_style = false;                    ///< of `bench`: the hardware's counters too
  bool mistakes = false;                     ///< of `bench`: known mistakes that cost too much
  double bench_seconds = 2;                  ///< of `bench`: for each kind of sample of a table
  bool execute_only = false;                 ///< of `dev parity`
  bool only_new = false;                     ///< of `dev parity`: what was not recorded before
  std::string slug, title;                   ///< of `dev new`
  ClassOptions class_;
};

}  // namespace fusebox
