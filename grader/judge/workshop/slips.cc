#include "grader/judge/workshop/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "grader/judge/source/source_code.h"
#include "grader/judge/source/tokens.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// What stands between two places, and what is put there.
struct Change {
  std::size_t begin = 0, end = 0;
  std::string is;
};

using Changes = std::map<std::string, std::vector<Change>>;

using Pairs = std::map<std::string_view, std::vector<std::string_view>>;

const Pairs& operators() {
  static const Pairs pairs{{"+", {"-"}},   {"-", {"+"}},        {"*", {"+", "/"}}, {"/", {"*", "%"}},
                           {"%", {"/"}},   {"&&", {"||"}},      {"||", {"&&"}},    {"<<", {">>"}},
                           {">>", {"<<"}}, {"+=", {"=", "-="}}, {"*=", {"/="}},    {"/=", {"*="}}};
  return pairs;
}

const Pairs& bounds() {
  static const Pairs pairs{{"<", {"<="}}, {"<=", {"<"}},  {">", {">="}},
                           {">=", {">"}}, {"==", {"!="}}, {"!=", {"=="}}};
  return pairs;
}

const Pairs& functions() {
  static const Pairs pairs{{"fmaxf", {"fminf"}},
                           {"fminf", {"fmaxf"}},
                           {"max", {"min"}},
                           {"min", {"max"}},
                           {"rsqrtf", {"sqrtf"}},
                           {"sqrtf", {"rsqrtf"}},
                           {"expf", {"exp2f"}},
                           {"erff", {"tanhf"}},
                           {"tanhf", {"erff"}},
                           {"__syncthreads", {"__syncwarp"}},
                           {"__shfl_xor_sync", {"__shfl_down_sync"}},
                           {"__shfl_down_sync", {"__shfl_up_sync", "__shfl_xor_sync"}},
                           {"__shfl_up_sync", {"__shfl_down_sync"}}};
  return pairs;
}

/// Names that are not taken for a variable's.
bool is_word_of_the_language(std::string_view word) {
  static const std::set<std::string_view> words{
      "if",        "else",     "for",      "while",       "do",        "return",   "const",     "constexpr",
      "auto",      "float",    "double",   "int",         "unsigned",  "bool",     "char",      "short",
      "long",      "void",     "static",   "struct",      "class",     "template", "typename",  "sizeof",
      "true",      "false",    "break",    "continue",    "size_t",    "float2",   "float4",    "dim3",
      "nullptr",   "using",    "std",      "static_cast", "namespace", "switch",   "case",      "default",
      "inline",    "half",     "half2",    "extern",      "signed",    "uint4",    "ptrdiff_t", "restrict",
      "threadIdx", "blockIdx", "blockDim", "gridDim"};
  return words.contains(word) || word.starts_with("__") || word.starts_with("cuda") || word.ends_with("_t");
}

/// Tokens of a text, and where its blanks are.
class Reader {
 public:
  explicit Reader(const std::string& text)
      : text_(text), code_(code_of(text)), tokens_(tokens_of(code_)), partners_(partners_of(tokens_)) {
    if (const auto blanks = find_blanks(text)) blanks_ = *blanks;
    find_variables();
  }

