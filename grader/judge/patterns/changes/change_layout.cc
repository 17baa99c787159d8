#include <fmt/format.h>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;
using Flat = decltype(Node::flat);

void reread(const Formula& formula, int u, Flat flat, const std::string& says, int weight,
            std::vector<Change>& changes) {
  Node how;
  how.op = Op::reread;
  how.a = u;
  how.flat = std::move(flat);
  for (const Scope& scope : scopes_of(formula, u)) {
    Edit edit(formula);
    use_instead(edit, scope, u, edit.add(how));
    keep_change(formula, std::move(edit), says + (scope.everywhere ? "" : scope.where),
                weight + scope.everywhere, changes);
  }
}

/// The two extents of a tensor in each other's place, in its bounds or in its pitch alone.
void exchanged_extents(const Formula& formula, int u, std::vector<Change>& changes) {
  const auto& axes = formula.nodes[static_cast<std::size_t>(u)].axes;
  const std::string name = formula.text(u), rows_text = length_text(formula, axes[0]),
                    columns_text = length_text(formula, axes[1]);
  reread(
      formula, u, [](auto r, auto c, auto rows, auto) { return r * rows + c; },
      fmt::format("rows of {} are read as if they lay {} values apart and not {}", name, rows_text,
                  columns_text),
      68, changes);
  reread(
      formula, u,
      [](auto r, auto c, auto rows, auto columns) { return r < columns && c < rows ? r * rows + c : -1; },
      fmt::format(
          "the extents of {0} are exchanged: it is read as {1} rows of {2} values and not as {2} rows of {1}, with 0 outside of those",
          name, columns_text, rows_text),
      70, changes);
}

/// Rows that are padded to whole tiles, read as if they were not: a part comes from the row before.
void forgotten_padding(const Formula& formula, int u, std::vector<Change>& changes) {
  const auto& axes = formula.nodes[static_cast<std::size_t>(u)].axes;
  for (const std::int64_t padded : {4, 8, 16, 32, 64, 128})
    for (const std::int64_t tile : {4, 8, 16, 32, 64, 128})
      reread(
          formula, u,
          [padded, tile](auto r, auto c, auto rows, auto columns) {
            const auto pitch = (columns + padded - 1) / padded * padded;
            const auto at = r % tile * columns + c, row = r / tile * tile + at / pitch, column = at % pitch;
            return column < columns && row < rows ? row * columns + column : -1;
          },
          fmt::format(
              "rows of {} are read as if they lay {} values apart, where they lie that rounded up to a multiple of {} apart",
              formula.text(u), length_text(formula, axes[1]), padded),
          60, changes);
}

/// A tile that goes through shared memory and does not come out by the other order; beside the matrix it
/// holds what was there before, or zeros.
void exchanged_in_tiles(const Formula& formula, int u, std::vector<Change>& changes) {
  for (const std::int64_t tile : {8, 16, 32, 64})
    for (const bool zeros : {false, true})
      reread(
          formula, u,
          [tile, zeros](auto r, auto c, auto rows, auto columns) {
            const auto row = r / tile * tile + c % tile, column = c / tile * tile + r % tile;
            return row < rows && column < columns ? row * columns + column : zeros ? -1 : rows * columns;
          },
          fmt::format("rows and columns are exchanged within each tile of {0} x {0} of {1}", tile,
                      formula.text(u)),
          64, changes);
}

}  // namespace

void change_layout(const Formula& formula, std::vector<Change>& changes) {
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (node.name.empty() || node.axes.size() != 2) continue;
    if (node.op == Op::tensor)
      exchanged_extents(formula, u, changes), exchanged_in_tiles(formula, u, changes);
    else
      forgotten_padding(formula, u, changes);
  }
}

}  // namespace fusebox::patterns
