#pragma once

#include <string>

#include "grader/cli/render/style.h"

namespace fusebox {

/// Markdown made pleasant in a terminal: headings strong, emphasis marks gone where colour shows it, prose
/// joined to paragraphs and wrapped, code and tables as they are.
std::string render_markdown(const std::string& markdown, const Style& style);

}  // namespace fusebox
