#pragma once

#include <array>
#include <string>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// One launch on the time axis of its run, in seconds from the run's beginning.
struct LaunchBox {
  std::size_t index = 0;
  std::string kernel;
  std::array<std::uint32_t, 3> grid{}, block{};
  bool timed = false;   ///< false: no source says how long; it is drawn as a mark without a length
  double start = 0;     ///< of the launch overhead
  double overhead = 0;  ///< before the kernel begins; 0 when the time's source does not tell it apart
  double duration = 0;  ///< of the kernel itself
  Source source = Source::modelled;
  std::string bound_by;
  std::uint64_t requested = 0, compulsory = 0;
  double end() const { return start + overhead + duration; }
};

/// A tensor between its first writing and its last reading by a later launch.
struct BufferSpan {
  std::string tensor;
  std::uint64_t bytes = 0;
  std::size_t written_by = 0, read_by = 0;  ///< launches
  double from = 0, to = 0;
  std::size_t row = 0;  ///< spans that overlap stand in different rows
};

struct Lane {
  std::string name, label;
  std::vector<LaunchBox> boxes;
  std::vector<BufferSpan> spans;
  std::size_t span_rows = 0;
  double seconds = 0;
};

struct LaunchesModel {
  std::vector<Lane> lanes;
  double longest = 0;  ///< seconds, of all lanes
  bool all_timed = true;
  std::string time_source;  ///< "modelled for NVIDIA H200"
};

LaunchesModel launches_model(const Book& book);
std::string to_text(const LaunchesModel& model);

/// "32 x 4" for 32, 4, 1.
std::string extent_text(const std::array<std::uint32_t, 3>& extent);

}  // namespace fusebox::view
