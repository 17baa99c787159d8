#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/failure_kind.h"
#include "grader/report/full_size.h"
#include "grader/report/gpu_numbers.h"
#include "grader/report/launch_record.h"
#include "grader/report/metric.h"

namespace fusebox {

/// Bumped when a field changes its meaning or goes away; new fields do not bump it.
inline constexpr int kReportSchemaVersion = 1;

enum class Outcome { passed, failed, unsolved, skipped };

/// One wrong element of an output.
struct Mismatch {
  std::string tensor;
  std::vector<std::int64_t> index;
  double expected = 0, got = 0, error = 0, tolerance = 0;
};

/// One thing that was checked: a case, a budget, a blank.
struct Check {
  std::string name;  ///< e.g. "case rows_33", "budget launches", "blank layernorm_stats"
  Outcome outcome = Outcome::passed;
  std::string summary;  ///< one line: "max error 3.1e-07, allowed 2.0e-06"
  std::string detail;   ///< several lines when it failed: mismatches, fault, what to try
  std::optional<double> max_error, tolerance;
  std::vector<Mismatch> mismatches;  ///< first and worst
  std::optional<Fault> fault;
  FailureKind ended = FailureKind::none;
};

/// A budget on one metric: the learner, the reference, the limit.
struct BudgetLine {
  Metric student;  ///< carries tag, name, unit
  std::optional<double> reference;
  double limit = 0;
  bool within = false;
};

/// One entry of the puzzle (p20 has "unfused" and "fused") on one side, or its counted case.
struct SideRun {
  std::vector<Metric> metrics;
  std::vector<LaunchRecord> launches;  ///< of the counted case
  std::string counted_case;            ///< its name and sizes, e.g. "B4 S64 H256 O256"
};

/// Why an entry did not pass, as far as that is known.
struct Cause {
  std::string sentence;  ///< one sentence
  std::string
      evidence;  ///< what it rests on: "equal in 9 of 9 wrong cases"; empty where the sentence is a bare fact
  std::string corner;                ///< a few elements of expected and got, the wrong ones marked
  std::vector<std::string> details;  ///< further sentences, the most telling first
  std::string file;                  ///< of the line that it is about
  int line = 0;                      ///< 0: none
  std::string code;                  ///< that line
  std::string again;                 ///< the command that repeats it
};

/// One of the learner's blanks, tried by itself in the reference.
struct BlankReport {
  std::string blank;
  /// "right", "wrong", "unknown" where it cannot be tried alone, "unmarked" without its markers.
  std::string verdict;
};

struct EntryReport {
  std::string entry;
  Outcome outcome = Outcome::failed;
  std::vector<Check> checks;
  std::vector<BudgetLine> budgets;
  std::optional<SideRun> student;
  std::optional<SideRun> reference;
  std::optional<Cause> cause;       ///< of an entry that failed
  std::vector<BlankReport> blanks;  ///< of an entry that failed and has several
};

/// What grading one file found. The viewer reads this and nothing else.
struct Report {
  int schema = kReportSchemaVersion;
  std::string puzzle;  ///< id, "p20"
  std::string slug, title;
  std::string file;         ///< path as given
  std::string file_sha256;  ///< of the file that was graded
  std::string side;         ///< "student" or "reference"
  std::string device;       ///< "simulator (PTX), profile h200"
  std::uint64_t seed = 0;
  Outcome verdict = Outcome::failed;
  std::string verdict_text;  ///< one sentence: what to do next
  std::vector<std::string> compiler_messages;
  std::vector<EntryReport> entries;

  // What the viewer shows beside the numbers. Reports of older versions lack it.
  std::string source, reference_source;  ///< the files' text as it was graded
  std::string lesson;                    ///< Markdown
  std::vector<std::string> hints;        ///< each tells more than the one before
  std::vector<GpuNumbers> gpus;          ///< the model's own first
  std::optional<FullSize> full_size;     ///< absent: not asked for, or no entry's answers are right yet
};

const char* to_string(Outcome outcome);

/// A check's name as people read it: "budget bytes compulsory" for "budget bytes.compulsory".
std::string shown_name(const EntryReport& entry, const Check& check);

}  // namespace fusebox
