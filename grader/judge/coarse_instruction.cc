#include "grader/judge/coarse_instruction.h"

#include <charconv>

namespace fusebox {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r;") - from + 1);
}

/// Takes the next line off `rest`.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trimmed(line);
}

/// Takes the next word off `rest`.
std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  rest = rest.substr(word.size());
  return word;
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool is_coarse(std::string_view opcode) {
  if (opcode.find(".approx") == std::string_view::npos) return false;
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const bool narrow = opcode.find("f16") != std::string_view::npos;
  return name == "tanh" || name == "sin" || name == "cos" || name == "lg2" || (name == "ex2" && narrow);
}

}  // namespace

std::optional<CoarseInstruction> coarse_instruction(std::string_view ptx, std::string_view reference,
                                                    std::string_view file) {
  // `.file 1 "path"` stands at the end, and `.loc 1 36 5` says where what follows comes from.
  int own_file = 0;
  for (std::string_view rest = ptx; !rest.empty();) {
    std::string_view line = next_line(rest);
    if (next_word(line) != ".file") continue;
    const int known = number(next_word(line));
    const std::size_t end = line.rfind('"');
    const std::string_view path = line.substr(0, end == std::string_view::npos ? 0 : end);
    if (!file.empty() && path.ends_with(file)) own_file = known;
  }
  int at = 0;
  for (std::string_view rest = ptx; !rest.empty();) {
    std::string_view line = next_line(rest);
    const std::string_view opcode = next_word(line);
    if (opcode == ".loc") {
      const bool own = number(next_word(line)) == own_file && own_file != 0;
      at = own ? number(next_word(line)) : 0;
    } else if (is_coarse(opcode) && reference.find(opcode) == std::string_view::npos) {
      return CoarseInstruction{std::string(opcode), at};
    }
  }
  return std::nullopt;
}

}  // namespace fusebox
