#include "viewer/model/panels/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/report/text/format.h"

namespace fusebox::view {
namespace {

std::vector<TensorTraffic> tensors_of(const SideRun& run) {
  std::vector<TensorTraffic> sums;
  for (const LaunchRecord& launch : run.launches) {
    for (const TensorTraffic& t : launch.tensors) {
      auto sum = std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.tensor == t.tensor; });
      if (sum == sums.end()) {
        sums.push_back(t);
        continue;
      }
      sum->requested_read += t.requested_read, sum->requested_write += t.requested_write;
      sum->compulsory_read += t.compulsory_read, sum->compulsory_write += t.compulsory_write;
    }
  }
  return sums;
}

std::uint64_t bytes_of(const TensorTraffic& t, Bytes which) {
  return which == Bytes::requested ? t.requested_read + t.requested_write
                                   : t.compulsory_read + t.compulsory_write;
}

std::uint64_t total_of(const SideRun& run, Bytes which) {
  std::uint64_t total = 0;
  for (const LaunchRecord& launch : run.launches)
    total +=
        which == Bytes::requested ? launch.counters.requested_bytes() : launch.counters.compulsory_bytes();
  return total;
}

/// What a row has in the run of one entry on one side; null where there is no such run.
const LedgerCell* cell_of(const Ledger& ledger, const LedgerRow& row, const std::string& entry,
                          const char* label) {
  for (std::size_t i = 0; i < ledger.columns.size(); ++i)
    if (ledger.columns[i].entry == entry && ledger.columns[i].label == label) return &row.cells[i];
  return nullptr;
}

/// What the first entry touches and the last does not is gone because of fusing. The learner's own runs say
/// so where they were counted: what fusing could remove and the learner still moves is told with its bytes.
void remark_on(const Book& book, const Ledger& ledger, LedgerRow& row) {
  const std::string &first = book.report.entries.front().entry, &last = book.report.entries.back().entry;
  const LedgerCell* mine = cell_of(ledger, row, last, "you");
  const LedgerCell* before = cell_of(ledger, row, first, "you");
  const LedgerCell* theirs = cell_of(ledger, row, last, "reference");
  const LedgerCell* theirs_before = cell_of(ledger, row, first, "reference");
  const bool removable = theirs && !theirs->touched;
  if (mine && mine->touched) {
    if (!removable) return;
    const bool written = mine->compulsory_write > 0;
    row.remark = fmt::format(
        "still {}: {}", written ? "written" : "read",
        format_bytes(static_cast<double>(written ? mine->compulsory_write : mine->compulsory_read)));
  } else if (mine && before && before->touched) {
    row.remark = "fusion removes this", row.good = true;
  } else if (!mine && removable && theirs_before && theirs_before->touched) {
    row.remark = before ? "the reference's fusion removes this" : "fusion removes this";
    row.good = true;
  }
}

Ledger ledger_of(const Book& book) {
  Ledger ledger;
  ledger.columns = sides_of(book);
  for (std::size_t column = 0; column < ledger.columns.size(); ++column) {
    for (const TensorTraffic& t : tensors_of(*ledger.columns[column].run)) {
      auto row = std::find_if(ledger.rows.begin(), ledger.rows.end(),
                              [&](const auto& r) { return r.tensor == t.tensor; });
      if (row == ledger.rows.end()) {
        row = ledger.rows.insert(ledger.rows.end(), LedgerRow{t.tensor, t.buffer_bytes, {}, "", false});
        row->cells.resize(ledger.columns.size());
      }
      row->cells[column] = {t.requested_read, t.requested_write, t.compulsory_read, t.compulsory_write, true};
    }
  }
  if (book.report.entries.size() > 1)
    for (LedgerRow& row : ledger.rows) remark_on(book, ledger, row);
  return ledger;
}

}  // namespace

TrafficModel traffic_model(const Book& book) {
  TrafficModel model;
  for (const Side& side : sides_of(book)) {
    TrafficRow row;
    row.name = side.name;
    row.label = side.label;
    row.requested = value_of(side.run, "bytes.requested");
    row.compulsory = value_of(side.run, "bytes.compulsory");
    row.dram = value_of(side.run, "bytes.dram");
    if (side.label == "you") {
      const SideRun* before = before_of(book, side.entry);
      row.before_requested = value_of(before, "bytes.requested");
      row.before_compulsory = value_of(before, "bytes.compulsory");
      row.before_dram = value_of(before, "bytes.dram");
    }
    // The ghosts too: one that ended beyond the axis would look as if it ended there.
    for (const auto& value : {row.requested, row.compulsory, row.dram, row.before_requested,
                              row.before_compulsory, row.before_dram})
      if (value && std::isfinite(*value)) model.largest = std::max(model.largest, *value);
    model.rows.push_back(std::move(row));
  }
  if (book.full_size && book.report.full_size && book.report.full_size->min_bytes > 0)
    model.least = static_cast<double>(book.report.full_size->min_bytes);
  model.largest = std::max(model.largest, model.least.value_or(0));
  model.ledger = ledger_of(book);
  model.dram_source = source_text(Source::modelled, book.report);
  return model;
}

