#include "grader/judge/cause/sentences.h"

#include <cctype>

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

}  // namespace fusebox
