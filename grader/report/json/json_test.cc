#include "grader/report/json/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace fusebox {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A report in which every field differs from its default, and every counter from every other.
Report full_report() {
  LaunchRecord launch;
  launch.kernel = "norm<float>";
  launch.grid = {4, 5, 6};
  launch.block = {32, 2, 3};
  launch.static_shared_bytes = 128;
  launch.dynamic_shared_bytes = 4096;
  launch.registers = 40;
  launch.spill_bytes = 0;
  std::uint64_t value = kLargest;
  for (const CounterField& field : counter_fields()) field.get(launch.counters) = value--;
  launch.tensors = {{"x", 1, 2, 3, 4, 5}, {"out", kLargest, 7, 8, 9, 10}};
  launch.lines = {{"p20.cu", 12, 1, 2, 3, 4, 5, 6, 7}};
  const Fault fault{"misaligned", "load",   "in `x`", "norm",     {1, 2, 3},
                    {4, 5, 6},    "p20.cu", 9,        "align it", 33};
  launch.faults = {fault};
  launch.samples = {{"p20.cu", 12, "global", "load", "x", 4, 1, 2, 3, {0, 4, -1}, 5}};
  launch.model = LaunchModel{"h200", 1, 2, 3, {4, 5, 0.5, "threads"}, {{"DRAM", 1e-6}}, "DRAM", 2e-6, 7};
  launch.time = {"time", "time", "of the model", Unit::seconds, 1.25e-6, Source::modelled};

  Check check{"case \"rows\"", Outcome::failed,  "max error", "two\nlines \xc3\xa9", kInfinity, 2e-6, {},
              fault,           FailureKind::hang};
  check.mismatches = {{"out", {3, -1}, 0.1, std::nan(""), kInfinity, -0.0}};
  BudgetLine budget{{"launches", "launches", "how many", Unit::count, 3, Source::counted}, 1.0, 2, true};

  Report report;
  report.puzzle = "p20";
  report.slug = "layernorm_linear";
  report.title = "LayerNorm, then a matrix";
  report.file = "puzzles/p20.cu";
  report.file_sha256 = "abc";
  report.side = "student";
  report.device = "simulator (PTX), profile h200";
  report.seed = kLargest;
  report.verdict = Outcome::unsolved;
  report.verdict_text = "Fill in `norm`.";
  report.compiler_messages = {"warning: unused"};
  EntryReport entry;
  entry.entry = "fused", entry.outcome = Outcome::passed;
  entry.checks = {check, Check()}, entry.budgets = {budget};
  entry.cause = Cause{"This is it.", "equal in 2 of 2", "1 2*", {"more"}, "p.cu", 7, "x = 1;", "grader p20"};
  entry.blanks = {{"body", "wrong"}};
  entry.student =
      SideRun{{{"bytes", "bytes", "all", Unit::bytes, std::nullopt, Source::recorded}}, {launch}, "B4"};
  report.entries = {entry, {}};
  report.source = "mine";
  report.reference_source = "theirs";
  report.lesson = "# the idea";
  report.hints = {"look", "there"};
  report.gpus = {{"h200", "NVIDIA H200", 9, 0, 132, 1, 2, 3, 4, 5, 6, 7, 8.0, 9., 10, 11, 12}};
  FullSizeRun run;
  run.launches = {launch};
  run.requested_bytes = 1, run.compulsory_bytes = 2, run.dram_read_bytes = 3, run.dram_write_bytes = 4;
  run.left_in_l2_bytes = 5, run.seconds = 6, run.terms = {{"DRAM", 7}}, run.bound_by = "DRAM";
  run.next = "L2", run.fills = 0.5, run.blocks = 8, run.blocks_run = 9, run.problem = "none";
  const FullSizeBudget full_budget{budget.student, 1.0, 2, true};
  report.full_size = FullSize{"B9", "h200",     "NVIDIA H200", 1,
                              2,    "It wins.", "Too small.",  {{"fused", run, std::nullopt, {full_budget}}}};
  return report;
}

TEST(Json, RoundTripKeepsEveryField) {
  const Report report = full_report();
  const std::string text = to_json(report);
  const Result<Report> back = report_from_json(text);
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(back->seed, kLargest);
  EXPECT_EQ(back->verdict, Outcome::unsolved);
  const EntryReport& entry = back->entries.at(0);
  ASSERT_TRUE(entry.student);
  EXPECT_FALSE(entry.reference);
  EXPECT_FALSE(entry.student->metrics.at(0).value);
  const LaunchRecord& want = report.entries[0].student->launches[0];
  const LaunchRecord& got = entry.student->launches.at(0);
  EXPECT_EQ(got.counters, want.counters);
  EXPECT_EQ(got.tensors, want.tensors);
  EXPECT_EQ(got.lines, want.lines);
  EXPECT_EQ(got.faults, want.faults);
  EXPECT_EQ(got.grid, want.grid);
  EXPECT_EQ(got.block, want.block);
  EXPECT_EQ(got.registers, want.registers);
  EXPECT_EQ(got.spill_bytes, std::optional<int>(0));
  EXPECT_EQ(got.time.value, 1.25e-6);
  EXPECT_EQ(got.time.source, Source::modelled);
  EXPECT_EQ(got.samples, want.samples);
  EXPECT_EQ(got.model, want.model);
  const Check& check = entry.checks.at(0);
  EXPECT_EQ(check.fault, report.entries[0].checks[0].fault);
  EXPECT_EQ(check.ended, FailureKind::hang);
  EXPECT_EQ(check.max_error, kInfinity);
  EXPECT_EQ(check.detail, "two\nlines \xc3\xa9");
  EXPECT_EQ(check.mismatches.at(0).index, (std::vector<std::int64_t>{3, -1}));
  EXPECT_TRUE(std::isnan(check.mismatches.at(0).got));
  EXPECT_TRUE(std::signbit(check.mismatches.at(0).tolerance));
  EXPECT_EQ(check.mismatches.at(0).expected, 0.1);
}

