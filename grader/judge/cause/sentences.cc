#include "grader/judge/cause/sentences.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>

namespace fusebox {

std::string lower_first(std::string sentence) {
  if (sentence.size() > 1 && std::isupper(static_cast<unsigned char>(sentence[0])) != 0 &&
      std::islower(static_cast<unsigned char>(sentence[1])) != 0)
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string without_stop(std::string sentence) {
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

}  // namespace fusebox
