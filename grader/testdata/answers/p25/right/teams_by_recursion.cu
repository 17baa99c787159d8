// STYLE: teams of 4 to 32 lanes a token, chosen by a template that calls itself
// p25: embedding lookup. A team of 4, 8, 16 or 32 lanes copies the row of one token; how many depends on how
// many pieces a row has, so that no lane of a narrow row stands idle.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kBlock = 128;

template <typename Piece, int kTeam>
__global__ void __launch_bounds__(kBlock)
    copy_rows(const int* __restrict__ ids, const Piece* __restrict__ table, Piece* __restrict__ out, int tokens,
              int vocabulary, int pieces) {
  constexpr int kTeams = kBlock / kTeam;
  const auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
  const long token = static_cast<long>(blockIdx.x) * kTeams + team.meta_group_rank();
  if (token >= tokens) return;
  const int rank = team.thread_rank();
  int id = 0;
  if (rank == 0) id = ids[token];
  id = team.shfl(id, 0);
  const bool known = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
  const Piece* from = table + (known ? static_cast<size_t>(id) : 0) * pieces;
  Piece* to = out + static_cast<size_t>(token) * pieces;
  int p = rank;
  for (; p + kTeam < pieces; p += 2 * kTeam) {
    Piece a{}, b{};
    if (known) {
      a = from[p];
      b = from[p + kTeam];
    }
    to[p] = a;
    to[p + kTeam] = b;
  }
  if (p < pieces) to[p] = known ? from[p] : Piece{};
}

template <typename Piece, int kTeam = 32>
void launch(const int* ids, const float* table, float* out, int tokens, int vocabulary, int pieces) {
  if constexpr (kTeam > 4) {
    if (pieces <= kTeam / 2)
      return launch<Piece, kTeam / 2>(ids, table, out, tokens, vocabulary, pieces);
  }
  constexpr int kTeams = kBlock / kTeam;
  copy_rows<Piece, kTeam><<<(tokens - 1) / kTeams + 1, kBlock>>>(ids, reinterpret_cast<const Piece*>(table),
                                                                 reinterpret_cast<Piece*>(out), tokens,
                                                                 vocabulary, pieces);
}

void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;
  const uintptr_t starts = reinterpret_cast<uintptr_t>(table) | reinterpret_cast<uintptr_t>(out);
  if (width % 4 == 0 && starts % sizeof(float4) == 0)
    launch<float4>(ids, table, out, tokens, vocabulary, width / 4);
  else
    launch<float>(ids, table, out, tokens, vocabulary, width);
}