Waterfall waterfall_of(const Book& book, Bytes which) {
  Waterfall waterfall;
  const SideRun *from = nullptr, *to = nullptr;
  const auto& entries = book.report.entries;
  if (entries.size() > 1) {
    for (const bool mine : {true, false}) {
      const auto run = [&](const std::string& entry) {
        return mine ? student_of(book, entry) : reference_of(book, entry);
      };
      from = run(entries.front().entry), to = run(entries.back().entry);
      if (!from || !to) continue;
      const char* label = mine ? " · you" : " · reference";
      waterfall.from = entries.front().entry + label;
      waterfall.to = entries.back().entry + label;
      break;
    }
  } else if (entries.size() == 1) {
    from = reference_of(book, entries[0].entry), to = student_of(book, entries[0].entry);
    waterfall.from = "reference", waterfall.to = "you";
  }
  if (!from || !to) return {};
  waterfall.start = total_of(*from, which);
  waterfall.end = total_of(*to, which);
  const auto before = tensors_of(*from), after = tensors_of(*to);
  const auto find = [&](const std::vector<TensorTraffic>& in, const std::string& name) -> std::uint64_t {
    for (const TensorTraffic& t : in)
      if (t.tensor == name) return bytes_of(t, which);
    return 0;
  };
  // Unsigned: counters that a damaged report made huge wrap around, and the steps still sum to the end.
  std::uint64_t sum = 0;
  const auto add = [&](const std::string& name, std::uint64_t delta) {
    if (delta != 0) waterfall.steps.push_back({name, static_cast<std::int64_t>(delta)});
    sum += delta;
  };
  for (const TensorTraffic& t : before) add(t.tensor, find(after, t.tensor) - bytes_of(t, which));
  for (const TensorTraffic& t : after)
    if (std::none_of(before.begin(), before.end(), [&](const auto& b) { return b.tensor == t.tensor; }))
      add(t.tensor, bytes_of(t, which));
  // Requests that touch no named buffer belong to no tensor, and would be missing from the sum.
  add("other memory", waterfall.end - waterfall.start - sum);
  std::stable_sort(waterfall.steps.begin(), waterfall.steps.end(),
                   [](const Step& a, const Step& b) { return a.delta < b.delta; });
  return waterfall;
}

std::string passes_text(std::uint64_t bytes, std::uint64_t of) {
  if (bytes == 0) return "–";
  if (of == 0) return format_bytes(static_cast<double>(bytes));
  const double passes = static_cast<double>(bytes) / static_cast<double>(of);
  if (passes < 0.005) return "<0.01×";
  if (passes >= 99.5) return fmt::format("{:.0f}×", passes);
  std::string text = fmt::format("{:.2f}", passes);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + "×";
}

std::string to_text(const TrafficModel& model) {
  std::string text;
  for (const TrafficRow& row : model.rows)
    text += fmt::format("{}: requested {}, compulsory {}, dram {}\n", row.name,
                        format_value(Unit::bytes, row.requested), format_value(Unit::bytes, row.compulsory),
                        format_value(Unit::bytes, row.dram));
  for (const LedgerRow& row : model.ledger.rows) {
    text += fmt::format("{} {}", row.tensor, format_bytes(static_cast<double>(row.bytes)));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      text += fmt::format(" | {} read {} written {}", model.ledger.columns[i].name,
                          passes_text(row.cells[i].requested_read, row.bytes),
                          passes_text(row.cells[i].requested_write, row.bytes));
    text += row.remark.empty() ? "\n" : " <- " + row.remark + "\n";
  }
  return text;
}

std::string to_text(const Waterfall& waterfall) {
  if (waterfall.from.empty()) return "no waterfall\n";
  std::string text = fmt::format("{} {}\n", waterfall.from, waterfall.start);
  for (const Step& step : waterfall.steps) text += fmt::format("  {} {:+}\n", step.tensor, step.delta);
  return text + fmt::format("{} {}\n", waterfall.to, waterfall.end);
}

}  // namespace fusebox::view
