#include "grader/report/json/json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "grader/report/json/json_text.h"

namespace fusebox {
namespace {

using Json = nlohmann::ordered_json;

// fields() names every member of a struct once; Writer and Reader both walk it, so that neither direction can
// forget one.

template <class Walker>
void fields(Walker& walk, Metric& m) {
  walk("tag", m.tag), walk("name", m.name), walk("description", m.description), walk("unit", m.unit);
  walk("value", m.value), walk("source", m.source);
}
template <class Walker>
void fields(Walker& walk, Counters& c) {
  for (const CounterField& field : counter_fields()) {
    if (field.newer)
      walk.newer(field.key, field.get(c));
    else if (field.older != nullptr)
      walk.renamed(field.key, field.older, field.get(c));
    else
      walk(field.key, field.get(c));
  }
}
template <class Walker>
void fields(Walker& walk, TensorTraffic& t) {
  walk("tensor", t.tensor), walk("buffer_bytes", t.buffer_bytes);
  walk("requested_read", t.requested_read), walk("requested_write", t.requested_write);
  walk("compulsory_read", t.compulsory_read), walk("compulsory_write", t.compulsory_write);
}
template <class Walker>
void fields(Walker& walk, LineTraffic& l) {
  walk("file", l.file), walk("line", l.line);
  walk("warp_instructions", l.warp_instructions), walk("lane_instructions", l.lane_instructions);
  walk("requests", l.requests), walk("sectors", l.sectors), walk("ideal_sectors", l.ideal_sectors);
  walk("lanes", l.lanes), walk("bank_conflicts", l.bank_conflicts);
}
template <class Walker>
void fields(Walker& walk, Fault& f) {
  walk("kind", f.kind), walk("what", f.what), walk("where", f.where), walk("kernel", f.kernel);
  walk("block", f.block), walk("thread", f.thread), walk("file", f.file), walk("line", f.line);
  walk("hint", f.hint), walk("count", f.count), walk.newer("between", f.between),
      walk.newer("use_line", f.use_line), walk.newer("other_line", f.other_line);
}
template <class Walker>
void fields(Walker& walk, Occupancy& o) {
  walk("blocks_per_sm", o.blocks_per_sm), walk("warps_per_sm", o.warps_per_sm), walk("ratio", o.ratio);
  walk("limited_by", o.limited_by);
}
template <class Walker>
void fields(Walker& walk, ModelTerm& t) {
  walk("name", t.name), walk("seconds", t.seconds);
}
template <class Walker>
void fields(Walker& walk, LaunchModel& m) {
  walk("gpu", m.gpu), walk("l2_bytes", m.l2_bytes), walk("dram_read_bytes", m.dram_read_bytes);
  walk("dram_write_bytes", m.dram_write_bytes), walk("occupancy", m.occupancy), walk("terms", m.terms);
  walk("bound_by", m.bound_by), walk("seconds", m.seconds), walk.newer("waits", m.waits);
}
template <class Walker>
void fields(Walker& walk, AccessSample& a) {
  walk("file", a.file), walk("line", a.line), walk("space", a.space), walk("kind", a.kind);
  walk("tensor", a.tensor), walk("bytes", a.bytes), walk("block", a.block), walk("warp", a.warp);
  walk("lanes", a.lanes), walk("offsets", a.offsets), walk("requests", a.requests);
}
template <class Walker>
void fields(Walker& walk, GpuNumbers& g) {
  walk("name", g.name), walk("full_name", g.full_name);
  walk("compute_major", g.compute_major), walk("compute_minor", g.compute_minor), walk("sms", g.sms);
  walk("shared_bytes_per_sm", g.shared_bytes_per_sm);
  walk("max_shared_bytes_per_block", g.max_shared_bytes_per_block_optin);
  walk("reserved_shared_bytes_per_block", g.reserved_shared_bytes_per_block);
  walk("registers_per_sm", g.registers_per_sm), walk("max_threads_per_sm", g.max_threads_per_sm);
  walk("max_threads_per_block", g.max_threads_per_block), walk("max_blocks_per_sm", g.max_blocks_per_sm);
  walk("clock_hz", g.clock_hz), walk("dram_bytes_per_second", g.dram_bytes_per_second);
  walk("dram_copy_bytes_per_second", g.dram_copy_bytes_per_second);
  walk("l2_bytes_per_second", g.l2_bytes_per_second);
  walk("launch_overhead_s", g.launch_overhead_s);
}
template <class Walker>
void fields(Walker& walk, LaunchRecord& r) {
  walk("kernel", r.kernel), walk("grid", r.grid), walk("block", r.block);
  walk("static_shared_bytes", r.static_shared_bytes), walk("dynamic_shared_bytes", r.dynamic_shared_bytes);
  walk("registers", r.registers), walk("spill_bytes", r.spill_bytes), walk("counters", r.counters);
  walk("tensors", r.tensors), walk("lines", r.lines), walk("faults", r.faults), walk("model", r.model);
  walk("time", r.time), walk.newer("samples", r.samples);
}
template <class Walker>
void fields(Walker& walk, Mismatch& m) {
  walk("tensor", m.tensor), walk("index", m.index), walk("expected", m.expected), walk("got", m.got);
  walk("error", m.error), walk("tolerance", m.tolerance);
}
template <class Walker>
void fields(Walker& walk, Check& c) {
  walk("name", c.name), walk("outcome", c.outcome), walk("summary", c.summary), walk("detail", c.detail);
  walk("max_error", c.max_error), walk("tolerance", c.tolerance), walk("mismatches", c.mismatches);
  walk("fault", c.fault), walk.newer("ended", c.ended);
}
template <class Walker>
void fields(Walker& walk, BudgetLine& b) {
  walk("student", b.student), walk("reference", b.reference), walk("limit", b.limit),
      walk("within", b.within);
}
template <class Walker>
void fields(Walker& walk, SideRun& s) {
  walk("metrics", s.metrics), walk("launches", s.launches), walk("counted_case", s.counted_case);
}
template <class Walker>
void fields(Walker& walk, Cause& c) {
  walk("sentence", c.sentence), walk("evidence", c.evidence), walk("corner", c.corner);
  walk("details", c.details), walk("file", c.file), walk("line", c.line), walk("code", c.code);
  walk("again", c.again);
}
template <class Walker>
void fields(Walker& walk, BlankReport& b) {
  walk("blank", b.blank), walk("verdict", b.verdict);
}
template <class Walker>
void fields(Walker& walk, EntryReport& e) {
  walk("entry", e.entry), walk("outcome", e.outcome), walk("checks", e.checks), walk("budgets", e.budgets);
  walk("student", e.student), walk("reference", e.reference);
  walk.newer("cause", e.cause), walk.newer("blanks", e.blanks);
}
template <class Walker>
void fields(Walker& walk, FullSizeRun& r) {
  walk("launches", r.launches), walk("requested_bytes", r.requested_bytes);
  walk("compulsory_bytes", r.compulsory_bytes), walk("dram_read_bytes", r.dram_read_bytes);
  walk("dram_write_bytes", r.dram_write_bytes), walk("left_in_l2_bytes", r.left_in_l2_bytes);
  walk("seconds", r.seconds), walk("terms", r.terms), walk("bound_by", r.bound_by), walk("next", r.next);
  walk("fills", r.fills), walk("blocks", r.blocks), walk("blocks_run", r.blocks_run);
  walk("problem", r.problem);
}
template <class Walker>
void fields(Walker& walk, FullSizeBudget& b) {
  walk("student", b.student), walk("reference", b.reference), walk("limit", b.limit);
  walk("within", b.within);
}
template <class Walker>
void fields(Walker& walk, FullSizeEntry& e) {
  walk("entry", e.entry), walk("student", e.student), walk("reference", e.reference);
  walk("budgets", e.budgets);
}
template <class Walker>
void fields(Walker& walk, FullSize& f) {
  walk("shape", f.shape), walk("gpu", f.gpu), walk("gpu_name", f.gpu_name), walk("l2_bytes", f.l2_bytes);
  walk("least_bytes", f.min_bytes), walk("sentence", f.sentence);
  walk("counted_sentence", f.counted_sentence), walk("entries", f.entries);
}
template <class Walker>
void fields(Walker& walk, Report& r) {
  walk("schema", r.schema), walk("puzzle", r.puzzle), walk("slug", r.slug), walk("title", r.title);
  walk("file", r.file), walk("file_sha256", r.file_sha256), walk("side", r.side), walk("device", r.device);
  walk("seed", r.seed), walk("verdict", r.verdict), walk("verdict_text", r.verdict_text);
  walk("compiler_messages", r.compiler_messages), walk("entries", r.entries);
  walk.newer("source", r.source), walk.newer("reference_source", r.reference_source);
  walk.newer("lesson", r.lesson), walk.newer("hints", r.hints), walk.newer("gpus", r.gpus);
  walk.newer("full_size", r.full_size);
}

template <class E>
constexpr int kEnumerators = 0;
template <>
constexpr int kEnumerators<Source> = 4;
template <>
constexpr int kEnumerators<Unit> = 6;
template <>
constexpr int kEnumerators<Outcome> = 4;
template <>
constexpr int kEnumerators<FailureKind> = 14;

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

class Writer {
 public:
  template <class T>
  void operator()(const char* name, T& value) {
    json_[name] = write(value);
  }
  template <class T>
  void newer(const char* name, T& value) {
    (*this)(name, value);
  }
  template <class T>
  void renamed(const char* name, const char* /*older*/, T& value) {
    (*this)(name, value);
  }

