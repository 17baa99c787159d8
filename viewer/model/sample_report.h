#pragma once

#include <string>
#include <utility>

#include "grader/report/report.h"

namespace fusebox::view {

/// Reports made by hand for tests and benchmarks: two entries, of which the unfused one writes a tensor in
/// between, as p20 has.

inline TensorTraffic tensor_row(const std::string& name, std::uint64_t bytes, std::uint64_t read_passes,
                                std::uint64_t write_passes) {
  return {name,
          bytes,
          bytes * read_passes,
          bytes * write_passes,
          read_passes ? bytes : 0,
          write_passes ? bytes : 0};
}

inline AccessSample sample_access(int line, const std::string& tensor, std::int64_t stride,
                                  bool shared = false) {
  AccessSample sample{"p99_sample.cu",
                      line,
                      shared ? "shared" : "global",
                      "load",
                      shared ? "" : tensor,
                      4,
                      0,
                      1,
                      ~0u,
                      {},
                      64};
  for (std::int64_t lane = 0; lane < 32; ++lane) sample.offsets.push_back(lane * stride);
  return sample;
}

inline GpuNumbers sample_gpu(const std::string& name, int sms, double bandwidth) {
  GpuNumbers gpu;
  gpu.name = name, gpu.full_name = "NVIDIA " + name;
  gpu.compute_major = 9, gpu.sms = sms;
  gpu.shared_bytes_per_sm = 233472, gpu.max_shared_bytes_per_block_optin = 232448;
  gpu.reserved_shared_bytes_per_block = 1024;
  gpu.registers_per_sm = 65536, gpu.max_threads_per_sm = 2048, gpu.max_threads_per_block = 1024;
  gpu.max_blocks_per_sm = 32;
  gpu.clock_hz = 2e9, gpu.dram_bytes_per_second = bandwidth * 1.1, gpu.dram_copy_bytes_per_second = bandwidth;
  gpu.l2_bytes_per_second = 5e12;
  gpu.launch_overhead_s = 2.5e-6;
  return gpu;
}

inline LaunchRecord sample_launch(const std::string& kernel, double seconds,
                                  std::vector<TensorTraffic> tensors, int line) {
  LaunchRecord launch;
  launch.kernel = kernel;
  launch.grid = {128, 1, 1}, launch.block = {256, 1, 1};
  launch.static_shared_bytes = 4096, launch.registers = 40, launch.spill_bytes = 0;
  Counters& c = launch.counters;
  for (const TensorTraffic& t : tensors) {
    c.global_load.sectors += t.requested_read / 32, c.global_store.sectors += t.requested_write / 32;
    c.compulsory_read_bytes += t.compulsory_read, c.compulsory_write_bytes += t.compulsory_write;
  }
  c.global_load.requests = c.global_load.sectors / 4, c.global_store.requests = c.global_store.sectors / 4;
  c.global_load.lines = c.global_load.requests;
  c.warp_instructions = 50'000, c.flops = 3'000'000;
  launch.lines = {{"p99_sample.cu", line, 900, 28'800, c.global_load.requests, c.global_load.sectors,
                   c.global_load.sectors, 32, 0},
                  {"p99_sample.cu", line + 1, 300, 9'600, c.global_store.requests, c.global_store.sectors,
                   c.global_store.sectors / 2 + 1, 32, 7}};
  launch.samples = {sample_access(line, "x", 4), sample_access(line + 1, "x", 128),
                    sample_access(line + 1, "", 8, true)};
  launch.tensors = std::move(tensors);
  LaunchModel model;
  model.gpu = "H1";
  model.dram_read_bytes = c.compulsory_read_bytes, model.dram_write_bytes = c.compulsory_write_bytes / 2;
  model.l2_bytes = 2 * c.requested_bytes();
  model.occupancy = {6, 48, 0.75, "registers"};
  const double latency = (seconds - 2.5e-6) / overlapped({{"DRAM", 0.5}, {"latency", 1}});
  model.terms = {{"DRAM", 0.5 * latency}, {"latency", latency}};
  model.bound_by = "latency", model.seconds = seconds;
  launch.model = model;
  launch.time = {"time", "time", "modelled duration of the launch", Unit::seconds, seconds, Source::modelled};
  return launch;
}

inline SideRun sample_run(std::vector<LaunchRecord> launches, double intermediate) {
  SideRun run;
  run.counted_case = "rows 128, columns 512";
  double requested = 0, compulsory = 0, dram = 0, seconds = 0;
  for (const LaunchRecord& launch : launches) {
    requested += static_cast<double>(launch.counters.requested_bytes());
    compulsory += static_cast<double>(launch.counters.compulsory_bytes());
    dram += static_cast<double>(launch.model->dram_read_bytes + launch.model->dram_write_bytes);
    seconds += *launch.time.value;
  }
  run.metrics = {{"launches", "launches", "Kernels, copies and memsets.", Unit::count,
                  static_cast<double>(launches.size()), Source::counted},
                 {"bytes.requested", "bytes requested", "32 bytes for every sector.", Unit::bytes, requested,
                  Source::counted},
                 {"bytes.compulsory", "bytes compulsory", "What no cache can save.", Unit::bytes, compulsory,
                  Source::counted},
                 {"intermediate_bytes", "intermediate bytes", "Allocated by the host function.", Unit::bytes,
                  intermediate, Source::counted},
                 {"bytes.dram", "DRAM bytes", "By the cache model.", Unit::bytes, dram, Source::modelled},
                 {"time", "time", "Of all launches.", Unit::seconds, seconds, Source::modelled}};
  run.launches = std::move(launches);
  return run;
}

/// `scale` multiplies all sizes and times: another report of the same puzzle.
inline Report sample_report(std::uint64_t scale = 1) {
  const std::uint64_t kX = 262'144 * scale;
  const double time = 1e-6 * static_cast<double>(scale);
  Report report;
  report.puzzle = "p99", report.slug = "sample", report.title = "A sample, unfused and fused";
  report.file = "puzzles/p99_sample.cu", report.file_sha256 = "0123456789abcdef";
  report.side = "student", report.device = "simulator (PTX), profile H1", report.seed = 7;
  report.verdict = Outcome::failed;
  report.verdict_text = "fused: case rows_33: 3 elements of `out` are wrong.";
  const auto unfused = [&](std::uint64_t reads) {
    return sample_run(
        {sample_launch("square_kernel", 3.5 * time + 2.5e-6,
                       {tensor_row("x", kX, reads, 0), tensor_row("squares", kX, 0, 1)}, 4),
         sample_launch(
             "scale_kernel", 2 * time + 2.5e-6,
             {tensor_row("squares", kX, 1, 0), tensor_row("x", kX, 1, 0), tensor_row("out", kX, 0, 1)}, 8)},
        static_cast<double>(kX));
  };
  const auto fused = [&](std::uint64_t reads) {
    return sample_run({sample_launch("fused_kernel", 4 * time + 2.5e-6,
                                     {tensor_row("x", kX, reads, 0), tensor_row("out", kX, 0, 1)}, 12)},
                      0);
  };
  const auto entry = [&](const char* name, SideRun mine, SideRun theirs, Outcome outcome) {
    EntryReport made;
    made.entry = name, made.outcome = outcome;
    made.checks = {
        {"file", Outcome::passed, "compiles", "", {}, {}, {}, {}},
        {"case rows_32", Outcome::passed, "max error 1.0e-07, allowed 2.0e-06", "", 1e-7, 2e-6, {}, {}}};
    for (const auto& [tag, limit] :
         {std::pair{"launches", 2.0}, std::pair{"bytes.requested", 3.2 * static_cast<double>(kX)}}) {
      BudgetLine budget;
      for (const Metric& metric : mine.metrics)
        if (metric.tag == tag) budget.student = metric;
      for (const Metric& metric : theirs.metrics)
        if (metric.tag == tag) budget.reference = metric.value;
      budget.limit = limit;
      budget.within = *budget.student.value <= limit;
      made.budgets.push_back(budget);
    }
    made.student = std::move(mine), made.reference = std::move(theirs);
    return made;
  };
  report.entries = {entry("unfused", unfused(3), unfused(1), Outcome::passed),
                    entry("fused", fused(3), fused(2), Outcome::failed)};
  Fault fault{"out-of-bounds",
              "out-of-bounds store of 4 bytes",
              "4 bytes past the end of `out`",
              "fused_kernel",
              {3, 0, 0},
              {31, 0, 0},
              "p99_sample.cu",
              13,
              "Compare the index with the number of elements first.",
              12};
  report.entries[1].checks.push_back({"case rows_33",
                                      Outcome::failed,
                                      "3 elements of `out` are wrong.",
                                      "3 elements of `out` are wrong.\nfirst out[0]: expected 1, got 2\n",
                                      1.0,
                                      2e-6,
                                      {},
                                      fault});
  report.source =
      "// p99: a sample\n#include <cuda_runtime.h>\n__global__ void square_kernel() {\n  squares[i] = x[i] * x[i];\n"
      "  more();\n}\n__global__ void scale_kernel() {\n  out[i] = x[i] * squares[i];\n  more();\n}\n__global__ void fused_kernel() {\n"
      "  // FILL ME IN: fused (roughly 2 lines)\n  float v = x[i];\n  out[i] = v * v;\n  // END: fused\n}\n";
  report.reference_source = report.source;
  report.lesson =
      "# p99 A sample\n\n## The idea\n\nBytes are **what costs**:\n\n    out = x * x\n\n| tensor | bytes |\n|---|---|\n| x | 4N |\n\n- one *item*\n- another\n";
  report.hints = {"Look at the lanes.", "Let neighbours read neighbours."};
  report.gpus = {sample_gpu("H1", 132, 4e12), sample_gpu("T2", 40, 3e11)};
  return report;
}

/// The same with runs at full size: tensors `times` as large, and launches that DRAM binds.
inline Report sample_report_at_full_size(std::uint64_t times = 512) {
  Report report = sample_report();
  const Report large = sample_report(times);
  FullSize full;
  full.shape = "rows 65536, columns 512", full.gpu = "H1", full.gpu_name = "NVIDIA H1";
  full.l2_bytes = 40 << 20, full.min_bytes = 2 * 262'144 * times;
  full.sentence = "Fused moves 201 MB through DRAM where unfused moves 537.";
  full.counted_sentence = "The counted case fills 16 % of the GPU: its time is latency, not bytes.";
  for (const EntryReport& entry : large.entries) {
    const auto run = [&](const SideRun& side) {
      FullSizeRun made;
      made.launches = side.launches;
      for (LaunchRecord& launch : made.launches) {
        launch.samples.clear();
        launch.grid = {65536, 1, 1};
        std::swap(launch.model->terms[0].seconds, launch.model->terms[1].seconds);
        launch.model->bound_by = "DRAM";
        made.dram_read_bytes += launch.model->dram_read_bytes;
        made.dram_write_bytes += launch.model->dram_write_bytes;
        made.requested_bytes += launch.counters.requested_bytes();
        made.compulsory_bytes += launch.counters.compulsory_bytes();
        made.seconds += launch.model->seconds;
      }
      return made;
    };
    full.entries.push_back({entry.entry, run(*entry.student), run(*entry.reference), {}});
  }
  report.full_size = std::move(full);
  return report;
}

/// A report of a whole program: many launches, a long file.
inline Report huge_report(std::size_t launches, int lines) {
  Report report = sample_report();
  report.title = "A long program";
  report.source.clear();
  for (int i = 1; i <= lines; ++i)
    report.source +=
        "  value[" + std::to_string(i) + "] = other[index(" + std::to_string(i) + ")];  // line\n";
  report.reference_source = report.source;
  for (EntryReport& entry : report.entries) {
    for (auto* run : {&entry.student, &entry.reference}) {
      const LaunchRecord pattern = (*run)->launches.front();
      (*run)->launches.clear();
      for (std::size_t i = 0; i < launches; ++i) {
        LaunchRecord launch = pattern;
        launch.kernel = "kernel_" + std::to_string(i % 17) + "<float, 128>";
        for (LineTraffic& line : launch.lines)
          line.line = 1 + static_cast<int>(i * 7 + static_cast<std::size_t>(line.line)) % lines;
        for (AccessSample& sample : launch.samples) sample.line = launch.lines.front().line;
        launch.samples.resize(1);
        (*run)->launches.push_back(std::move(launch));
      }
    }
  }
  return report;
}

}  // namespace fusebox::view
