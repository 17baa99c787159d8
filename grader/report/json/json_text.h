#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// From JSON text to values and back. Here alone, because the library's parser and writer are templates: each
/// source that calls them itself compiles them anew, which takes seconds.
namespace fusebox {

/// What the text says; a discarded value when it is no JSON.
nlohmann::ordered_json parse_json(std::string_view text);

/// As text: in one line, or indented by so many spaces. Bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace fusebox
