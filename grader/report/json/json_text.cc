#include "grader/report/json/json_text.h"

#include <nlohmann/json.hpp>

namespace fusebox {

nlohmann::ordered_json parse_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text.begin(), text.end(), nullptr, false);
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fusebox
