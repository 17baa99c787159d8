#include "grader/catalog/operators/trimat.h"

namespace fusebox::specs::p36_trimat_shared {

Puzzle spec() {
  Puzzle puzzle = trimat_step({"load_tiles", "multiply", "store"});
  puzzle.id = "p36";
  puzzle.slug = "trimat_shared";
  puzzle.title = "Attention scores, rung 4: shared tiles";
  puzzle.chapter = "Part 10. Attention scores";
  const Case &counted = puzzle.counted_case(), &full = puzzle.full_size->which;
  Entry& entry = puzzle.entries[0];
  constexpr std::int64_t kNarrowTile = 64;
  entry.budgets.push_back({"bytes.requested", with_room(trimat_requested_tiled(counted, kNarrowTile))});
  entry.budgets.push_back({"sectors_over_ideal", kCoalesced});
  entry.budgets.push_back({"local_requests", 0});
  // A wavefront more than needed for every 128 products: tiles that are filled with conflicts pass, keys that
  // are read with many do not, since each is read eight times.
  entry.budgets.push_back({"bank_conflicts", trimat_flops(counted, 128) / 2 / 128});
  entry.full_size_budgets =
      full_size_budgets(trimat_compulsory(full, 128), trimat_requested_tiled(full, kNarrowTile));
  return puzzle;
}

}  // namespace fusebox::specs::p36_trimat_shared