TEST(Json, FieldsThatOlderReportsLackKeepTheirDefaults) {
  nlohmann::json json = nlohmann::json::parse(to_json(full_report()));
  for (const char* name : {"source", "reference_source", "lesson", "hints", "gpus"}) json.erase(name);
  nlohmann::json& launch = json["entries"][0]["student"]["launches"][0];
  launch.erase("samples");
  const Result<Report> back = report_from_json(json.dump());
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_TRUE(back->lesson.empty());
  EXPECT_TRUE(back->entries[0].student->launches[0].samples.empty());
  json["hints"] = 7;
  EXPECT_FALSE(report_from_json(json.dump()));  // there, and not a list
}

TEST(Json, WritesWhatReadersOfTheFileRelyOn) {
  const nlohmann::json json = nlohmann::json::parse(to_json(full_report()));
  const nlohmann::json& student = json["entries"][0]["student"];
  EXPECT_TRUE(student["metrics"][0]["value"].is_null());
  EXPECT_EQ(student["launches"][0]["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], kLargest);
  EXPECT_EQ(student["launches"][0]["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
            kLargest - 7);
  EXPECT_EQ(json["entries"][0]["checks"][0]["mismatches"][0]["got"], "NaN");
  EXPECT_EQ(json["entries"][0]["checks"][1]["max_error"], nullptr);
}

TEST(Json, CounterKeysAndPlacesAreDistinct) {
  std::set<std::string> keys;
  std::set<const std::uint64_t*> places;
  Counters counters;
  for (const CounterField& field : counter_fields()) {
    keys.insert(field.key);
    places.insert(&field.get(counters));
  }
  EXPECT_EQ(keys.size(), counter_fields().size());
  EXPECT_EQ(places.size(), counter_fields().size());
}

TEST(Json, CountersOfEarlierReportsAreReadByTheNamesThatTheyHad) {
  std::string text = to_json(full_report());
  const Result<Report> now = report_from_json(text);
  ASSERT_TRUE(now) << now.error().what;
  for (const CounterField& field : counter_fields()) {
    if (field.older == nullptr) continue;
    const std::string quoted = '"' + std::string(field.key) + '"';
    ASSERT_NE(text.find(quoted), std::string::npos) << field.key;
    for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos;)
      text.replace(at, quoted.size(), '"' + std::string(field.older) + '"');
  }
  const Result<Report> back = report_from_json(text);
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(to_json(*back), to_json(*now));
}

TEST(Json, BytesThatAreNotUtf8DoNotStopTheReport) {
  Report report = full_report();
  report.entries[0].checks[0].detail = "printed \xff\xfe";
  const Result<Report> back = report_from_json(to_json(report));
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(back->entries[0].checks[0].detail, "printed \xef\xbf\xbd\xef\xbf\xbd");
}

std::string error_of(const std::string& text) {
  const Result<Report> result = report_from_json(text);
  return result ? "no error" : result.error().what;
}

/// The full report with one edit to its JSON.
template <class Edit>
std::string edited(Edit edit) {
  nlohmann::json json = nlohmann::json::parse(to_json(full_report()));
  edit(json);
  return json.dump();
}

TEST(Json, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(error_of(""), "The report is empty.");
  EXPECT_EQ(error_of("{\"schema\": 1,"), "The report breaks off after 13 bytes.");
  EXPECT_EQ(error_of("{\"schema\": }"), "The report is not JSON: it goes wrong at byte 12.");
  EXPECT_NE(error_of("[1, 2]").find("not a Fusebox report"), std::string::npos);
  EXPECT_NE(error_of("{\"name\": \"other\"}").find("not a Fusebox report"), std::string::npos);
  EXPECT_EQ(error_of(edited([](auto& j) { j["schema"] = 2; })),
            "The report has schema 2; this Fusebox reads up to 1.");
  EXPECT_EQ(error_of(edited([](auto& j) { j["entries"][0]["budgets"][0]["limit"] = "much"; })),
            "The report is damaged: `entries[0].budgets[0].limit` should be a number, not \"much\".");
  EXPECT_EQ(error_of(edited([](auto& j) { j["entries"][0]["student"].erase("launches"); })),
            "The report is damaged: `entries[0].student.launches` is missing.");
  EXPECT_EQ(error_of(edited(
                [](auto& j) { j["entries"][0]["student"]["launches"][0]["counters"]["ptx.flops"] = -1; })),
            "The report is damaged: `entries[0].student.launches[0].counters.ptx.flops` holds -1, which is "
            "out of range.");
  EXPECT_EQ(error_of(edited([](auto& j) { j["seed"] = 1.5; })),
            "The report is damaged: `seed` should be a whole number, not 1.5.");
  EXPECT_EQ(error_of(edited([](auto& j) { j["verdict"] = "great"; })),
            "The report is damaged: `verdict` holds \"great\", which is not a known word.");
  EXPECT_EQ(error_of(edited([](auto& j) { j["later"] = "a field this version does not know"; })), "no error");
}

TEST(Json, EveryTruncationIsAnError) {
  const std::string text = to_json(full_report());
  const std::size_t end = text.find_last_of('}');
  for (std::size_t length = 0; length <= end; length += 7)
    EXPECT_FALSE(report_from_json(std::string_view(text).substr(0, length))) << length;
}

}  // namespace
}  // namespace fusebox
