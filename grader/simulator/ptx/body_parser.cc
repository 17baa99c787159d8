#include "grader/simulator/ptx/body_parser.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace fusebox::ptx {
namespace {

// Declarations nest at most this deep in anything a compiler writes; beyond it the text is hostile.
constexpr std::size_t kDeepestBlock = 64;
constexpr std::uint64_t kLargestVariable = 1ull << 32;

bool is_special_register(std::string_view name) { return name.starts_with('%'); }

}  // namespace

std::uint64_t type_bytes(std::string_view type) {
  static const std::map<std::string_view, std::uint64_t> kBytes = {
      {"b8", 1},         {"u8", 1},      {"s8", 1},   {"b16", 2}, {"u16", 2}, {"s16", 2},   {"f16", 2},
      {"bf16", 2},       {"b32", 4},     {"u32", 4},  {"s32", 4}, {"f32", 4}, {"f16x2", 4}, {"bf16x2", 4},
      {"tf32", 4},       {"b64", 8},     {"u64", 8},  {"s64", 8}, {"f64", 8}, {"b128", 16}, {"texref", 8},
      {"samplerref", 8}, {"surfref", 8}, {"e4m3", 1}, {"e5m2", 1}};
  auto found = kBytes.find(type);
  return found == kBytes.end() ? 0 : found->second;
}

Variable parse_variable(Cursor& cursor) {
  Variable variable;
  std::uint64_t lanes = 1;
  for (;;) {
    std::string word = cursor.expect_dotted("a type");
    if (word == ".align") {
      variable.align = static_cast<std::uint32_t>(cursor.expect_integer("an alignment"));
    } else if (word == ".attribute") {
      cursor.expect("(");
      while (!cursor.accept(")")) {
        if (cursor.at_end()) cursor.fail("expected ')'");
        cursor.next();
      }
    } else if (word == ".v2" || word == ".v4") {
      lanes = word == ".v2" ? 2 : 4;
    } else if (word == ".ptr" || word == ".global" || word == ".shared" || word == ".const" ||
               word == ".local") {
      continue;  // an attribute of a pointer parameter: a hint to the assembler
    } else {
      variable.type = word.substr(1);
      if (!cursor.at(".ptr")) break;
    }
    if (!variable.type.empty() && cursor.peek().kind == TokenKind::word) break;
  }
  while (cursor.peek().kind == TokenKind::dotted) {  // .param .u64 .ptr .global .align 1 name
    if (cursor.accept(".align"))
      variable.align = static_cast<std::uint32_t>(cursor.expect_integer("an alignment"));
    else
      cursor.next();
  }
  variable.name = cursor.expect_word("a name");
  std::uint64_t element = type_bytes(variable.type) * lanes;
  if (element == 0) cursor.fail("expected a type with a size, not ." + variable.type);
  if (variable.align <= 1) variable.align = static_cast<std::uint32_t>(element);
  if (!std::has_single_bit(variable.align) || variable.align > 4096)
    cursor.fail("expected an alignment that is a power of two");
  std::uint64_t count = 1;
  while (cursor.accept("[")) {
    if (cursor.accept("]")) {
      variable.external = true;
      continue;
    }
    std::int64_t dimension = cursor.expect_integer("an array size");
    if (dimension < 0 || static_cast<std::uint64_t>(dimension) >
                             kLargestVariable / element / std::max<std::uint64_t>(count, 1))
      cursor.fail("expected an array of at most 4 GiB");
    count *= static_cast<std::uint64_t>(dimension);
    cursor.expect("]");
  }
  variable.bytes = variable.external ? 0 : element * count;
  return variable;
}

void BodyParser::parse() {
  block();
  function_.labels.shrink_to_fit();
}

void BodyParser::block() {
  cursor_.expect("{");
  if (scopes_.size() >= kDeepestBlock) cursor_.fail("expected blocks nested less deeply");
  scopes_.push_back({{}, function_.instructions.size(), {}});
  ++blocks_;
  while (!cursor_.accept("}")) {
    if (cursor_.at_end()) cursor_.fail("expected '}'");
    statement();
  }
  rename_labels(scopes_.back());
  scopes_.pop_back();
}

void BodyParser::statement() {
  if (cursor_.at("{")) return block();
  if (cursor_.accept(";")) return;
  if (cursor_.peek().kind == TokenKind::dotted) {
    std::string_view word = cursor_.peek().text;
    if (word == ".loc") return location();
    cursor_.next();
    if (word == ".reg") return declare_registers();
    if (word == ".shared" || word.starts_with(".shared::")) return declare_variable(function_.shared);
    if (word == ".local") return declare_variable(function_.local);
    if (word == ".param") return declare_variable(function_.param);
    if (word == ".pragma") {
      while (!cursor_.accept(";")) {
        if (cursor_.at_end()) cursor_.fail("expected ';'");
        cursor_.next();
      }
      return;
    }
    cursor_.fail("expected a statement, not " + std::string(word));
  }
  if (label()) return;
  instruction();
}