  template <class T>
  static Json write(T& value) {
    if constexpr (IsOptional<T>::value) {
      return value ? write(*value) : Json(nullptr);
    } else if constexpr (IsList<T>::value) {
      Json list = Json::array();
      for (auto& element : value) list.push_back(write(element));
      return list;
    } else if constexpr (std::is_same_v<T, double>) {
      if (std::isnan(value)) return "NaN";
      if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return to_string(value);
    } else if constexpr (requires(Writer w) { fields(w, value); }) {
      Writer object;
      object.json_ = Json::object();
      fields(object, value);
      return std::move(object.json_);
    } else {
      return value;
    }
  }

 private:
  Json json_;
};

/// Stops at the first thing that is wrong and remembers where it is.
class Reader {
 public:
  template <class T>
  void operator()(const char* name, T& value) {
    if (!failure_.empty()) return;
    const std::size_t length = path_.size();
    path_ += path_.empty() ? name : fmt::format(".{}", name);
    const auto member = here_->find(name);
    if (member == here_->end()) {
      fail("is missing");
    } else {
      descend(*member, value);
    }
    path_.resize(length);
  }

  /// A field that reports written before it existed lack; it keeps its default then.
  template <class T>
  void newer(const char* name, T& value) {
    if (failure_.empty() && here_->contains(name)) (*this)(name, value);
  }

