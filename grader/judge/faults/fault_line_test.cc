#include "grader/judge/faults/fault_line.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(FaultLine, ALineThatTouchesNoMemoryGivesWayToTheOneThatUsesTheValue) {
  struct Row {
    const char *there, *used;
    bool moves;
  };
  const Row rows[] = {
      {"const float* row = table + blockIdx.x * columns;", "sum += x[i] * row[c];", true},
      {"const size_t first = static_cast<size_t>(blockIdx.x) * columns;", "out[i] = row[first];", true},
      {"float sum = 0;  // of x[i]", "sum += *x++;", true},
      {"for (int i = 0; i < n; ++i) {", "s = p->x;", true},
      {"const float value = x[i];", "out[i] = value;", false},
      {"const float value = *x;", "out[i] = value;", false},
      {"const float value = __ldg(x + i);", "out[i] = value;", false},
      {"const float* row = x + 4;", "const float twice = 2 * value;", false},
      {"out[i] = value;", "x[i] = 1;", false},
      {"int k = a * (b + sizeof(float [4]));", "x[i] = 1;", true},
      {"return *x;", "x[i] = 1;", false},
      {"*out = value;", "x[i] = 1;", false},
      {"  **out = value;", "x[i] = 1;", false},
      {"f(a, * x);", "x[i] = 1;", false},
      {"float** rows = nullptr;", "x[i] = 1;", true},
      {"AtomicAdd(out, value);", "x[i] = 1;", false},
      {"float4 v = reinterpret_cast<const float4*>(x)[i];", "out[i] = v.x;", false},
  };
  for (const Row& row : rows) {
    SourceFile source{"/some/p.cu", std::string(row.there) + "\n" + row.used + "\n"};
    Fault fault;
    fault.file = "p.cu";
    fault.line = 1;
    fault.use_line = 2;
    EXPECT_EQ(line_to_show(fault, source), row.moves ? 2 : 1) << row.there;
    fault.file = "header.cuh";
    EXPECT_EQ(line_to_show(fault, source), 1) << row.there;
    fault.file = "p.cu";
    fault.use_line = 0;
    EXPECT_EQ(line_to_show(fault, source), 1) << row.there;
  }
}

TEST(FaultLine, WhatALineReadsAndWrites) {
  struct Row {
    const char* line;
    std::vector<std::string> reads, writes;
  };
  const Row rows[] = {
      {"out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};",
       {"table"},
       {"out"}},
      {"if (i <= n && x[i] == y[i]) s = w[ids[i]];  // z[i]", {"w", "ids"}, {}},
      {"float v = gamma[c] * gamma[c];", {"gamma"}, {}},
      {"sum += x[i];", {"x"}, {}},
      {"for (int c = 0; c < n; ++c) { total[c] += x[c]; }", {"total", "x"}, {}},
      {"return p->x;", {}, {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(indexed_on(row.line, false), row.reads) << row.line;
    EXPECT_EQ(indexed_on(row.line, true), row.writes) << row.line;
  }
}

TEST(FaultLine, ASizeThatIsWrittenInBytesWasNotCountedInElements) {
  const std::string guess =
      "`up` was allocated with 4 bytes, and 4 elements of 4 bytes need 16: was the size counted in elements?";
  struct Row {
    const char *size, *where;
  };
  const Row rows[] = {
      {"sizeof(float) * rows",
       "`up` was allocated with 4 bytes, `sizeof(float) * rows`, and this launch reaches byte 16"},
      {"rows", nullptr},
      {"4 * rows", nullptr},
  };
  for (const Row& row : rows) {
    Fault fault;
    fault.where = guess, fault.hint = "cudaMalloc takes bytes";
    fault.buffer = "up", fault.buffer_bytes = 4, fault.reach_bytes = 16, fault.counted_in_elements = true;
    const SourceFile source{"p.cu", std::string("void f(int rows) { cudaMalloc(&up, ") + row.size + "); }"};
    const Fault told = without_refuted_guess(fault, source, "f");
    EXPECT_EQ(told.where, row.where ? row.where : guess) << row.size;
    EXPECT_EQ(told.hint == fault.hint, row.where == nullptr) << row.size;
  }
}

}  // namespace
}  // namespace fusebox
