#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/build.h"

/// Causal attention scores, the ladder's one operation: qkv [B,T,3,NH,HS] holds queries, keys and values of
/// each position, and
///   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)    for j <= i, out [B,NH,T,T].
/// What is above the diagonal (j > i) is not compared. HS is a multiple of 4.
namespace fusebox {

/// A way to compute it, as far as its requests go: threads in squares of 16 x 16 that have `side` x `side`
/// results each, side by side, and load `step` channels of a row at a time.
struct TrimatThreads {
  std::int64_t side = 8, step = 1;
};

/// Results up to the diagonal, of a case, when it is covered with squares of `side`.
double trimat_results(const Case& which, std::int64_t side);
/// A multiplication and an addition for each channel of these results, and the scale.
double trimat_flops(const Case& which, std::int64_t side);
/// q and k once, and the results.
double trimat_compulsory(const Case& which, std::int64_t side);
/// Every thread for itself, with rows of q and k from global memory.
double trimat_requests(const Case& which, TrimatThreads threads);
double trimat_requested(const Case& which, TrimatThreads threads);
/// A thread for each result, 32 neighbours in a warp.
double trimat_requested_alone(const Case& which);
/// Tiles of `tile` x `tile` results, whose rows of q and k a block fetches once.
double trimat_requested_tiled(const Case& which, std::int64_t tile);

/// A step's puzzle but for its names, which stand in the spec, where the launcher reads them: cases, sizes,
/// oracle, and the budgets that all steps have.
Puzzle trimat_step(std::vector<std::string> blanks);

}  // namespace fusebox
