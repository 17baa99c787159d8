#include "grader/simulator/ptx/parser.h"

#include <algorithm>
#include <bit>
#include <map>

#include "grader/report/text/demangle.h"
#include "grader/simulator/ptx/body_parser.h"
#include "grader/simulator/ptx/cursor.h"

namespace fusebox::ptx {
namespace {

constexpr std::uint32_t kMaxParameterBytes = 64 << 10;

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : cursor_(text) {}

  Module parse() {
    while (!cursor_.at_end()) directive();
    if (module_.version_major == 0) cursor_.fail("expected .version at the start of a PTX text");
    return std::move(module_);
  }

 private:
  void directive() {
    std::string word = cursor_.expect_dotted("a directive");
    if (word == ".version") return version();
    if (word == ".target") return target();
    if (word == ".address_size") {
      if (cursor_.expect_integer("an address size") != 64) cursor_.fail("expected 64-bit addresses");
      return;
    }
    if (word == ".file") return file();
    if (word == ".section") return skip_section();
    if (word == ".pragma" || word == ".alias") return skip_past(";");
    bool external = false;
    while (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
      external = external || word == ".extern";
      word = cursor_.expect_dotted("a declaration");
    }
    if (word == ".global") return variables(module_.globals, external);
    if (word == ".const") return variables(module_.constants, external);
    if (word == ".shared") return variables(module_.shared, external);
    if (word == ".entry" || word == ".func") return function(word == ".entry");
    cursor_.fail("expected a directive that is supported, not " + word);
  }

  void version() {
    // "9.0" is cut as a real; its two parts are what matters.
    std::string text(cursor_.next().text);
    module_.version_major = std::atoi(text.c_str());
    std::size_t dot = text.find('.');
    module_.version_minor = dot == std::string::npos ? 0 : std::atoi(text.c_str() + dot + 1);
    if (module_.version_major < 1) cursor_.fail("expected a PTX version");
  }

  void target() {
    module_.target = cursor_.expect_word("a target");
    while (cursor_.accept(","))
      if (cursor_.expect_word("a target option") == "debug") module_.unoptimised = true;
  }

  void file() {
    std::int64_t index = cursor_.expect_integer("a file number");
    if (index < 0 || index > 100'000) cursor_.fail("expected a file number below 100000");
    if (cursor_.peek().kind != TokenKind::string) cursor_.fail("expected a file name");
    if (module_.files.size() <= static_cast<std::size_t>(index))
      module_.files.resize(static_cast<std::size_t>(index) + 1);
    module_.files[static_cast<std::size_t>(index)] = std::string(cursor_.next().text);
    while (cursor_.accept(",")) cursor_.expect_integer("a time stamp or size");
  }

  void skip_past(std::string_view end) {
    while (!cursor_.accept(end)) {
      if (cursor_.at_end()) cursor_.fail("expected '" + std::string(end) + "'");
      cursor_.next();
    }
  }

  void skip_section() {
    cursor_.expect_dotted("a section name");
    skip_past("{");
    skip_past("}");
  }

  void variables(std::vector<Variable>& where, bool external) {
    Variable variable = parse_variable(cursor_);
    variable.external = variable.external || external;
    if (cursor_.accept("=")) initializer(variable);
    cursor_.expect(";");
    // A declaration may be followed by its definition.
    auto [known, added] = variables_.try_emplace({&where, variable.name}, where.size());
    if (added)
      where.push_back(std::move(variable));
    else if (where[known->second].external)
      where[known->second] = std::move(variable);
  }

  void initializer(Variable& variable) {
    std::uint64_t element = std::max<std::uint64_t>(type_bytes(variable.type), 1);
    std::uint64_t at = 0;
    values(variable, element, at);
  }

  /// `initial` grows as values come: what is left out is zero, and costs nothing.
  void values(Variable& variable, std::uint64_t element, std::uint64_t& at) {
    Cursor::Nesting nesting(cursor_);
    if (cursor_.accept("{")) {
      while (!cursor_.accept("}")) {
        values(variable, element, at);
        if (!cursor_.accept(",") && !cursor_.at("}")) cursor_.fail("expected ',' or '}'");
      }
      return;
    }
    if (at + element > variable.bytes)
      cursor_.fail("expected no more values than " + variable.name + " holds");
    variable.initial.resize(at + element);
    std::uint64_t bits = 0;
    bool negative = cursor_.at("-") && cursor_.peek(1).kind == TokenKind::real;
    if (negative) cursor_.next();
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::word) {
      reference(variable, at);
    } else if (token.kind == TokenKind::real) {
      bits = token.bits_width != 0 ? token.bits
             : element == 4        ? std::bit_cast<std::uint32_t>(static_cast<float>(token.real))
                                   : std::bit_cast<std::uint64_t>(token.real);
      if (negative) bits ^= 1ull << (8 * element - 1);
      cursor_.next();
    } else {
      bits = static_cast<std::uint64_t>(cursor_.expect_integer("a value"));
      if (cursor_.at("("))
        cursor_.fail("expected a whole address: pieces of one, 0xFF(symbol), are not supported");
    }
    for (std::uint64_t i = 0; i < element && i < 8; ++i)
      variable.initial[at + i] |= static_cast<std::uint8_t>(bits >> (8 * i));
    at += element;
  }

