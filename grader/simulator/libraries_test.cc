// Runs the kernels of testdata/libraries, which are written with the libraries that come with CUDA, and
// compares their results with what the host works out.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>

#include "grader/process/run_process.h"
#include "grader/simulator/simulator.h"
#include "grader/toolchain/checkout_compiler.h"

namespace fusebox::sim {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<int>;

constexpr int kCount = 256;

Values input() {
  Values x(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = i * 7 % 31;
  return x;
}

Result<std::string> compile(const std::string& name, const std::string& architecture) {
  const auto compiler = find_checkout_compiler();
  if (!compiler) return compiler.error();
  std::string pattern = (fs::temp_directory_path() / "fusebox-libraries-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data()), ptx = folder / "program.ptx";
  const fs::path source = fs::path(FUSEBOX_SOURCE_DIR) / "grader/testdata/libraries" / name;
  const auto ran = run_process({compiler->nvcc.string(), "-ptx", "-std=c++17", "-arch=" + architecture,
                                "-lineinfo", "-diag-suppress=68", "-o", ptx.string(), source.string()});
  std::ifstream in(ptx);
  std::string text(std::istreambuf_iterator<char>(in), {});
  in.close();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!ran) return ran.error();
  if (ran->exit_code != 0) return Error{ErrorKind::internal, ran->output, ""};
  return text;
}

struct Expectation {
  std::string kernel;
  std::size_t checked;  ///< elements of `out` that count
  std::function<Values(const Values&)> oracle;
};

template <class F>
Values map(const Values& x, F f) {
  Values out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = f(static_cast<int>(i));
  return out;
}

Values scan_in_groups(const Values& x, int size) {
  Values out = x;
  for (int i = 0; i < kCount; ++i)
    if (i % size != 0) out[i] += out[i - 1];
  return out;
}

Values reduce_groups(const Values& x, int size, const std::function<int(int, int)>& op) {
  Values out;
  for (int i = 0; i < kCount; i += size)
    out.push_back(std::accumulate(x.begin() + i + 1, x.begin() + i + size, x[i], op));
  return out;
}

int sum_of(const Values& x) { return std::accumulate(x.begin(), x.end(), 0); }

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int most(int a, int b) { return std::max(a, b); }

// bf16 holds 8 bits of a number: 2x + 1 is exact up to 256.
const std::vector<Expectation> kNumbers = {
    {"half_math", kCount,
     [](const Values& x) {
       return map(x, [&](int i) {
         // v = (x / 2, x + 1); 2v + v * v, rounded like the hardware does where it is not exact
         auto half = [](double v) {
           if (v == 0) return v;
           double unit = std::ldexp(1.0, std::ilogb(v) - 10);
           return std::nearbyint(v / unit) * unit;
         };
         auto one = [&](double v, double root) { return half(half(2 * v + half(v * v)) + half(v - root)); };
         double low = one(x[i] * 0.5, 2), high = one(x[i] + 1.0, 3);
         if (low > high) std::swap(low, high);
         return static_cast<int>(low * 4) + 4;
       });
     }},
    {"bfloat_math", kCount,
     [](const Values& x) { return map(x, [&](int i) { return std::max(2 * x[i] + 1, 5) * 100 + 5; }); }},
    {"half_atomics", 4,
     [](const Values& x) {
       return Values{256, 128, sum_of(x), *std::max_element(x.begin(), x.end())};
     }},
    {"matrix_product", kCount,
     [](const Values& x) {
       return map(x, [&](int i) {
         int sum = 1;
         for (int k = 0; k < 16; ++k) sum += x[i / 16 * 16 + k] * x[255 - (i % 16 * 16 + k)];
         return 2 * sum;
       });
     }},
    {"pipeline_copy", kCount, [](const Values& x) { return x; }},
    {"group_copy", kCount, [](const Values& x) { return Values(x.rbegin(), x.rend()); }},
    {"virtual_calls", kCount,
     [](const Values& x) { return map(x, [&](int i) { return i % 3 ? x[i] * x[i] : x[i]; }); }},
    {"recursion", kCount,
     [](const Values& x) { return map(x, [&](int i) { return fibonacci(x[i] % 12); }); }},
    {"clocks", kCount,
     [](const Values& x) {
       return map(x, [&](int i) {
         int sum = 0;
         for (int k = 0; k <= x[i]; ++k) sum += k * x[k];
         return sum;
       });
     }},
};

const std::vector<Expectation> kBlocks = {
    {"block_reduce", 1, [](const Values& x) { return Values{sum_of(x)}; }},
    {"block_scan", kCount, [](const Values& x) { return scan_in_groups(x, kCount); }},
    {"block_sort", kCount,
     [](Values x) {
       std::sort(x.begin(), x.end());
       return x;
     }},
    {"warp_scan", kCount, [](const Values& x) { return scan_in_groups(x, 32); }},
    {"warp_reduce", 16, [](const Values& x) { return reduce_groups(x, 16, most); }},
    {"tile_reduce", 16, [](const Values& x) { return reduce_groups(x, 16, std::plus<>()); }},
    {"tile_scan", kCount, [](const Values& x) { return scan_in_groups(x, 8); }},
    {"coalesced", 1,
     [](const Values& x) {
       int sum = 0;
       for (int v : x) sum += v % 3 == 0 ? v : 0;
       return Values{sum};
     }},
    {"labeled", 4,
     [](const Values& x) {
       Values counts(4);
       for (int v : x) ++counts[v % 4];
       return counts;
     }},
    {"intrinsics", kCount,
     [](const Values& x) {
       return map(x, [&](int i) {
         int same = 0, sum = 0, odd = 0, warp = i / 32 * 32;
         for (int k = warp; k < warp + 32; ++k)
           same += (x[k] & 3) == (x[i] & 3), sum += x[k], odd += x[k] & 1;
         return same + 100 * sum + 1000000 * odd + x[i ^ 1];
       });
     }},
    {"block_barriers", kCount,
     [](const Values& x) {
       int odd = static_cast<int>(std::count_if(x.begin(), x.end(), [](int v) { return v & 1; }));
       return Values(kCount, odd + 1000 + 0);
     }},
};

class Libraries : public testing::Test {
 protected:
  static GpuProfile gpu() {
    auto profile = load_gpu_profile(fs::path(FUSEBOX_SOURCE_DIR) / "assets", "h200");
    EXPECT_TRUE(profile) << profile.error().what;
    return *profile;
  }

  Result<fusebox::Run> launch(const std::string& kernel) {
    const Values x = input();
    const std::uint64_t bytes = kCount * sizeof(int), sizes[] = {bytes, bytes};
    const auto at = place_buffers(simulator_.address_range(), sizes);
    std::vector<Buffer> buffers = {{"x", at[0], bytes, std::vector<std::byte>(bytes)},
                                   {"out", at[1], bytes, std::vector<std::byte>(bytes)}};
    std::memcpy(buffers[0].contents.data(), x.data(), bytes);
    LaunchOp op{kernel, {1, 1, 1}, {kCount, 1, 1}, 0, false, std::vector<std::byte>(16)};
    std::memcpy(op.arguments.data(), &at[0], 8);
    std::memcpy(op.arguments.data() + 8, &at[1], 8);
    LaunchPlan plan;
    plan.ops.push_back(op);
    return simulator_.execute(plan, module_, buffers, {});
  }

  void run_all(const std::string& file, const std::vector<Expectation>& expectations) {
    for (const std::string architecture : {"compute_80", "compute_90"}) {
      SCOPED_TRACE(architecture);
      const auto ptx = compile(file, architecture);
      if (!ptx && ptx.error().what.find("No such file") != std::string::npos)
        GTEST_SKIP() << "the compiler has no CUDA libraries beside it";
      ASSERT_TRUE(ptx) << ptx.error().what;
      module_.ptx = *ptx;
      for (const Expectation& e : expectations) {
        SCOPED_TRACE(e.kernel);
        const auto run = launch(e.kernel);
        ASSERT_TRUE(run) << run.error().what;
        ASSERT_EQ(run->launches.size(), 1u);
        for (const Fault& fault : run->launches[0].faults) ADD_FAILURE() << fault.kind << ": " << fault.what;
        Values out(kCount);
        std::memcpy(out.data(), run->outputs[1].data(), kCount * sizeof(int));
        out.resize(e.checked);
        EXPECT_EQ(out, e.oracle(input()));
      }
    }
  }

  Simulator simulator_{gpu()};
  ModuleImage module_;
};

TEST_F(Libraries, BlockAndWarpPrimitives) { run_all("blocks.cu", kBlocks); }

TEST_F(Libraries, NumbersCopiesAndCalls) {
  run_all("numbers.cu", kNumbers);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto run = launch("prints");
  ASSERT_TRUE(run) << run.error().what;
  EXPECT_EQ(run->output,
            "[0]  0.00|ab  |text -5000000000 18446744073709551615 ff z % (nil) 1.234568e+04 0.5\n"
            "[1]  3.50|ab  |text -5000000000 18446744073709551615 ff z % (nil) 1.234568e+04 0.5\n"
            "no arguments\n");
}

}  // namespace
}  // namespace fusebox::sim
