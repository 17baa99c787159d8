#include "grader/classroom/results/row.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "grader/report/fault_key.h"
#include "grader/report/json/json_text.h"

namespace fusebox::classroom {
namespace {

using json = nlohmann::ordered_json;

struct Word {
  Verdict verdict;
  const char* text;
};
constexpr std::array kWords = {
    Word{Verdict::pass, "PASS"},
    Word{Verdict::wrong_answer, "WRONG_ANSWER"},
    Word{Verdict::over_budget, "OVER_BUDGET"},
    Word{Verdict::compile_error, "COMPILE_ERROR"},
    Word{Verdict::compile_limit, "COMPILE_LIMIT"},
    Word{Verdict::runtime_error, "RUNTIME_ERROR"},
    Word{Verdict::time_limit, "TIME_LIMIT"},
    Word{Verdict::memory_limit, "MEMORY_LIMIT"},
    Word{Verdict::output_limit, "OUTPUT_LIMIT"},
    Word{Verdict::protocol_error, "PROTOCOL_ERROR"},
    Word{Verdict::invalid_submission, "INVALID_SUBMISSION"},
    Word{Verdict::infra_error, "INFRA_ERROR"},
};

// The verdict on an answer of which this check alone failed.
Verdict verdict_of(const Check& check) {
  if (check.name == "file" && check.ended == FailureKind::none) return Verdict::invalid_submission;
  if (check.name == "signature") return Verdict::compile_error;
  const struct {
    FailureKind ended;
    Verdict verdict;
  } endings[] = {
      {FailureKind::compile, Verdict::compile_error}, {FailureKind::compile_limit, Verdict::compile_limit},
      {FailureKind::hang, Verdict::time_limit},       {FailureKind::memory, Verdict::memory_limit},
      {FailureKind::output, Verdict::output_limit},   {FailureKind::garbled, Verdict::protocol_error}};
  for (const auto& each : endings)
    if (check.ended == each.ended) return each.verdict;
  if (check.ended != FailureKind::none) return Verdict::runtime_error;
  if (check.fault) {
    if (is_one_of(*check.fault, {FaultKey::endless_loop, FaultKey::work_limit, FaultKey::time_limit}))
      return Verdict::time_limit;
    if (is_one_of(*check.fault, {FaultKey::memory_limit})) return Verdict::memory_limit;
    return is_one_of(*check.fault, {FaultKey::output_limit}) ? Verdict::output_limit : Verdict::runtime_error;
  }
  return check.name.starts_with("budget ") ? Verdict::over_budget : Verdict::wrong_answer;
}

// The first that is said of a file in which several checks fail: what kept others from a verdict comes first.
int rank(Verdict verdict) {
  constexpr std::array kOrder = {Verdict::invalid_submission, Verdict::compile_limit, Verdict::compile_error,
                                 Verdict::protocol_error,     Verdict::memory_limit,  Verdict::output_limit,
                                 Verdict::time_limit,         Verdict::runtime_error, Verdict::wrong_answer,
                                 Verdict::over_budget};
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), verdict) - kOrder.begin());
}

}  // namespace

const char* to_string(Verdict verdict) {
  for (const Word& word : kWords)
    if (word.verdict == verdict) return word.text;
  return "";
}

std::optional<Verdict> verdict_from(std::string_view text) {
  for (const Word& word : kWords)
    if (word.text == text) return word.verdict;
  return std::nullopt;
}

Row row_of(const Report& report) {
  Row row;
  row.puzzle = report.puzzle;
  row.text = report.verdict_text;
  std::optional<Verdict> worst;
  for (const EntryReport& entry : report.entries) {
    if (entry.cause && row.cause.empty()) row.cause = entry.cause->sentence;
    for (const Check& check : entry.checks) {
      row.cases.push_back({(report.entries.size() > 1 ? entry.entry + ": " : "") + shown_name(entry, check),
                           fusebox::to_string(check.outcome), check.summary});
      if (check.outcome != Outcome::failed && check.outcome != Outcome::unsolved) continue;
      const Verdict verdict = verdict_of(check);
      if (!worst || rank(verdict) < rank(*worst)) worst = verdict;
    }
  }
  if (report.verdict == Outcome::passed)
    row.verdict = worst ? Verdict::infra_error : Verdict::pass;
  else
    row.verdict = worst.value_or(Verdict::infra_error);
  return row;
}

std::string to_json(const Row& row) {
  json cases = json::array();
  for (const RowCase& each : row.cases) cases.push_back({each.name, each.outcome, each.summary});
  return json_text(json{{"student", row.student},
                        {"puzzle", row.puzzle},
                        {"verdict", to_string(row.verdict)},
                        {"text", row.text},
                        {"cause", row.cause},
                        {"cases", cases},
                        {"seconds", row.seconds},
                        {"tier", row.tier},
                        {"key", row.key}}) +
         "\n";
}

Result<Row> row_from_json(std::string_view text) {
  const Error damaged{ErrorKind::missing_part, "a row is damaged", "it is graded again"};
  const json from = parse_json(text);
  if (!from.is_object()) return damaged;
  Row row;
  const auto take = [&](const char* key, std::string& into) {
    const auto found = from.find(key);
    if (found == from.end() || !found->is_string()) return false;
    into = found->get<std::string>();
    return true;
  };
  std::string verdict;
  if (!take("student", row.student) || !take("puzzle", row.puzzle) || !take("verdict", verdict) ||
      !take("text", row.text) || !take("cause", row.cause) || !take("tier", row.tier) ||
      !take("key", row.key))
    return damaged;
  const auto known = verdict_from(verdict);
  const auto seconds = from.find("seconds"), cases = from.find("cases");
  if (!known || seconds == from.end() || !seconds->is_number() || cases == from.end() || !cases->is_array())
    return damaged;
  row.verdict = *known;
  row.seconds = seconds->get<double>();
  for (const json& each : *cases) {
    if (!each.is_array() || each.size() != 3) return damaged;
    for (const json& cell : each)
      if (!cell.is_string()) return damaged;
    row.cases.push_back({each[0], each[1], each[2]});
  }
  return row;
}

}  // namespace fusebox::classroom
