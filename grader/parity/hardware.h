#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// What a GPU's own counters said of one launch: Nsight Compute's metrics, caches flushed before it.
struct HardwareLaunch {
  std::string row;     ///< ParityRow::name(), or "p20 fused"
  std::string kernel;  ///< as Nsight Compute writes it, without its parameters
  std::uint64_t load_requests = 0,
                load_sectors = 0;  ///< l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_ld.sum
  std::uint64_t store_requests = 0, store_sectors = 0;      ///< ..._op_st.sum
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;  ///< dram__bytes_{read,write}.sum
  std::uint64_t l2_read_sectors = 0, l2_write_sectors = 0;  ///< lts__t_sectors_op_{read,write}.sum
  double seconds = 0;                                       ///< gpu__time_duration.sum
  /// Outputs of the row beside the simulator's: equal to the last byte, or the largest difference.
  std::optional<bool> same_bytes;
  double largest_difference = 0;
};

struct HardwareTable {
  std::string gpu, driver, cuda, date, command;
  std::vector<HardwareLaunch> launches;
};

/// Metrics to ask Nsight Compute for, as its --metrics takes them.
std::string hardware_metrics();

/// Reads `ncu --csv --page raw --print-units base`; `row` and `same_bytes` stay empty. Text that is no such
/// table is an error.
Result<std::vector<HardwareLaunch>> parse_ncu_table(const std::string& text);

Result<HardwareTable> read_hardware_table(const std::filesystem::path& path);
std::string hardware_table_to_json(const HardwareTable& table);

}  // namespace fusebox