  /// A field that had another name in reports of earlier versions.
  template <class T>
  void renamed(const char* name, const char* older, T& value) {
    if (failure_.empty()) (*this)(here_->contains(older) ? older : name, value);
  }

  template <class T>
  void descend(const Json& json, T& value) {
    const Json* outer = std::exchange(here_, &json);
    read(json, value);
    here_ = outer;
  }
  const std::string& failure() const { return failure_; }

 private:
  void fail(const std::string& what) {
    if (failure_.empty())
      failure_ = fmt::format("{} {}", path_.empty() ? "the report" : "`" + path_ + "`", what);
  }
  void expected(const char* kind, const Json& json) {
    fail(fmt::format("should be {}, not {}", kind, json.is_primitive() ? printed(json) : json.type_name()));
  }
  static std::string printed(const Json& json) { return json_text(json); }

  template <class List>
  void read_elements(const Json& json, List& list) {
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < json.size() && failure_.empty(); ++i) {
      path_ += fmt::format("[{}]", i);
      descend(json[i], list[i]);
      path_.resize(length);
    }
  }

  template <class T>
  void read(const Json& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) read(json, value.emplace());
  }
  template <class T>
  void read(const Json& json, std::vector<T>& value) {
    if (!json.is_array()) return expected("a list", json);
    value.clear();
    value.resize(json.size());
    read_elements(json, value);
  }
  template <class T, std::size_t N>
  void read(const Json& json, std::array<T, N>& value) {
    if (!json.is_array() || json.size() != N) return fail(fmt::format("should be a list of {} numbers", N));
    read_elements(json, value);
  }
  void read(const Json& json, std::string& value) {
    if (!json.is_string()) return expected("a string", json);
    value = json.get<std::string>();
  }
  void read(const Json& json, bool& value) {
    if (!json.is_boolean()) return expected("true or false", json);
    value = json.get<bool>();
  }
  void read(const Json& json, double& value) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (json.is_number())
      value = json.get<double>();
    else if (json == "NaN")
      value = std::numeric_limits<double>::quiet_NaN();
    else if (json == "Infinity")
      value = kInfinity;
    else if (json == "-Infinity")
      value = -kInfinity;
    else
      expected("a number", json);
  }
  template <class T>
  void read(const Json& json, T& value) {
    if constexpr (std::is_integral_v<T>) {
      if (!json.is_number_integer()) return expected("a whole number", json);
      const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                  : std::in_range<T>(json.get<std::int64_t>());
      if (!fits) return fail(fmt::format("holds {}, which is out of range", printed(json)));
      value = json.get<T>();
    } else if constexpr (std::is_enum_v<T>) {
      for (int i = 0; i < kEnumerators<T>; ++i) {
        value = static_cast<T>(i);
        if (json == to_string(value)) return;
      }
      fail(fmt::format("holds {}, which is not a known word", printed(json)));
    } else {
      if (!json.is_object()) return expected("an object", json);
      fields(*this, value);
    }
  }

  const Json* here_ = nullptr;
  std::string path_;
  std::string failure_;
};

