#pragma once

#include <string>
#include <vector>

#include "viewer/model/book/book.h"

namespace fusebox::view {

/// One sampled warp instruction, taken apart.
struct StripAccess {
  std::string run, label, entry, kernel, file;  ///< "fused · you", "you", ...
  int line = 0;
  std::size_t launch = 0;  ///< of the run: the first one with it
  std::string code;        ///< the source line, when the report holds it
  bool shared = false;
  std::string kind, tensor;  ///< "load"; empty tensor: shared memory
  std::uint32_t bytes = 0;   ///< per lane
  std::uint64_t block = 0, requests = 0;
  std::uint32_t warp = 0;
  std::vector<std::int64_t> offsets;  ///< [32], -1: idle
  int active = 0;
  std::uint64_t useful_bytes = 0;  ///< union of the lanes' bytes

  // Global memory: distinct aligned blocks of 32 and 128 bytes, by number from the tensor's beginning.
  std::vector<std::int64_t> sectors, lines;
  std::size_t ideal_sectors = 0;

  // Shared memory: 32 banks of 4 bytes. Lanes of 8 and 16 bytes are served in halves and quarters.
  std::vector<int> words_of_bank;  ///< [32] distinct words asked of each bank by the busiest group
  std::size_t wavefronts = 0, ideal_wavefronts = 0;

  bool reveals = false;  ///< its line stands in a blank of the reference
};

/// The one that wastes most first: what to look at. Those that waste nothing stand in the order of the runs.
std::vector<StripAccess> accesses_of(const Book& book);
/// Sectors (of shared memory: wavefronts) beyond the ideal, over all instructions like this one.
double waste_of(const StripAccess& access);
/// A sentence on what is wrong with the access, or that nothing is.
std::string advice_for(const StripAccess& access);
std::string to_text(const std::vector<StripAccess>& accesses);

}  // namespace fusebox::view
