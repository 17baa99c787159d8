#include "grader/judge/cases/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "grader/judge/cases/compile_like.h"
#include "grader/judge/source/host_code.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_include(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos || line[first] != '#') return false;
  const auto word = line.find_first_not_of(" \t", first + 1);
  return word != line.npos && line.substr(word).starts_with("include");
}

/// The name that a line defines for the preprocessor; empty: none.
std::string_view defined_by(std::string_view line) {
  const auto skip = [&](std::size_t at) { return std::min(line.find_first_not_of(" \t", at), line.size()); };
  std::size_t at = skip(0);
  if (at == line.size() || line[at] != '#') return {};
  at = skip(at + 1);
  if (!line.substr(at).starts_with("define")) return {};
  at = skip(at + 6);
  return line.substr(at, line.find_first_of(" \t\r\n(", at) - at);
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    use(text.substr(at, end - at));
    at = end;
  }
}

void remove_all(std::string& text, const std::string& what) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos;) text.erase(at, what.size());
}

}  // namespace

Result<SourceFile> with_mistake(const SourceFile& reference, const Mutant& mutant) {
  const auto blanks = find_blanks(reference.text);
  if (!blanks) return blanks.error();
  const auto blank =
      std::find_if(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == mutant.blank; });
  if (blank == blanks->end())
    return Error{
        ErrorKind::missing_part,
        fmt::format("`{}` changes blank `{}`, which the solution does not have", mutant.name, mutant.blank),
        "name one of the solution's blanks"};
  const auto body = mutated(mutant, blank->body);
  if (!body) return body.error();
  const auto text = graft_blank(reference.text, mutant.blank, *body);
  if (!text) return text.error();
  return SourceFile{reference.path, *text};
}

std::string namespace_name(std::size_t index) {
  return fmt::format("{}{:0{}}", kMistakeNamespace, index, kMistakeDigits);
}

std::string as_if_alone(std::string text) {
  for (std::size_t at = 0; (at = text.find(kMistakeNamespace, at)) != text.npos;) {
    const std::size_t end = at + kMistakeNamespace.size() + kMistakeDigits;
    if (text.compare(end, 2, "::") == 0)
      text.erase(at, end + 2 - at);
    else
      at = end;
  }
  return text;
}

std::string in_one_file(std::span<const SourceFile> sources, std::size_t first) {
  std::string includes, all;
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    all += fmt::format("namespace {} {{\n#line 1\n", namespace_name(first + i));
    std::string_view text = sources[i].text;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string forget;  // macros know no namespace
    for_each_line(text, [&](std::string_view line) {
      if (!is_include(line)) {
        all += line;
        if (const auto name = defined_by(line); !name.empty()) forget += fmt::format("#undef {}\n", name);
        return;
      }
      all += '\n';
      if (std::find(seen.begin(), seen.end(), line) != seen.end()) return;
      seen.push_back(line);
      includes += line;
    });
    all += fmt::format("\n}}  // namespace {}\n{}", namespace_name(first + i), forget);
  }
  return includes + all;
}

Artifact part_of(const Artifact& whole, const std::vector<PtxPiece>& pieces, std::size_t index) {
  const std::string mine = namespace_name(index), prefix = mine + "::";
  Artifact part = whole;
  part.functions.clear(), part.mangled.clear();
  part.warnings.clear();  // they do not say whose they are
  for (std::size_t i = 0; i < whole.functions.size(); ++i) {
    if (whole.mangled[i].find(mine) == std::string::npos) continue;
    part.functions.push_back(whole.functions[i]);
    remove_all(part.functions.back(), prefix);
    part.mangled.push_back(whole.mangled[i]);
  }
  std::erase_if(part.module.resources, [&](const KernelResources& kernel) {
    return kernel.kernel.find(kMistakeNamespace) != kernel.kernel.npos &&
           kernel.kernel.find(mine) == kernel.kernel.npos;
  });
  part.module.ptx = ptx_of(pieces, static_cast<int>(index));
  return part;
}

