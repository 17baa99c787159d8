#pragma once

#include <string>
#include <vector>

namespace fusebox::view {

/// A piece of a lesson: Markdown, as far as lessons use it.
struct Block {
  enum class Kind { heading, paragraph, item, code, table } kind = Kind::paragraph;
  std::string text;                            ///< without emphasis marks; code: with its lines
  std::vector<std::vector<std::string>> rows;  ///< of a table, the first is its head
  int level = 0;                               ///< of a heading: 1, 2, ...
};
std::vector<Block> blocks_of(const std::string& markdown);

}  // namespace fusebox::view
