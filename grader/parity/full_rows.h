#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fusebox {

/// One recorded row of a puzzle's sizes, and what the time model says of the same file at full size.
struct FullRow {
  std::string puzzle, sizes, label, entry;  ///< as `bench` records them
  std::string bound_by{};                   ///< the model's term
  /// Read and written while launches ran, each of them from empty caches, as the counters were taken.
  double modelled_bytes = 0, recorded_bytes = 0;
  double modelled_seconds = 0, recorded_seconds = 0;  ///< of one call
  bool held_out = false;                              ///< no constant of the model was fitted to its time
  std::string problem{};                              ///< why nothing is compared; empty: it is

  bool bytes_near() const;  ///< within 5 %
  bool time_near() const;   ///< within 15 %
};

/// Of rows that can be compared.
struct FullSummary {
  std::size_t rows = 0, bytes_near = 0, time_near = 0;
  std::size_t pairs = 0;    ///< of one puzzle's, whose recorded times differ by 10 %
  std::size_t ordered = 0;  ///< of those: that the model puts in the same order
  double mean_error = 0;    ///< of the time, as a share of the recorded one
};
FullSummary summarise(const std::vector<FullRow>& rows);

/// A line for each row, those that were held out apart, each half with its summary; Markdown.
std::string render_full_rows(const std::vector<FullRow>& rows);

}  // namespace fusebox