namespace {

using Artifacts = std::vector<std::optional<Artifact>>;

/// How several sources are compiled at once, and one.
struct Compilation {
  std::function<Result<CompileResult>(const SourceFile&)> compile;
  /// What the i-th of several is of all.
  std::function<Artifact(const Artifact& whole, const std::vector<PtxPiece>& pieces, std::size_t i)> part;
  bool one_in_namespace = false;  ///< a single source as well
};

Result<Artifacts> compile_halving(const Compilation& how, std::span<const SourceFile> sources) {
  Artifacts artifacts(sources.size());
  if (sources.empty()) return artifacts;
  const bool alone = sources.size() == 1 && !how.one_in_namespace;
  auto compiled =
      how.compile(alone ? sources.front() : SourceFile{sources.front().path, in_one_file(sources)});
  if (!compiled) return compiled.error();
  if (auto* whole = std::get_if<Artifact>(&compiled.value())) {
    const auto pieces = ptx_pieces(alone ? std::string_view() : whole->module.ptx);
    for (std::size_t i = 0; i < sources.size(); ++i)
      artifacts[i] = alone ? std::move(*whole) : how.part(*whole, pieces, i);
    return artifacts;
  }
  if (sources.size() == 1) return artifacts;
  const std::size_t half = sources.size() / 2;
  for (const std::size_t begin : {std::size_t{0}, half}) {
    auto part = compile_halving(how, sources.subspan(begin, begin == 0 ? half : sources.size() - half));
    if (!part) return part.error();
    std::move(part->begin(), part->end(), artifacts.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return artifacts;
}

/// Names of one namespace as those of another: they are of one length, so that nothing else in a mangled name
/// changes.
std::string in_namespace(std::string text, std::size_t from, std::size_t to) {
  const std::string old_name = namespace_name(from), new_name = namespace_name(to);
  if (from == to) return text;
  for (std::size_t at = 0; (at = text.find(old_name, at)) != text.npos; at += new_name.size())
    text.replace(at, old_name.size(), new_name);
  return text;
}

}  // namespace

Services with_resources(Services services) {
  services.compile_device_code = services.compile_module;
  return services;
}

Result<Artifacts> compile_each(const Services& services, std::span<const SourceFile> sources) {
  return compile_halving({services.compile, part_of}, sources);
}

Result<Artifacts> compile_each_like(const Services& services, const SourceFile& reference,
                                    std::span<const SourceFile> sources) {
  if (sources.empty()) return Artifacts();
  auto made = compile_halving({services.compile, part_of, true}, std::span(&reference, 1));
  if (!made) return made.error();
  if (!made->front()) return Artifacts(sources.size());
  const Artifact& host = *made->front();
  const auto part = [&](const Artifact& whole, const std::vector<PtxPiece>& pieces, std::size_t i) {
    ModuleImage module = part_of(whole, pieces, i).module;
    module.cubin.clear();  // it holds all of them, under other names
    module.ptx = in_namespace(std::move(module.ptx), i, 0);
    for (KernelResources& kernel : module.resources) kernel.kernel = in_namespace(kernel.kernel, i, 0);
    if (module.resources.empty()) module.resources = host.module.resources;
    return with_module(host, std::move(module));
  };
  return compile_halving({services.compile_device_code, part, true}, sources);
}

Result<CompiledFile> program_of(const SourceFile& source, Artifact artifact) {
  const ModuleImage& image = artifact.module;
  auto kernels = kernel_parameters({without_bodies(image.ptx), {}, image.resources});
  if (!kernels) return kernels.error();
  return CompiledFile{source, std::move(artifact), std::move(kernels.value())};
}

Result<std::vector<std::optional<CompiledFile>>> compile_together(const Services& services,
                                                                  const SourceFile& reference,
                                                                  std::span<const SourceFile> sources) {
  Artifacts artifacts(sources.size());
  std::vector<std::size_t> whole, device_code;  // what is compiled of them
  const std::string host = host_code_of(reference.text);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Artifact* known = services.known ? services.known(sources[i].text) : nullptr;
    if (known)
      artifacts[i] = *known;
    else if (services.compile_device_code && host_code_of(sources[i].text) == host)
      device_code.push_back(i);
    else
      whole.push_back(i);
  }
  for (const auto* places : {&whole, &device_code}) {
    std::vector<SourceFile> fresh;
    for (const std::size_t i : *places) fresh.push_back(sources[i]);
    auto made =
        places == &whole ? compile_each(services, fresh) : compile_each_like(services, reference, fresh);
    if (!made) return made.error();
    for (std::size_t i = 0; i < fresh.size(); ++i) artifacts[(*places)[i]] = std::move((*made)[i]);
  }
  std::vector<std::optional<CompiledFile>> programs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto program =
        artifacts[i] ? program_of(sources[i], std::move(*artifacts[i])) : Result<CompiledFile>(Error{});
    programs.push_back(program ? std::optional(std::move(*program)) : std::nullopt);
  }
  return programs;
}

Result<std::vector<MistakeProgram>> compile_wrong_answers(const Services& services,
                                                          const SourceFile& reference,
                                                          std::span<const Mutant> mutants,
                                                          const std::string& blank) {
  std::vector<const Mutant*> chosen;
  std::vector<SourceFile> sources;
  for (const Mutant& mutant : mutants) {
    if (mutant.blank != blank || mutant.reason != Reason::wrong_answer) continue;
    auto source = with_mistake(reference, mutant);
    if (!source) return source.error();
    chosen.push_back(&mutant);
    sources.push_back(std::move(*source));
  }
  auto programs = compile_together(services, reference, sources);
  if (!programs) return programs.error();
  std::vector<MistakeProgram> made;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!(*programs)[i])
      return Error{ErrorKind::missing_part,
                   fmt::format("the known mistake `{}` does not compile", chosen[i]->name),
                   "mend it in the puzzle's mutants.md"};
    made.push_back({chosen[i], std::move(*(*programs)[i])});
  }
  return made;
}

}  // namespace fusebox
