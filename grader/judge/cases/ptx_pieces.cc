#include "grader/judge/cases/ptx_pieces.h"

#include <algorithm>
#include <charconv>

namespace fusebox {
namespace {

constexpr std::string_view kFileDirectives[] = {"//", ".version", ".target", ".address_size", ".file"};

/// Lines outside functions and variables that are whole by themselves.
bool is_file_directive(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r\n");
  if (first == line.npos) return true;
  const std::string_view code = line.substr(first);
  return std::any_of(std::begin(kFileDirectives), std::end(kFileDirectives),
                     [&](std::string_view directive) { return code.starts_with(directive); });
}

/// Of names as they are mangled: length, then name.
PtxPiece owned(std::string_view text) {
  PtxPiece piece{text};
  for (std::size_t at = 0; (at = text.find(kMistakeNamespace, at)) != text.npos;) {
    at += kMistakeNamespace.size();
    int index = -1;
    const char* digits = text.data() + std::min(at, text.size());
    std::from_chars(digits, digits + std::min(kMistakeDigits, text.size() - at), index);
    piece.owner = piece.of_all || piece.owner == index ? index : -1;
    piece.of_all = false;
    if (piece.owner < 0) break;
  }
  return piece;
}

/// Where the body of a function begins; npos: it has none.
std::size_t body_of(std::string_view piece) {
  if (piece.find(".entry") == piece.npos && piece.find(".func") == piece.npos) return piece.npos;
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t end = std::min(piece.find('\n', at), piece.size());
    const std::string_view line = piece.substr(at, end - at), code = line.substr(0, line.find("//"));
    if (const auto brace = code.find('{'); brace != code.npos) return at + brace;
    at = end + 1;
  }
  return piece.npos;
}

/// The kernel that a piece defines; empty: none.
std::string_view kernel_of(std::string_view piece) {
  constexpr std::string_view kEntry = ".entry ";
  const auto entry = piece.substr(0, body_of(piece)).find(kEntry);
  if (entry == piece.npos) return {};
  const std::string_view name = piece.substr(entry + kEntry.size());
  return name.substr(0, name.find_first_of(" (\t\r\n"));
}

}  // namespace

std::vector<PtxPiece> ptx_pieces(std::string_view ptx) {
  std::vector<PtxPiece> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(at, end - at), code = line.substr(0, line.find("//"));
    const bool alone = begin == at && is_file_directive(line);
    at = end;
    if (!alone) {
      // A piece ends with ';' or its closing brace, at depth 0.
      depth += static_cast<int>(std::count(code.begin(), code.end(), '{'));
      depth -= static_cast<int>(std::count(code.begin(), code.end(), '}'));
      const auto last = code.find_last_not_of(" \t\r\n");
      if (depth > 0 || last == code.npos || (code[last] != ';' && code[last] != '}')) continue;
    }
    pieces.push_back(owned(ptx.substr(begin, end - begin)));
    begin = end;
  }
  if (begin < ptx.size()) pieces.push_back({ptx.substr(begin)});
  return pieces;
}

std::string ptx_of(const std::vector<PtxPiece>& pieces, int owner) {
  std::string kept;
  for (const PtxPiece& piece : pieces)
    if (piece.of_all || piece.owner == owner) kept += piece.text;
  return kept;
}

std::string without_bodies(std::string_view ptx) {
  std::string kept;
  for (const PtxPiece& piece : ptx_pieces(ptx)) {
    const auto body = body_of(piece.text);
    kept += piece.text.substr(0, body);
    if (body != piece.text.npos) kept += "{\nret;\n}\n";
  }
  return kept;
}

std::string with_kernels(std::string_view ptx, const std::set<std::string, std::less<>>& kernels) {
  std::string kept;
  for (const PtxPiece& piece : ptx_pieces(ptx)) {
    const std::string_view kernel = kernel_of(piece.text);
    if (kernel.empty() || kernels.find(kernel) != kernels.end()) kept += piece.text;
  }
  return kept;
}

}  // namespace fusebox
