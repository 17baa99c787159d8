#include "grader/judge/workshop/answers_compile.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <span>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/mistakes.h"

namespace fusebox {
namespace {

constexpr std::size_t kTogether = 12;  // more share the headers' cost better, and lose more when one fails

}  // namespace

Result<CompiledTexts> compile_answers(const Services& services, const std::vector<SourceFile>& sources) {
  std::vector<SourceFile> distinct;
  std::set<std::string> seen;
  for (const SourceFile& source : sources)
    if (seen.insert(source.text).second) distinct.push_back(source);
  // Line tables carry the name of the file: only those of one name are compiled together.
  std::stable_sort(distinct.begin(), distinct.end(),
                   [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  std::vector<std::span<const SourceFile>> parts;
  for (std::size_t begin = 0, end = 0; begin < distinct.size(); begin = end) {
    while (end < distinct.size() && end - begin < kTogether && distinct[end].path == distinct[begin].path)
      ++end;
    parts.push_back(std::span(distinct).subspan(begin, end - begin));
  }
  CompiledTexts texts;
  std::optional<Error> error;
  std::mutex mutex;
  on_both_devices(services, parts.size(), [&](std::size_t i, const Services& own) {
    auto compiled = compile_each(own, parts[i]);
    const std::lock_guard lock(mutex);
    if (!compiled) {
      if (!error) error = compiled.error();
      return;
    }
    for (std::size_t k = 0; k < parts[i].size(); ++k)
      if ((*compiled)[k]) texts.emplace(parts[i][k].text, std::move(*(*compiled)[k]));
  });
  if (error) return *error;
  return texts;
}

Services with_known(Services services, const CompiledTexts& texts) {
  const auto known = [&texts](const std::string& text) {
    const auto found = texts.find(text);
    return found == texts.end() ? nullptr : &found->second;
  };
  services.compile = [known, otherwise = services.compile](const SourceFile& source) {
    if (const Artifact* artifact = known(source.text)) return Result<CompileResult>(*artifact);
    return otherwise(source);
  };
  services.known = known;
  return services;
}

}  // namespace fusebox