std::string BodyParser::declare(const std::string& name) {
  // The outermost scope keeps names as written, so that messages can show them.
  std::string unique = scopes_.size() == 1 ? name : name + "@" + std::to_string(blocks_);
  scopes_.back().renamed[name] = unique;
  return unique;
}

void BodyParser::declare_registers() {
  std::string type = cursor_.expect_dotted("a register type").substr(1);
  if (type == "v2" || type == "v4") cursor_.fail("expected scalar registers");
  do {
    std::string name = cursor_.expect_word("a register name");
    int count = 0;
    if (cursor_.accept("<")) {
      std::int64_t declared = cursor_.expect_integer("a register count");
      if (declared < 0 || declared > 1'000'000) cursor_.fail("expected at most a million registers");
      count = static_cast<int>(declared);
      cursor_.expect(">");
      // %r<10> declares %r0 .. %r9 at once; in a nested block the family gets its suffix through resolve().
      scopes_.back().renamed[name + "<"] =
          scopes_.size() == 1 ? name : name + "@" + std::to_string(blocks_) + "_";
      function_.registers.push_back({type, scopes_.back().renamed[name + "<"], count});
      family_names_.insert(function_.registers.back().name);
    } else {
      function_.registers.push_back({type, declare(name), 0});
      register_names_.insert(function_.registers.back().name);
    }
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

void BodyParser::declare_variable(std::vector<Variable>& where) {
  Variable variable = parse_variable(cursor_);
  variable.name = declare(variable.name);
  variable_names_.insert(variable.name);
  where.push_back(std::move(variable));
  cursor_.expect(";");
}

void BodyParser::location() {
  const auto place = [&] {
    const auto file = static_cast<std::uint32_t>(cursor_.expect_integer("a file number"));
    const auto line = static_cast<std::int32_t>(cursor_.expect_integer("a line number"));
    return Place{file, line, cursor_.expect_integer("a column")};
  };
  cursor_.expect(".loc");
  Place here = place();
  if (home_file_ == 0) home_file_ = here.file;
  while (cursor_.accept(",")) {
    if (cursor_.accept("function_name")) {
      cursor_.expect_word("a name label");
      if (cursor_.accept("+")) cursor_.expect_integer("an offset");
    } else {
      if (cursor_.expect_word("function_name or inlined_at") != "inlined_at")
        cursor_.fail("expected inlined_at");
      callers_[here] = place();
    }
  }
  // Code inlined from a header is charged to the line of the kernel's own file that called it, through
  // however many headers: that is what a reader can change.
  constexpr int kMaxCalls = 64;
  for (int calls = 0; here.file != home_file_ && callers_.contains(here) && calls < kMaxCalls; ++calls)
    here = callers_.at(here);
  location_ = {here.file, here.line};
}

bool BodyParser::label() {
  if (cursor_.peek().kind != TokenKind::word || !cursor_.at(":", 1)) return false;
  std::string name = std::string(cursor_.next().text);
  cursor_.expect(":");
  if (cursor_.at(".branchtargets") || cursor_.at(".callprototype") || cursor_.at(".calltargets")) {
    bool branches = cursor_.accept(".branchtargets");
    std::vector<std::string> targets;
    while (!cursor_.accept(";")) {
      if (cursor_.at_end()) cursor_.fail("expected ';'");
      if (cursor_.peek().kind == TokenKind::word) targets.emplace_back(cursor_.peek().text);
      cursor_.next();
    }
    if (branches) function_.branch_targets.emplace_back(name, targets);
    return true;
  }
  scopes_.back().labels.insert(name);
  std::string unique = scopes_.size() == 1 ? name : name + "@" + std::to_string(blocks_);
  scopes_.back().renamed[name] = unique;
  function_.labels.push_back({unique, static_cast<std::uint32_t>(function_.instructions.size())});
  return true;
}

// A branch may come before its label, so operands that name a label of this scope are renamed when the scope
// ends.
void BodyParser::rename_labels(const Scope& scope) {
  if (scopes_.size() == 1) return;
  if (scope.labels.empty()) return;
  for (std::size_t i = scope.first_instruction; i < function_.instructions.size(); ++i)
    for (Operand& operand : function_.instructions[i].operands)
      if (operand.kind == Operand::Kind::symbol && scope.labels.contains(operand.name))
        operand.name = scope.renamed.find(operand.name)->second;
}

std::string BodyParser::resolve(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (auto found = scope->renamed.find(name); found != scope->renamed.end()) return found->second;
    std::size_t digits = name.find_last_not_of("0123456789");
    if (digits == std::string_view::npos || digits + 1 == name.size()) continue;
    std::string family = std::string(name.substr(0, digits + 1)) + "<";
    if (auto found = scope->renamed.find(family); found != scope->renamed.end())
      return found->second + std::string(name.substr(digits + 1));
  }
  return std::string(name);
}

Operand BodyParser::word_operand() {
  Operand operand;
  Cursor::Nesting nesting(cursor_);
  std::string written = cursor_.expect_word("an operand");
  if (written == "generic" && cursor_.accept("(")) {
    operand = word_operand();
    cursor_.expect(")");
    return operand;
  }
  std::string name = resolve(written);
  while (cursor_.peek().kind == TokenKind::dotted) name += std::string(cursor_.next().text);  // %tid.x
  bool is_register = is_special_register(written) || written == "_";
  if (!is_register && written != name) is_register = true;
  if (!is_register)
    is_register = register_names_.contains(name) ||
                  family_names_.contains(name.substr(0, name.find_last_not_of("0123456789") + 1));
  if (variable_names_.contains(name)) is_register = false;
  operand.kind = is_register ? Operand::Kind::reg : Operand::Kind::symbol;
  operand.name = name;
  return operand;
}

Operand BodyParser::address() {
  Operand operand;
  cursor_.expect("[");
  operand.kind = Operand::Kind::address;
  if (cursor_.peek().kind == TokenKind::word) {
    Operand base = word_operand();
    operand.name = base.name;
    operand.elements.push_back(base);
  } else {
    operand.integer = cursor_.expect_integer("an address");
  }
  if (cursor_.accept("+"))
    operand.integer = cursor_.expect_integer("an offset");
  else if (cursor_.at("-"))
    operand.integer = cursor_.expect_integer("an offset");
  while (cursor_.accept(",")) operand.elements.push_back(this->operand());  // coordinates of a tensor access
  cursor_.expect("]");
  return operand;
}

Operand BodyParser::list(std::string_view close) {
  Operand operand;
  operand.kind = Operand::Kind::vector;
  cursor_.next();
  while (!cursor_.accept(close)) {
    operand.elements.push_back(this->operand());
    if (!cursor_.accept(",") && !cursor_.at(close))
      cursor_.fail("expected ',' or '" + std::string(close) + "'");
  }
  return operand;
}

Operand BodyParser::operand() {
  Cursor::Nesting nesting(cursor_);
  const Token& token = cursor_.peek();
  Operand operand;
  if (cursor_.at("[")) return address();
  if (cursor_.at("{")) return list("}");
  if (cursor_.at("(")) return list(")");
  if (cursor_.accept("!")) {
    operand = word_operand();
    operand.negated = true;
    return operand;
  }
  if (token.kind == TokenKind::real || (cursor_.at("-") && cursor_.peek(1).kind == TokenKind::real)) {
    bool negative = cursor_.accept("-");
    const Token& number = cursor_.next();
    operand.kind = Operand::Kind::real;
    operand.real = negative ? -number.real : number.real;
    operand.bits32 = static_cast<std::uint32_t>(number.bits) ^ (negative ? 0x80000000u : 0u);
    operand.integer = static_cast<std::int64_t>(number.bits ^ (negative ? 1ull << 63 : 0));
    operand.is_bits32 = number.bits_width == 32;
    operand.is_bits64 = number.bits_width == 64;
    return operand;
  }
  if (token.kind == TokenKind::integer || cursor_.at("-")) {
    operand.kind = Operand::Kind::integer;
    operand.integer = cursor_.expect_integer("a number");
    return operand;
  }
  operand = word_operand();
  if (cursor_.accept("|")) {
    Operand pair;
    pair.kind = Operand::Kind::predicate_pair;
    pair.elements = {operand, word_operand()};
    return pair;
  }
  if (operand.kind == Operand::Kind::symbol && cursor_.accept("+"))
    operand.integer = cursor_.expect_integer("an offset");
  return operand;
}

void BodyParser::instruction() {
  Instruction instruction;
  instruction.ptx_line = cursor_.peek().line;
  instruction.location = location_;
  if (cursor_.accept("@")) {
    instruction.guard_negated = cursor_.accept("!");
    instruction.guard = resolve(cursor_.expect_word("a predicate"));
  }
  std::string word = cursor_.expect_word("an instruction");
  instruction.opcode = find_opcode(word);
  if (instruction.opcode == Opcode::unknown) instruction.unknown_opcode = std::move(word);
  while (cursor_.peek().kind == TokenKind::dotted)
    instruction.modifiers.emplace_back(cursor_.next().text.substr(1));
  // ptxas takes these behind the type too, and headers of CUDA write them there.
  if (auto& m = instruction.modifiers; m.size() > 1 && (m.back() == "ftz" || m.back() == "relu"))
    std::swap(m[m.size() - 1], m[m.size() - 2]);
  while (!cursor_.accept(";")) {
    instruction.operands.push_back(operand());
    if (!cursor_.accept(",") && !cursor_.at(";"))
      cursor_.fail("expected ',' or ';' in " + instruction.name());
  }
  function_.instructions.push_back(std::move(instruction));
}

}  // namespace fusebox::ptx
