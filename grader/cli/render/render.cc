#include "grader/cli/render/render.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

/// What the table shows even without a budget on it.
constexpr const char* kAlwaysShown[] = {
    "launches",           "bytes.requested", "bytes.compulsory", "sectors_over_ideal",
    "intermediate_bytes", "registers",       "time.gpu"};

std::string value_of(const std::optional<SideRun>& side, const std::string& tag) {
  if (!side) return "";
  const Metric* metric = find_metric(side->metrics, tag);
  return metric ? format_metric(*metric) : "";
}

void add_entry(std::vector<std::vector<std::string>>& rows, const EntryReport& entry, const Style& style,
               bool only_over) {
  const SideRun& any = entry.student ? *entry.student : *entry.reference;
  for (const Metric& metric : any.metrics) {
    const BudgetLine* budget = nullptr;
    for (const BudgetLine& line : entry.budgets)
      if (line.student.tag == metric.tag) budget = &line;
    const bool always = std::any_of(std::begin(kAlwaysShown), std::end(kAlwaysShown),
                                    [&](const char* t) { return metric.tag == t; });
    if (only_over ? !budget || budget->within : !always && !budget) continue;
    // Without a GPU there is nothing to say of it.
    if (metric.source == Source::measured && !metric.value) continue;
    std::string mine = value_of(entry.student, metric.tag);
    if (budget && entry.student) mine = budget->within ? style.good(mine) : style.bad(mine);
    rows.push_back({metric.name, mine, value_of(entry.reference, metric.tag),
                    budget ? "≤ " + format_value(metric.unit, budget->limit) : ""});
  }
}

/// The two entries that a ledger is about: the first and the last.
struct Pair {
  const SideRun* before = nullptr;
  const SideRun* after = nullptr;
  const char* whose = "";
};

Pair pair_of(const Report& report) {
  if (report.entries.size() < 2) return {};
  const EntryReport &a = report.entries.front(), &b = report.entries.back();
  if (a.student && b.student) return {&*a.student, &*b.student, "yours"};
  if (a.reference && b.reference) return {&*a.reference, &*b.reference, "reference"};
  return {};
}

std::string cell(const std::optional<TensorTraffic>& row, std::uint64_t TensorTraffic::*bytes) {
  return row ? passes((*row).*bytes, row->buffer_bytes) : "-";
}

}  // namespace

std::string mark(Outcome outcome, const Style& style) {
  switch (outcome) {
    case Outcome::passed:
      return style.good("✓");
    case Outcome::failed:
      return style.bad("✗");
    case Outcome::unsolved:
      return style.open("○");
    case Outcome::skipped:
      return style.quiet("–");
  }
  return " ";
}

std::string render_title(const Report& report, const Style& style) {
  std::string text = style.strong(fmt::format("{}  {}", report.puzzle, report.title)) +
                     style.quiet(fmt::format(" · seed {}", report.seed)) + "\n";
  std::string file = report.file;
  if (!report.file_sha256.empty()) file += "  " + report.file_sha256.substr(0, 8);
  return text + style.quiet(wrapped(fmt::format("{} · {}", file, report.device), kWidth));
}

std::string render_check(const Check& check, const Style& style, bool with_detail) {
  const std::string summary = printable(check.summary);
  std::string text = hanging(fmt::format("  {} {:<28} ", mark(check.outcome, style), check.name),
                             check.outcome == Outcome::passed ? style.quiet(summary) : summary, kWidth);
  if (check.detail.empty() || !with_detail) return text;
  std::string detail = check.detail;
  // The summary often is the detail's first line; it is not repeated.
  if (detail.starts_with(check.summary)) detail.erase(0, detail.find('\n') + 1);
  return text + wrapped(printable(detail), kWidth, 6);
}

std::string render_numbers(const Report& report, const Style& style, bool only_over) {
  std::vector<std::vector<std::string>> rows;
  std::string counted;
  for (const EntryReport& entry : report.entries) {
    if (!entry.student && !entry.reference) continue;
    counted = entry.student ? entry.student->counted_case : entry.reference->counted_case;
    rows.push_back({style.strong(entry.entry), "you", "reference", "budget"});
    const std::size_t before = rows.size();
    add_entry(rows, entry, style, only_over);
    if (only_over && rows.size() == before) rows.pop_back();
  }
  if (rows.empty()) return {};
  return style.strong("Counted") + style.quiet(" on " + counted) + "\n" + table(rows);
}

std::string render_ledger(const Report& report, const Style& style) {
  const Pair pair = pair_of(report);
  if (!pair.before) return {};
  const auto before = ledger_of(pair.before->launches), after = ledger_of(pair.after->launches);
  const std::string first = report.entries.front().entry, last = report.entries.back().entry;
  std::vector<std::vector<std::string>> rows{{"", "", first, "", last, "", ""},
                                             {"tensor", "size", "read", "written", "read", "written", ""}};
  std::uint64_t total[4] = {};
  for (const FusionLine& line : fusion_ledger(before, after)) {
    const TensorTraffic& any = line.before ? *line.before : *line.after;
    rows.push_back({line.tensor, format_bytes(static_cast<double>(any.buffer_bytes)),
                    cell(line.before, &TensorTraffic::compulsory_read),
                    cell(line.before, &TensorTraffic::compulsory_write),
                    cell(line.after, &TensorTraffic::compulsory_read),
                    cell(line.after, &TensorTraffic::compulsory_write), style.quiet(line.remark)});
    if (line.before) total[0] += line.before->compulsory_read, total[1] += line.before->compulsory_write;
    if (line.after) total[2] += line.after->compulsory_read, total[3] += line.after->compulsory_write;
  }
  std::vector<std::string> sums{"compulsory", ""};
  for (std::uint64_t bytes : total) sums.push_back(format_bytes(static_cast<double>(bytes)));
  rows.push_back(sums);
  return wrapped(
             style.strong(fmt::format("From {} to {}", first, last)) +
                 style.quiet(fmt::format(", passes over each tensor that no cache saves ({})", pair.whose)),
             kWidth) +
         table(rows, {6});
}

std::string render_verdict(const Report& report, const Style& style) {
  const std::string text = wrapped(printable(report.verdict_text), kWidth);
  const std::string line = text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
  switch (report.verdict) {
    case Outcome::passed:
      return style.good(line) + "\n";
    case Outcome::failed:
      return style.bad(line) + "\n";
    default:
      return style.open(line) + "\n";
  }
}

}  // namespace fusebox
