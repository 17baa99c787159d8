#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "viewer/model/book/measured.h"

namespace fusebox::view {

/// Where the open report came from, which decides what the banner says.
enum class Origin { graded, attempt, recording, file, unseen };  ///< unseen: no report of it at all

/// What is open: the report, and those beside it.
struct Book {
  Report report;
  Origin origin = Origin::file;
  std::string path;                ///< of the report's file
  std::optional<Report> before;    ///< the run before this one: its ghost
  std::optional<Report> other;     ///< --reference FILE: stands in for the reference's side
  std::vector<Report> ladder;      ///< a ladder of puzzles, this one among them; empty: no ladder
  std::vector<Measured> measured;  ///< what was recorded of the puzzle on GPUs
  bool full_size = false;          ///< the runs are those at full size, see at_full_size()
};

/// Does the report hold runs at full size that have numbers?
bool has_full_size(const Report& report);
/// The same book with the runs of the full size in the place of the counted case's: whatever shows one shows
/// the other. What has no run there has none.
Book at_full_size(const Book& book);
/// "at full size, B32 H64 O64 S1024", or "the counted case, B2 H128 O128 S64".
std::string size_text(const Book& book);

/// One run to be shown: an entry of the puzzle on one side.
struct Side {
  std::string entry;  ///< "fused"
  std::string label;  ///< "you", "reference", or "before"
  const SideRun* run = nullptr;
  /// "fused · you"; the entry is left out when the puzzle has one alone.
  std::string name;
};

/// Every run that is there: entry by entry, the learner's before the reference's. The pointers are the
/// book's.
std::vector<Side> sides_of(const Book& book);
/// The runs of the ghost, for those sides that have one.
const SideRun* before_of(const Book& book, const std::string& entry);

const SideRun* student_of(const Book& book, const std::string& entry);
const SideRun* reference_of(const Book& book, const std::string& entry);

const Metric* metric_of(const SideRun* run, const std::string& tag);
std::optional<double> value_of(const SideRun* run, const std::string& tag);

/// "counted", "modelled for h200", "measured on ...": what stands beside a number.
std::string source_text(Source source, const Report& report);

}  // namespace fusebox::view