  void reference(Variable& variable, std::uint64_t at) {
    std::string name = cursor_.expect_word("a symbol");
    if (name == "generic" && cursor_.accept("(")) {
      name = cursor_.expect_word("a symbol");
      cursor_.expect(")");
    }
    std::int64_t addend = cursor_.accept("+") ? cursor_.expect_integer("an offset") : 0;
    if (variable.bytes - at < 8) cursor_.fail("expected room for an address");
    variable.initial.resize(at + 8);
    variable.references.push_back({at, name, addend});
  }

  std::vector<Variable> parameters() {
    std::vector<Variable> list;
    cursor_.expect("(");
    std::uint32_t offset = 0;
    while (!cursor_.accept(")")) {
      if (!cursor_.accept(".param") && !cursor_.accept(".reg")) cursor_.fail("expected .param");
      Variable parameter = parse_variable(cursor_);
      offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
      parameter.offset = offset;
      if (parameter.bytes > kMaxParameterBytes - offset)
        cursor_.fail("expected at most 64 KiB of parameters");
      offset += static_cast<std::uint32_t>(parameter.bytes);
      list.push_back(std::move(parameter));
      if (!cursor_.accept(",") && !cursor_.at(")")) cursor_.fail("expected ',' or ')'");
    }
    return list;
  }

  void function(bool entry) {
    Function function;
    function.entry = entry;
    if (!entry && cursor_.at("(")) function.returns = parameters();
    function.name = cursor_.expect_word("a function name");
    function.demangled = kernel_name(function.name);
    if (cursor_.at("(")) function.parameters = parameters();
    if (!function.parameters.empty()) {
      const Variable& last = function.parameters.back();
      function.parameter_bytes = last.offset + static_cast<std::uint32_t>(last.bytes);
    }
    while (cursor_.peek().kind == TokenKind::dotted) limits(function);
    if (cursor_.accept(";")) {
      function.declared_only = true;
    } else {
      BodyParser(cursor_, function).parse();
      cursor_.accept(";");
    }
    auto [known, added] = functions_.try_emplace(function.name, module_.functions.size());
    if (added)
      module_.functions.push_back(std::move(function));
    else if (module_.functions[known->second].declared_only)
      module_.functions[known->second] = std::move(function);
  }

  void limits(Function& function) {
    std::string word = cursor_.expect_dotted("a limit");
    std::uint64_t product = 1;
    std::array<std::uint32_t, 3> extent{1, 1, 1};
    std::size_t count = 0;
    while (cursor_.peek().kind == TokenKind::integer) {
      std::uint64_t value = static_cast<std::uint64_t>(cursor_.next().integer);
      product *= std::clamp<std::uint64_t>(value, 1, 65536);
      if (count < extent.size())
        extent[count++] = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(value, 1, 65536));
      if (!cursor_.accept(",")) break;
    }
    if (word == ".maxntid" || word == ".reqntid")
      function.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(product, 1u << 20));
    if (word == ".reqnctapercluster" && count > 0) function.cluster = extent;
  }

  Cursor cursor_;
  Module module_;
  std::map<std::pair<const std::vector<Variable>*, std::string>, std::size_t>
      variables_;  ///< index in its list
  std::map<std::string, std::size_t> functions_;
};

}  // namespace

std::string Instruction::name() const {
  std::string text(opcode == Opcode::unknown ? unknown_opcode : traits_of(opcode).spelling);
  for (const std::string& modifier : modifiers) text += "." + modifier;
  return text;
}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(std::string_view name) const {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

Result<Module> parse(std::string_view text) {
  try {
    return ModuleParser(text).parse();
  } catch (const SyntaxError& error) {
    return Error{ErrorKind::not_passed, "PTX line " + std::to_string(error.line) + ": " + error.what(),
                 "compile with nvcc 12 or newer; if this PTX came from it, report it with the PTX text"};
  }
}

}  // namespace fusebox::ptx
