#include "grader/catalog/signature.h"

namespace fusebox {

std::string Signature::demangled() const {
  std::string text = function + "(";
  for (std::size_t i = 0; i < parameters.size(); ++i) text += (i ? ", " : "") + parameters[i].type;
  return text + ")";
}

}  // namespace fusebox