  Changes changes() const {
    Changes found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_in_blank(tokens_[i].line)) continue;
      add_of_sign(i, found);
      add_of_number(i, found);
      add_of_word(i, found);
      add_of_call(i, found);
      add_of_statement(i, found);
    }
    return found;
  }

  int line_of(std::size_t place) const {
    return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<long>(place), '\n'));
  }

 private:
  bool is_in_blank(int line) const {
    return std::any_of(blanks_.begin(), blanks_.end(), [line](const Blank& blank) {
      return blank.first_line < line && line < blank.last_line;
    });
  }
  bool at(std::size_t i, std::string_view sign) const { return i < tokens_.size() && tokens_[i].is(sign); }
  std::string between(std::size_t first, std::size_t last) const {
    return text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin);
  }

  /// Words that are written to or declared somewhere, by no more than what stands beside them.
  void find_variables() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::word || is_word_of_the_language(tokens_[i].text)) continue;
      const Token& before = tokens_[i - 1];
      const bool declared = before.kind == Token::Kind::word || before.is("*") || before.is("&");
      const bool ends =
          at(i + 1, "=") || at(i + 1, ";") || at(i + 1, ",") || at(i + 1, ")") || at(i + 1, "[");
      const bool is_next = before.is(",") && at(i + 1, "=");  // `int a = 1, b = 2`
      if ((declared && ends) || is_next) variables_.insert(tokens_[i].text);
    }
  }

  static void replace(const Token& token, std::string_view is, std::vector<Change>& list) {
    list.push_back({token.begin, token.end, std::string(is)});
  }
  void replace_by(const Pairs& pairs, const Token& token, std::vector<Change>& list) const {
    const auto found = pairs.find(token.text);
    if (found == pairs.end()) return;
    for (const std::string_view is : found->second) replace(token, is, list);
  }

  void add_of_sign(std::size_t i, Changes& found) const {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::sign) return;
    // `<` and `>` also stand around what a template is given: with spaces on both sides it is a comparison.
    const bool apart = token.begin > 0 && text_[token.begin - 1] == ' ' && text_[token.end] == ' ';
    if (!apart) return;
    replace_by(operators(), token, found["operator"]);
    replace_by(bounds(), token, found["bound"]);
  }

  void add_of_number(std::size_t i, Changes& found) const {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::number) return;
    auto& list = found["number"];
    const bool whole =
        std::all_of(token.text.begin(), token.text.end(), [](char c) { return '0' <= c && c <= '9'; });
    if (!whole || token.text.size() > 6) {
      for (const std::string_view is : {"0.0f", "1.0f"})
        if (token.text.ends_with('f') && token.text != is) replace(token, is, list);
      return;
    }
    const long value = std::stol(std::string(token.text));
    for (const long is : {value + 1, value - 1, 2 * value, value / 2})
      if (is != value && is >= 0) replace(token, std::to_string(is), list);
  }

  void add_of_word(std::size_t i, Changes& found) const {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::word) return;
    replace_by(functions(), token, found["function"]);
    if (i > 0 && at(i - 1, ".")) {
      static const Pairs members{{"x", {"y"}}, {"y", {"x"}}, {"z", {"w"}}, {"w", {"z"}}};
      replace_by(members, token, found["member"]);
      return;
    }
    if (token.is("break")) replace(token, "continue", found["jump"]);
    if (!variables_.contains(token.text)) return;
    // Names that stand near it, which is where one is taken for another.
    std::set<std::string_view> near;
    for (const Token& other : tokens_)
      if (std::abs(other.line - token.line) <= kNear && variables_.contains(other.text))
        near.insert(other.text);
    for (const std::string_view name : near)
      if (name != token.text) replace(token, name, found["name"]);
  }

  /// Two neighbouring arguments exchanged; a condition that is always true.
  void add_of_call(std::size_t i, Changes& found) const {
    if (!at(i, "(") || i == 0 || partners_[i] == std::string::npos) return;
    const std::size_t close = partners_[i];
    if (at(i - 1, "if")) {
      if (close > i + 1) found["check"].push_back({tokens_[i + 1].begin, tokens_[close - 1].end, "true"});
      return;
    }
    if (tokens_[i - 1].kind != Token::Kind::word || at(i - 1, "for") || at(i - 1, "while")) return;
    std::vector<std::pair<std::size_t, std::size_t>> arguments;
    std::size_t first = i + 1;
    for (std::size_t k = i + 1; k <= close; ++k) {
      if (k < close && !at(k, ",")) {
        if (partners_[k] != std::string::npos && partners_[k] > k) k = partners_[k];
        continue;
      }
      if (k > first) arguments.emplace_back(first, k - 1);
      first = k + 1;
    }
    for (std::size_t k = 0; k + 1 < arguments.size(); ++k) {
      const auto [a, b] = arguments[k];
      const auto [c, d] = arguments[k + 1];
      const std::string one = between(a, b), other = between(c, d);
      const std::size_t comma = tokens_[b].end;
      if (one == other) continue;
      found["arguments"].push_back(
          {tokens_[a].begin, tokens_[d].end,
           fmt::format("{}{}{}", other, text_.substr(comma, tokens_[c].begin - comma), one)});
    }
  }

  /// From `begin` to its semicolon, of a statement that declares nothing; npos where none begins there.
  std::size_t end_of_statement(std::size_t begin) const {
    const bool begins = begin > 0 && (at(begin - 1, ";") || at(begin - 1, "{") || at(begin - 1, "}"));
    if (!begins || begin >= tokens_.size() || tokens_[begin].kind != Token::Kind::word)
      return std::string::npos;
    const std::string_view word = tokens_[begin].text;
    const bool plain = variables_.contains(word) || word.starts_with("__sync") || word.starts_with("cuda") ||
                       word == "return" || word == "break" || word == "continue" || at(begin + 1, "(") ||
                       at(begin + 1, ".");
    if (!plain || word == "if" || word == "for" || word == "while" || word == "switch")
      return std::string::npos;
    for (std::size_t k = begin; k < tokens_.size(); ++k) {
      if (at(k, ";")) return k;
      if (at(k, "}")) return std::string::npos;
      if (partners_[k] != std::string::npos && partners_[k] > k) k = partners_[k];
    }
    return std::string::npos;
  }

  void add_of_statement(std::size_t i, Changes& found) const {
    const std::size_t end = end_of_statement(i);
    if (end == std::string::npos) return;
    const std::string whole = between(i, end);
    const auto breaks = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
    found["left out"].push_back({tokens_[i].begin, tokens_[end].end, ";" + std::string(breaks, '\n')});
    const std::size_t next = end_of_statement(end + 1);
    if (next == std::string::npos || !is_in_blank(tokens_[next].line)) return;
    const std::size_t gap = tokens_[end].end;
    found["exchanged"].push_back({tokens_[i].begin, tokens_[next].end,
                                  fmt::format("{}{}{}", between(end + 1, next),
                                              text_.substr(gap, tokens_[end + 1].begin - gap), whole)});
  }

  static constexpr int kNear = 12;

  const std::string& text_;
  std::string code_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::vector<Blank> blanks_;
  std::set<std::string_view> variables_;
};

