#include "viewer/model/book/measured.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/report/json/bench_schema.h"

namespace fusebox::view {
namespace {

using nlohmann::json;

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Bytes read and written of a launch stand second and third in the record of its counters.
std::optional<double> dram_bytes_in(const json& row) {
  const auto steps = row.find("steps");
  if (steps == row.end() || !steps->is_array() || steps->empty()) return std::nullopt;
  double sum = 0;
  for (const json& step : *steps) {
    const auto counters = step.is_object() ? step.find("counters") : step.end();
    if (!step.is_object() || counters == step.end() || !counters->is_array() || counters->size() < 3)
      return std::nullopt;
    for (const std::size_t at : {1u, 2u}) {
      if (!(*counters)[at].is_number()) return std::nullopt;
      sum += (*counters)[at].get<double>();
    }
  }
  return sum;
}

MeasuredRow row_of(const json& from) {
  MeasuredRow row;
  row.label = row.program = text_at(from, "label");
  row.entry = text_at(from, "entry");
  row.problem = text_at(from, "problem");
  row.bytes_per_second = number_at(from, "bytes_per_second");
  if (const auto seconds = from.find("seconds"); seconds != from.end() && seconds->is_object()) {
    row.median = number_at(*seconds, "median");
    row.p20 = number_at(*seconds, "p20"), row.p80 = number_at(*seconds, "p80");
  }
  row.dram_bytes = dram_bytes_in(from);
  // "you, 128 threads"
  const std::size_t comma = row.label.rfind(", ");
  if (comma != std::string::npos && row.label.ends_with(" threads")) {
    int threads = 0;
    const char* begin = row.label.data() + comma + 2;
    if (std::from_chars(begin, row.label.data() + row.label.size(), threads).ec == std::errc() &&
        threads > 0) {
      row.threads = threads;
      row.program.resize(comma);
    }
  }
  return row;
}

}  // namespace

std::string label_text(const MeasuredRow& row) {
  constexpr std::string_view kMistake = "mistake ";
  if (!row.label.starts_with(kMistake)) return row.label;
  std::string name = row.label.substr(kMistake.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return "mistake: " + name;
}

bool same_shape(const Measured& measured, const std::string& shape) {
  const auto solid = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == ','; });
    return text;
  };
  return !shape.empty() && solid(measured.sizes) == solid(shape);
}

std::vector<Measured> measured_in(std::string_view text, const std::string& puzzle) {
  std::vector<Measured> all;
  const json record = json::parse(text, nullptr, false);
  if (!record.is_object()) return all;
  const double schema = number_at(record, "schema").value_or(0);
  if (schema < 1 || schema > kBenchSchema) return all;
  const auto tables = record.find("tables");
  if (tables == record.end() || !tables->is_array()) return all;
  for (const json& table : *tables) {
    if (!table.is_object() || text_at(table, "puzzle") != puzzle) continue;
    Measured measured;
    measured.puzzle = puzzle;
    measured.gpu = text_at(table, "gpu");
    measured.date = text_at(table, "date");
    if (measured.date.empty()) measured.date = text_at(record, "date");
    measured.sizes = text_at(table, "sizes");
    measured.large_copy_bytes_per_second = number_at(table, "large_copy_bytes_per_second").value_or(0);
    measured.samples = static_cast<unsigned>(std::clamp(number_at(table, "samples").value_or(0), 0.0, 1e9));
    if (const auto rows = table.find("rows"); rows != table.end() && rows->is_array())
      for (const json& row : *rows)
        if (row.is_object()) measured.rows.push_back(row_of(row));
    if (!measured.rows.empty()) all.push_back(std::move(measured));
  }
  return all;
}

std::vector<Measured> measurements(const std::filesystem::path& folder, const std::string& puzzle) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") files.push_back(it->path());
  std::sort(files.begin(), files.end());
  std::vector<Measured> all;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (Measured& table : measured_in(text, puzzle)) all.push_back(std::move(table));
  }
  return all;
}

}  // namespace fusebox::view