Error not_a_report(std::string what) {
  return {ErrorKind::wrong_usage, std::move(what),
          "Write the report again with `grader <puzzle> --json FILE`."};
}

}  // namespace

std::string to_json(const Report& report) {
  Report copy = report;  // fields() visits mutable members, for the reader's sake
  return json_text(Writer::write(copy), 1) + "\n";
}

std::string launch_to_json(const LaunchRecord& launch) {
  LaunchRecord copy = launch;
  return json_text(Writer::write(copy));
}

std::string full_size_run_to_json(const FullSizeRun& run) {
  FullSizeRun copy = run;
  return json_text(Writer::write(copy));
}

Result<FullSizeRun> full_size_run_from_json(std::string_view text) {
  const Json json = parse_json(text);
  FullSizeRun run;
  Reader reader;
  reader.descend(json, run);
  if (!reader.failure().empty()) return not_a_report("A run does not read: " + reader.failure() + ".");
  return run;
}

Result<LaunchRecord> launch_from_json(std::string_view line) {
  const Json json = parse_json(line);
  LaunchRecord launch;
  Reader reader;
  reader.descend(json, launch);
  if (!reader.failure().empty()) return not_a_report("A launch does not read: " + reader.failure() + ".");
  return launch;
}

Result<Report> report_from_json(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return not_a_report("The report is empty.");
    return not_a_report(error.byte > text.size()
                            ? fmt::format("The report breaks off after {} bytes.", text.size())
                            : fmt::format("The report is not JSON: it goes wrong at byte {}.", error.byte));
  }
  const auto schema = json.is_object() ? json.find("schema") : json.end();
  if (schema == json.end() || !schema->is_number_integer() || !json.contains("puzzle"))
    return not_a_report(
        "This is JSON, but not a Fusebox report: `schema` or `puzzle` is missing at the top.");
  if (*schema > kReportSchemaVersion)
    return Error{ErrorKind::wrong_usage,
                 fmt::format("The report has schema {}; this Fusebox reads up to {}.", schema->dump(),
                             kReportSchemaVersion),
                 "Use the Fusebox that wrote it, or a newer one."};
  if (*schema < 1)
    return not_a_report(fmt::format("The report has schema {}, which never existed.", schema->dump()));
  Report report;
  Reader reader;
  reader.descend(json, report);
  if (!reader.failure().empty())
    return not_a_report(fmt::format("The report is damaged: {}.", reader.failure()));
  return report;
}

}  // namespace fusebox
