#include <nlohmann/json.hpp>
#include <tuple>

#include "grader/cli/workshop/bench/bench_table.h"
#include "grader/report/json/bench_schema.h"

namespace fusebox {
namespace {

using nlohmann::json;

// fields() names the members of a struct once; both directions go through it.

template <class V>
void fields(V&& visit, auto& s, const Spread&) {
  visit("median", s.median), visit("p20", s.p20), visit("p80", s.p80);
}
template <class V>
void fields(V&& visit, auto& s, const BenchStep&) {
  visit("name", s.name), visit("seconds", s.seconds), visit("gap_after", s.gap_after);
  visit("counters", s.counters);
}
template <class V>
void fields(V&& visit, auto& s, const BenchRow&) {
  visit("label", s.label), visit("entry", s.entry), visit("seconds", s.seconds);
  visit("cold_seconds", s.cold_seconds), visit("bytes_per_second", s.bytes_per_second);
  visit("share_of_copy", s.share_of_copy), visit("against_reference", s.against_reference);
  visit("over_unfused", s.over_unfused), visit("steps", s.steps), visit("problem", s.problem);
}
template <class V>
void fields(V&& visit, auto& s, const BenchTable&) {
  visit("puzzle", s.puzzle), visit("slug", s.slug), visit("title", s.title), visit("sizes", s.sizes);
  visit("date", s.date), visit("command", s.command);
  visit("seed", s.seed), visit("least_bytes", s.min_bytes), visit("gpu", s.gpu);
  visit("driver", s.driver), visit("cuda", s.cuda);
  visit("sheet_bytes_per_second", s.sheet_bytes_per_second);
  visit("large_copy_bytes_per_second", s.large_copy_bytes_per_second);
  visit("sm_clock_hz", s.sm_clock_hz), visit("memory_clock_hz", s.memory_clock_hz);
  visit("rotated_bytes", s.rotated_bytes), visit("l2_bytes", s.l2_bytes), visit("sets", s.sets);
  visit("samples", s.samples), visit("runs_per_graph", s.runs_per_graph), visit("dropped", s.dropped);
  visit("step_source", s.step_source), visit("counters_problem", s.counters_problem);
  visit("rows", s.rows);
}
template <class V>
void fields(V&& visit, auto& s, const BenchRecord&) {
  visit("tables", s.tables);
}

template <class T>
json write(const T& value);
template <class T>
json write(const std::optional<T>& value) {
  return value ? write(*value) : json();
}
template <class T>
json write(const std::vector<T>& list) {
  json array = json::array();
  for (const T& element : list) array.push_back(write(element));
  return array;
}
template <class T>
json write(const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else {
    json object = json::object();
    fields([&](const char* key, const auto& member) { object[key] = write(member); }, value, value);
    return object;
  }
}

/// Throws json's own exceptions; bench_from_json catches them.
template <class T>
void read(const json& from, T& value);
template <class T>
void read(const json& from, std::optional<T>& value) {
  if (from.is_null()) return;
  value.emplace();
  read(from, *value);
}
template <class T>
void read(const json& from, std::vector<T>& list) {
  for (const json& element : from.get_ref<const json::array_t&>()) read(element, list.emplace_back());
}
template <class T>
void read(const json& from, T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
    value = from.get<T>();
  else
    fields(
        [&](const char* key, auto& member) {
          // Measurements that are older than the counters have none.
          if (!from.contains(key) && std::string_view(key).starts_with("counters")) return;
          read(from.at(key), member);
        },
        value, value);
}

}  // namespace

std::string bench_to_json(const BenchRecord& record) {
  json object = write(record);
  object["schema"] = kBenchSchema;
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<BenchRecord> bench_from_json(std::string_view text) {
  try {
    const json object = json::parse(text);
    if (object.at("schema").get<int>() > kBenchSchema)
      return Error{ErrorKind::missing_part, "these measurements were written by a newer Fusebox",
                   "update it"};
    BenchRecord record;
    read(object, record);
    return record;
  } catch (const json::exception& error) {
    return Error{ErrorKind::missing_part, std::string("these are no measurements: ") + error.what(),
                 "git checkout -- assets/recorded"};
  }
}

}  // namespace fusebox
