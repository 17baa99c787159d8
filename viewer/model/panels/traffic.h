#pragma once

#include <string>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// Bytes of one run; absent where nothing says them.
struct TrafficRow {
  std::string name, label;  ///< "fused · you", "you"
  std::optional<double> requested, compulsory, dram;
  std::optional<double> before_requested, before_compulsory, before_dram;
};

/// One tensor's share of one run.
struct LedgerCell {
  std::uint64_t requested_read = 0, requested_write = 0, compulsory_read = 0, compulsory_write = 0;
  bool touched = false;
};
struct LedgerRow {
  std::string tensor;
  std::uint64_t bytes = 0;
  std::vector<LedgerCell> cells;  ///< one for each column
  std::string remark;             ///< "fusion removes this", "still written: 64.0 MiB"
  bool good = false;              ///< of the remark
};
struct Ledger {
  std::vector<Side> columns;
  std::vector<LedgerRow> rows;
};

/// A step of the waterfall: what one tensor adds or saves. The start and all steps sum to the end, exactly.
struct Step {
  std::string tensor;
  std::int64_t delta = 0;
};
struct Waterfall {
  std::string from, to;  ///< names of the two runs; empty: there are no two to compare
  std::uint64_t start = 0, end = 0;
  std::vector<Step> steps;
};

enum class Bytes { compulsory, requested };

struct TrafficModel {
  std::vector<TrafficRow> rows;
  double largest = 0;
  Ledger ledger;
  std::string dram_source;
  std::optional<double> least;  ///< what any kernel must read and write; known at full size
};

TrafficModel traffic_model(const Book& book);
/// From the first entry to the last of the learner's runs (or the reference's); with one entry from the
/// reference to the learner.
Waterfall waterfall_of(const Book& book, Bytes which);

/// "3×", "0.25×", "–": bytes as passes over a tensor.
std::string passes_text(std::uint64_t bytes, std::uint64_t of);

std::string to_text(const TrafficModel& model);
std::string to_text(const Waterfall& waterfall);

}  // namespace fusebox::view
