#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/report/hardware.h"
#include "grader/simulator/exec/program/type.h"

namespace fusebox::sim {

enum class Factor : std::uint8_t { a, b, sum };  ///< sum: the matrices C and D

/// How a matrix lies in the registers of a warp, for mma (PTX ISA, "Matrix Fragments") and for wmma, where
/// PTX leaves it open and this is what an H200 does (assets/recorded/parity/fragments_h200.csv). Eight lines
/// of the matrix, rows or columns, make a tile: the four lanes of group l / 4 hold a line of it, each a piece
/// of neighbouring elements. A lane's elements are its pieces of one tile after the other, and begin again
/// with the first tile where there is room for more.
struct MatrixFragment {
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t piece = 1;          ///< elements
  bool lines_are_columns = false;   ///< B, and the sum where that is four times as wide as high
  std::uint32_t tiles_of_line = 1;  ///< tiles that lie along a line
  std::uint32_t pairs = 1;          ///< 2: tile 1 lies 8 lines behind tile 0, and only tile 2 further along

  std::uint32_t lines() const { return lines_are_columns ? columns : rows; }
  std::uint32_t tiles() const { return lines() / 8 * tiles_of_line; }

  struct Place {
    std::uint32_t line = 0, along = 0;
  };
  /// Where the tile begins.
  Place tile(std::uint32_t index) const {
    return {8 * (index % pairs + pairs * (index / (pairs * tiles_of_line))),
            4 * piece * (index / pairs % tiles_of_line)};
  }
  /// Calls f(element of the lane's fragment, lane, element of the matrix counted by rows), for `per_lane`
  /// elements of each lane.
  template <class F>
  void each_element(std::uint32_t per_lane, F f) const {
    const std::uint32_t line_step = lines_are_columns ? 1 : columns, step = lines_are_columns ? columns : 1;
    for (std::uint32_t index = 0; index < per_lane; ++index) {
      const Place begin = tile(index / piece % tiles());
      const std::uint32_t first = begin.line * line_step + (begin.along + index % piece) * step;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        f(index, lane, first + lane / 4 * line_step + lane % 4 * piece * step);
    }
  }
};

/// Nothing where the matrix is not made of whole tiles, or `type` is none that such a factor can have.
std::optional<MatrixFragment> fragment_of(Factor factor, Type type, std::uint32_t rows,
                                          std::uint32_t columns);

/// One access of a warp that moves a part of a fragment: each lane `bytes` of neighbouring elements in
/// memory.
struct FragmentAccess {
  std::uint32_t bytes = 0, lanes = kWarpSize;  ///< the lowest ones
  struct Cell {
    std::uint16_t line = 0, along = 0;  ///< of memory: along a line, elements are neighbours
  } first[kWarpSize];
};

/// The accesses that wmma.load and wmma.store make of it, as the assembler chooses them for an H200: a lane
/// moves the pieces that it holds where they lie together in memory. Where they do not, elements of 16 bits
/// are moved as if the matrix were transposed, and change places between lanes; others are moved one by one.
/// `by_matrices`: by ldmatrix, which reads 16 bytes for a lane and gives them to four.
std::vector<FragmentAccess> fragment_accesses(const MatrixFragment& fragment, Type type, bool by_columns,
                                              bool by_matrices);

/// Whether the assembler loads a fragment from memory known to be shared with ldmatrix.
bool loads_by_matrices(Factor factor, const MatrixFragment& fragment, Type type, bool by_columns);

}  // namespace fusebox::sim
