#pragma once

#include <string>
#include <vector>

#include "grader/report/result.h"
#include "viewer/ui.h"

namespace fusebox::view {

/// One line of a script; `#` begins a comment.
///
///     tab traffic            go to a panel          click tab:traffic     the mouse, on a mark
///     hover bar:x.read       leave the mouse there  key F5                a key, as the help names it
///     shot traffic.png       write a picture        open p22              another puzzle
///     theme dark             scale 1.5              size 1280x800
///     grade                  grade, and wait for it
///     expect bar:x.read      stop with an error when no such mark is on the panel
struct Command {
  std::string verb, word;
  int line = 0;
};

Result<std::vector<Command>> parse_script(const std::string& text);

/// "Ctrl+Tab", "F5", "Down", "3"; none when there is no such key.
Key key_of(const std::string& name);
/// Index into kTabNames; -1 when there is none.
int tab_of(const std::string& name);
/// "1440x900", each side 200 to 8192.
bool parse_size(const std::string& text, int& width, int& height);

}  // namespace fusebox::view
