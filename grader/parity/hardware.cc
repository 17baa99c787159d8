#include "grader/parity/hardware.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace fusebox {
namespace {

struct Metric {
  const char *ncu, *json;
  std::uint64_t HardwareLaunch::*value;
};

constexpr const char* kDuration = "gpu__time_duration.sum";
constexpr Metric kMetrics[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "load_requests", &HardwareLaunch::load_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "load_sectors", &HardwareLaunch::load_sectors},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "store_requests", &HardwareLaunch::store_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "store_sectors", &HardwareLaunch::store_sectors},
    {"dram__bytes_read.sum", "dram_read_bytes", &HardwareLaunch::dram_read_bytes},
    {"dram__bytes_write.sum", "dram_write_bytes", &HardwareLaunch::dram_write_bytes},
    {"lts__t_sectors_op_read.sum", "l2_read_sectors", &HardwareLaunch::l2_read_sectors},
    {"lts__t_sectors_op_write.sum", "l2_write_sectors", &HardwareLaunch::l2_write_sectors},
};

/// The fields of one line; quotes may hold commas and doubled quotes.
std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else if (line[i] != '\r')
      fields.back() += line[i];
  }
  return fields;
}

std::optional<double> number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What one of ncu's units is worth in bytes or seconds, should it not keep to base units.
double scale_of(const std::string& unit) {
  static const std::map<std::string, double> kScales = {
      {"nsecond", 1e-9}, {"ns", 1e-9},   {"usecond", 1e-6}, {"us", 1e-6},  {"msecond", 1e-3},
      {"ms", 1e-3},      {"Kbyte", 1e3}, {"Mbyte", 1e6},    {"Gbyte", 1e9}};
  const auto known = kScales.find(unit);
  return known == kScales.end() ? 1 : known->second;
}

Error bad_table(const std::string& why) {
  return {ErrorKind::missing_part, "Nsight Compute's table does not read: " + why,
          "run it by hand to see what it says: ncu --csv --page raw --print-units base"};
}

}  // namespace

std::string hardware_metrics() {
  std::string list = kDuration;
  for (const Metric& metric : kMetrics) list += std::string(",") + metric.ncu;
  return list;
}

Result<std::vector<HardwareLaunch>> parse_ncu_table(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> head, units;
  std::vector<HardwareLaunch> launches;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '"') continue;  // what the program printed, and ncu's own ==PROF== lines
    std::vector<std::string> fields = split_csv(line);
    if (head.empty()) {
      if (fields[0] == "ID") head = fields;
      continue;
    }
    if (fields.size() != head.size())
      return bad_table("a line with " + std::to_string(fields.size()) + " fields");
    if (units.empty()) {
      units = fields;
      continue;
    }
    const auto column = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin());
    };
    HardwareLaunch& launch = launches.emplace_back();
    if (const std::size_t at = column("Kernel Name"); at < fields.size())
      launch.kernel = fields[at].substr(0, fields[at].find('('));
    const auto read = [&](const std::string& name) -> std::optional<double> {
      const std::size_t at = column(name);
      if (at == fields.size()) return std::nullopt;
      const auto value = number(fields[at]);
      return value ? std::optional(*value * scale_of(units[at])) : std::nullopt;
    };
    for (const Metric& metric : kMetrics) {
      const auto value = read(metric.ncu);
      if (!value) return bad_table(std::string("no number for ") + metric.ncu);
      launch.*metric.value = static_cast<std::uint64_t>(*value + 0.5);
    }
    const auto seconds = read(kDuration);
    if (!seconds) return bad_table(std::string("no number for ") + kDuration);
    launch.seconds = *seconds;
  }
  if (head.empty()) return bad_table("it has no head");
  return launches;
}

Result<HardwareTable> read_hardware_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in)
    return Error{ErrorKind::missing_part, "there is no recorded table at " + path.string(),
                 "record one on a machine with a GPU: grader dev parity --record"};
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  try {
    HardwareTable table;
    table.gpu = json.at("gpu");
    table.driver = json.at("driver");
    table.cuda = json.at("cuda");
    table.date = json.at("date");
    table.command = json.at("command");
    for (const auto& each : json.at("launches")) {
      HardwareLaunch& launch = table.launches.emplace_back();
      launch.row = each.at("row");
      launch.kernel = each.at("kernel");
      launch.seconds = each.at("seconds");
      for (const Metric& metric : kMetrics) launch.*metric.value = each.at(metric.json);
      if (each.contains("same_bytes")) launch.same_bytes = each.at("same_bytes").get<bool>();
      launch.largest_difference = each.value("largest_difference", 0.0);
    }
    return table;
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorKind::missing_part,
                 path.string() + " is no table of hardware counters: " + error.what(),
                 "record it anew: grader dev parity --record"};
  }
}

std::string hardware_table_to_json(const HardwareTable& table) {
  nlohmann::ordered_json json{{"gpu", table.gpu},   {"driver", table.driver},   {"cuda", table.cuda},
                              {"date", table.date}, {"command", table.command}, {"launches", nullptr}};
  json["launches"] = nlohmann::ordered_json::array();
  for (const HardwareLaunch& launch : table.launches) {
    nlohmann::ordered_json each{{"row", launch.row}, {"kernel", launch.kernel}, {"seconds", launch.seconds}};
    for (const Metric& metric : kMetrics) each[metric.json] = launch.*metric.value;
    if (launch.same_bytes) each["same_bytes"] = *launch.same_bytes;
    if (launch.largest_difference != 0) each["largest_difference"] = launch.largest_difference;
    json["launches"].push_back(std::move(each));
  }
  // A line for each launch: a change of one shows as one.
  std::string text = json.dump();
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"{\"row\"", "\n  {\"row\""}, {"}]}", "}\n]}\n"}})
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

}  // namespace fusebox
