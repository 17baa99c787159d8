#include "viewer/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "viewer/views/panel.h"

namespace fusebox::view {

Result<std::vector<Command>> parse_script(const std::string& text) {
  constexpr std::array kVerbs = {"tab",   "click", "hover", "key",   "shot",  "open",
                                 "theme", "scale", "size",  "grade", "expect"};
  std::vector<Command> commands;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    Command command{line.substr(begin, end - begin), "", number};
    const std::size_t word = line.find_first_not_of(" \t\r", end);
    if (word != std::string::npos)
      command.word = line.substr(word, line.find_last_not_of(" \t\r") - word + 1);
    const auto refuse = [&](const std::string& why) {
      return Error{ErrorKind::wrong_usage, fmt::format("script line {}: {}", number, why), ""};
    };
    if (std::find(kVerbs.begin(), kVerbs.end(), command.verb) == kVerbs.end())
      return refuse(fmt::format("there is no command `{}`", command.verb));
    if (command.word.empty() && command.verb != "grade")
      return refuse(fmt::format("`{}` needs a word behind it", command.verb));
    if (command.verb == "tab" && tab_of(command.word) < 0)
      return refuse(fmt::format("there is no tab `{}`", command.word));
    if (command.verb == "key" && key_of(command.word) == Key::none)
      return refuse(fmt::format("there is no key `{}`", command.word));
    int width = 0, height = 0;
    if (command.verb == "size" && !parse_size(command.word, width, height))
      return refuse("a size is like 1440x900");
    commands.push_back(std::move(command));
  }
  return commands;
}

Key key_of(const std::string& name) {
  constexpr std::pair<const char*, Key> kKeys[] = {{"Up", Key::up},
                                                   {"Down", Key::down},
                                                   {"Left", Key::left},
                                                   {"Right", Key::right},
                                                   {"PageUp", Key::page_up},
                                                   {"PageDown", Key::page_down},
                                                   {"Home", Key::home},
                                                   {"End", Key::end},
                                                   {"Enter", Key::enter},
                                                   {"Escape", Key::escape},
                                                   {"Ctrl+Tab", Key::next_tab},
                                                   {"Ctrl+Shift+Tab", Key::previous_tab},
                                                   {"]", Key::next_puzzle},
                                                   {"[", Key::previous_puzzle},
                                                   {"+", Key::bigger},
                                                   {"-", Key::smaller},
                                                   {"=", Key::normal_size},
                                                   {"D", Key::dark},
                                                   {"F5", Key::regrade},
                                                   {"F1", Key::help}};
  for (const auto& [known, key] : kKeys)
    if (name == known) return key;
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '9')
    return static_cast<Key>(static_cast<int>(Key::first_tab) + (name[0] == '0' ? 9 : name[0] - '1'));
  return Key::none;
}

int tab_of(const std::string& name) {
  for (int i = 0; i < kTabs; ++i)
    if (name == kTabNames[i]) return i;
  return -1;
}

bool parse_size(const std::string& text, int& width, int& height) {
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, width);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return false;
  const auto second = std::from_chars(first.ptr + 1, end, height);
  if (second.ec != std::errc() || second.ptr != end) return false;
  return width >= 200 && width <= 8192 && height >= 200 && height <= 8192;
}

}  // namespace fusebox::view