constexpr int kLinesOff = 2;

/// A line that the sentence names is near the slip: "in line 12", "in lines 12 and 40".
bool names_line_of(const Slip& slip, const std::string& sentence) {
  static const std::regex named("lines? ([0-9]+)(?:(?:, | and | to )([0-9]+))*");
  for (std::sregex_iterator it(sentence.begin(), sentence.end(), named), end; it != end; ++it) {
    const std::string words = it->str();
    static const std::regex number("[0-9]+");
    for (std::sregex_iterator n(words.begin(), words.end(), number); n != end; ++n)
      if (std::abs(std::stoi(n->str()) - slip.line) <= kLinesOff) return true;
  }
  return false;
}

}  // namespace

const char* to_string(Told told) {
  switch (told) {
    case Told::where:
      return "where";
    case Told::what:
      return "what";
    case Told::elsewhere:
      return "elsewhere";
    case Told::symptom:
      return "symptom";
    case Told::passed:
      return "passed";
    case Told::does_not_compile:
      return "no code";
  }
  return "";
}

Told told_of(const Slip& slip, const Report& report) {
  if (report.verdict == Outcome::passed) return Told::passed;
  for (const EntryReport& entry : report.entries) {
    if (entry.outcome == Outcome::passed || !entry.cause) continue;
    const std::string& sentence = entry.cause->sentence;
    const bool shown = entry.cause->line > 0 && std::abs(entry.cause->line - slip.line) <= kLinesOff;
    if (shown || names_line_of(slip, sentence)) return Told::where;
    // A known mistake, or a formula, whose answers are the same.
    if (sentence.find("exactly") != sentence.npos || entry.cause->evidence.starts_with("equal in"))
      return Told::what;
    if (sentence.find("every answer is right") != sentence.npos) return Told::elsewhere;
    return Told::symptom;
  }
  return Told::symptom;
}

std::vector<Slip> slips_of(const std::string& text, std::size_t count, std::uint64_t seed) {
  const Reader reader(text);
  Changes changes = reader.changes();
  std::erase_if(changes, [](const auto& kind) { return kind.second.empty(); });
  std::mt19937_64 random(seed);
  std::vector<Slip> slips;
  // A kind at a time, or names would be nearly all there is.
  while (slips.size() < count && !changes.empty()) {
    auto kind = changes.begin();
    std::advance(kind, random() % changes.size());
    std::vector<Change>& list = kind->second;
    std::swap(list[random() % list.size()], list.back());
    const Change change = std::move(list.back());
    list.pop_back();
    Slip slip;
    slip.kind = kind->first;
    slip.line = reader.line_of(change.begin);
    slip.was = text.substr(change.begin, change.end - change.begin);
    slip.is = change.is;
    slip.text = text.substr(0, change.begin) + change.is + text.substr(change.end);
    slips.push_back(std::move(slip));
    if (list.empty()) changes.erase(kind);
  }
  return slips;
}

}  // namespace fusebox
