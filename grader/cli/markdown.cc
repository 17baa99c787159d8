#include "grader/cli/markdown.h"

#include <algorithm>
#include <cctype>

#include "grader/cli/render.h"

namespace fusebox {

std::string render_markdown(const std::string& markdown, const Style& style) {
  std::string result, paragraph;
  bool code = false;
  const auto flush = [&] {
    if (paragraph.empty()) return;
    std::string shown;
    bool strong = false;
    std::string run;
    const auto end_run = [&] {
      shown += strong ? style.strong(run) : run;
      run.clear();
    };
    for (std::size_t i = 0; i < paragraph.size(); ++i) {
      if (paragraph.compare(i, 2, "**") == 0) {
        end_run();
        strong = !strong;
        ++i;
      } else {
        run += paragraph[i];
      }
    }
    end_run();
    result += wrapped(shown, kWidth);
    paragraph.clear();
  };
  std::size_t begin = 0;
  while (begin < markdown.size()) {
    const std::size_t end = std::min(markdown.find('\n', begin), markdown.size());
    const std::string line = markdown.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("```")) {
      flush();
      code = !code;
      continue;
    }
    const bool table = line.starts_with("|");
    const bool item =
        line.starts_with("- ") || line.starts_with("* ") ||
        (!line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) && line.find(". ") < 3);
    if (code || table || line.starts_with("    ")) {
      flush();
      // What is drawn or aligned stays as it was set.
      result += table ? wrapped(line, kWidth, 2) : (code ? "    " : "") + line + "\n";
    } else if (line.starts_with("#")) {
      flush();
      result += style.strong(line.substr(std::min(line.find_first_not_of("# "), line.size()))) + "\n";
    } else if (line.empty()) {
      flush();
      result += "\n";
    } else {
      if (item) flush();
      const std::size_t text = line.find_first_not_of(' ');
      paragraph += (paragraph.empty() ? "" : " ") + (paragraph.empty() ? line : line.substr(text));
    }
  }
  flush();
  return result;
}

}  // namespace fusebox
