#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusebox::view {

/// One line of what `grader bench` measured. Seconds of one run; absent when there is a problem instead.
struct MeasuredRow {
  std::string label, entry;  ///< "reference", "rung p09", "you, 128 threads"
  std::optional<double> median, p20, p80;
  std::optional<double> bytes_per_second;
  std::optional<double> dram_bytes;  ///< of all its launches, by the hardware's counters
  std::optional<int> threads;        ///< of a block, when the label says so
  std::string program;               ///< the label without them
  std::string problem;
};

/// A puzzle's sizes, timed on a GPU.
struct Measured {
  std::string puzzle, gpu, date, sizes;
  double large_copy_bytes_per_second = 0;
  unsigned samples = 0;
  std::vector<MeasuredRow> rows;
};

/// The label for people: "mistake three_reads" is "mistake: three reads".
std::string label_text(const MeasuredRow& row);
/// Was it measured at this shape? "M 8192, N 4096" is "M8192 N4096".
bool same_shape(const Measured& measured, const std::string& shape);

/// The tables of a record for `puzzle`. Text that is no record, or a newer one, has none.
std::vector<Measured> measured_in(std::string_view text, const std::string& puzzle);
/// Of all records in a folder (assets/recorded).
std::vector<Measured> measurements(const std::filesystem::path& folder, const std::string& puzzle);

}  // namespace fusebox::view
