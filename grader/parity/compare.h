#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/parity/hardware.h"
#include "grader/report/launch_record.h"

namespace fusebox {

/// A launch on both: what the simulator counted and modelled, and what the GPU's counters said.
struct ParityPair {
  LaunchRecord simulated;
  HardwareLaunch hardware;

  bool same_counts() const;        ///< requests and sectors of global loads and stores, every one
  double dram_read_ratio() const;  ///< modelled / counted
  double time_ratio() const;       ///< modelled / measured
};

/// What is promised of the table, and what is true of it.
struct ParitySummary {
  std::size_t launches = 0, same_counts = 0;
  std::size_t cold = 0,
              dram_read_near = 0;       ///< of those that read 1 MB or more, each sector once: within 5 %
  std::size_t warm = 0, warm_near = 0;  ///< likewise of those that read or write a sector again
  std::size_t long_ones = 0, time_near = 0;     ///< of those over 10 µs: within 25 %
  std::size_t held_out = 0, held_out_near = 0;  ///< likewise, of launches that the fit had not seen
  std::size_t compared = 0, same_bytes = 0;     ///< of those whose results are defined to the last bit
  bool kept() const {
    return same_counts == launches && dram_read_near == cold && time_near * 5 >= long_ones * 4 &&
           same_bytes == compared;
  }
};

ParitySummary summarise(const std::vector<ParityPair>& pairs);

/// The table, a line for each launch, and the summary below; Markdown.
std::string render_parity(const HardwareTable& table, const std::vector<ParityPair>& pairs);

}  // namespace fusebox
