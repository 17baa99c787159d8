// A launch must come out the same on any number of cores: bytes, counters, model and faults.

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "grader/report/json/json.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/simulator.h"
#include "grader/simulator/small_gpu.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kBlocks = 512, kThreads = 64;
constexpr std::uint64_t kArrayBytes = std::uint64_t{kBlocks} * kThreads * 4;

/// Whether a kernel's blocks run side by side.
enum class Parallel {
  yes,        ///< nobody can tell
  no,         ///< the kernel's text says that somebody may
  taken_back  ///< its blocks meet, unless one thread happens to take all of those that do
};
/// What each kernel does with `data`, %rd1; %rd2 is the address of this thread's word, %rd3 of this block's,
/// %r1 the block, %r4 the thread of the launch.
struct Kernel {
  const char* name;
  const char* body;
  Parallel parallel;
};

const Kernel kKernels[] = {
    {"own_words", "st.global.u32 [%rd2], %r4;", Parallel::yes},
    {"reads_its_own", "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, 3; st.global.u32 [%rd2], %r5;",
     Parallel::yes},
    {"all_read_one", "ld.global.u32 %r5, [%rd1+131072]; add.u32 %r5, %r5, %r4; st.global.u32 [%rd2], %r5;",
     Parallel::yes},
    {"a_word_per_block",
     "setp.ne.u32 %p1, %r3, 0; @%p1 bra DONE; st.global.u32 [%rd3], %r1; DONE:", Parallel::yes},
    {"last_block_wins", "st.global.u32 [%rd1], %r1;", Parallel::taken_back},
    {"reads_the_block_before",
     "setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE; ld.global.u32 %r5, [%rd2-256]; add.u32 %r5, %r5, 1; "
     "st.global.u32 [%rd2], %r5; DONE:",
     Parallel::taken_back},
    {"counts", "atom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd2], %r5;", Parallel::no},
    {"volatile_words", "ld.volatile.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r5;", Parallel::no},
    {"tells_the_time", "mov.u32 %r5, %clock; st.global.u32 [%rd2], %r5;", Parallel::no},
    {"one_block_leaves_its_bounds",
     "setp.ne.u32 %p1, %r1, 300; @%p1 bra DONE; st.global.u32 [%rd2+33554432], %r1; DONE: "
     "st.global.u32 [%rd2], %r4;",
     Parallel::no},
    {"one_block_never_ends", "AGAIN: setp.eq.u32 %p1, %r1, 400; @%p1 bra AGAIN; st.global.u32 [%rd2], %r4;",
     Parallel::no},
    {"shared_words",
     "mov.u32 %r6, words; mad.lo.u32 %r6, %r3, 4, %r6; st.shared.u32 [%r6], %r1; st.global.u32 [%rd2], %r4;",
     Parallel::yes},
    {"adds_to_one_word", "red.global.add.u32 [%rd1], %r4;", Parallel::yes},
    {"adds_and_forgets_the_sum", "atom.global.add.u32 %r5, [%rd1], %r4; st.global.u32 [%rd2+64], %r4;",
     Parallel::yes},
    {"adds_to_words_of_others", "red.global.add.u32 [%rd2+256], %r4; red.global.add.u32 [%rd2+512], 7;",
     Parallel::yes},
    {"reduces_apart",
     "red.global.max.u32 [%rd1], %r4; red.global.min.s32 [%rd1+32], %r4; red.global.xor.b32 [%rd1+64], %r4; "
     "red.global.or.b64 [%rd1+96], %rd4; red.global.add.u64 [%rd1+128], %rd4;",
     Parallel::yes},
    {"reduces_by_generic_addresses",
     "cvta.global.u64 %rd1, %rd1; mov.u32 %r6, words; mad.lo.u32 %r6, %r3, 4, %r6; st.shared.u32 [%r6], %r4; "
     "cvt.u64.u32 %rd5, %r6; cvta.shared.u64 %rd5, %rd5; red.add.u32 [%rd5], 1; ld.shared.u32 %r5, [%r6]; "
     "red.add.u32 [%rd1], %r5;",
     Parallel::yes},
    {"two_kinds_at_one_word", "red.global.add.u32 [%rd1], %r4; red.global.xor.b32 [%rd1], %r4;",
     Parallel::taken_back},
    {"two_widths_at_one_word", "red.global.add.u32 [%rd1], %r4; red.global.add.u64 [%rd1], %rd4;",
     Parallel::taken_back},
    {"all_add_and_one_reads",
     "red.global.add.u32 [%rd1], 1; setp.ne.u32 %p1, %r1, 300; @%p1 bra DONE; ld.global.u32 %r5, [%rd1]; "
     "st.global.u32 [%rd2+64], %r5; DONE:",
     Parallel::taken_back},
    {"all_add_and_one_stores",
     "red.global.add.u32 [%rd1], 1; setp.ne.u32 %p1, %r1, 300; @%p1 bra DONE; st.global.u32 [%rd1], %r1; "
     "DONE:",
     Parallel::taken_back},
    {"adds_floats", "red.global.add.f32 [%rd1], 0f3DCCCCCD;", Parallel::no},
    {"adds_with_an_order", "red.release.gpu.global.add.u32 [%rd1], 1;", Parallel::no},
    {"adds_as_a_block_sees_it", "red.relaxed.cta.global.add.u32 [%rd1], 1;", Parallel::no},
};

std::string module_text() {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n";
  for (const Kernel& kernel : kKernels)
    text += std::string(".visible .entry ") + kernel.name +
            "(.param .u64 data) {\n"
            ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<6>; .shared .align 4 .b8 words[256];\n"
            "ld.param.u64 %rd1, [data]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
            "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd2, %rd1, %rd4;\n"
            "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd3, %rd1, %rd5;\n" +
            kernel.body + "\nret;\n}\n";
  return text;
}

struct Outcome {
  std::string record;
  std::vector<std::byte> bytes;
  bool in_parallel = false;
};

/// Every kernel, one after the other on one device, so that each finds what the others left in L2.
std::vector<Outcome> run_all(unsigned cores, bool races, bool model) {
  Session session(small_gpu(4), cores);
  auto module = load_module(module_text(), session.variables());
  EXPECT_TRUE(module) << module.error().what;
  const DeviceAddress data = session.buffers().begin;
  std::vector<std::byte> zeros(kArrayBytes + 4096);
  EXPECT_TRUE(session.place("data", data, zeros.size(), zeros));
  std::vector<Outcome> outcomes;
  for (const Kernel& kernel : kKernels) {
    LaunchOp op{kernel.name, {kBlocks, 1, 1}, {kThreads, 1, 1}, 0, false, {}};
    op.arguments.resize(8);
    std::memcpy(op.arguments.data(), &data, 8);
    LaunchSettings settings;
    settings.races = races;
    settings.model = model;
    settings.max_warp_instructions = 300'000;
    const auto program = (*module)->program(kernel.name);
    EXPECT_TRUE(program) << program.error().what;
    LaunchOutcome outcome = session.launch(**module, **program, op, settings);
    Outcome& kept = outcomes.emplace_back();
    kept.record = launch_to_json(outcome.record);
    kept.in_parallel = outcome.in_parallel;
    const auto* first = GlobalMemory::data(data);
    kept.bytes.assign(first, first + zeros.size());
  }
  return outcomes;
}

TEST(Cores, NoResultDependsOnTheirNumber) {
  for (const bool races : {false, true})
    for (const bool model : {false, true}) {
      const auto one = run_all(1, races, model);
      for (const unsigned cores : {2u, 5u}) {
        const auto several = run_all(cores, races, model);
        for (std::size_t i = 0; i < one.size(); ++i) {
          SCOPED_TRACE(std::string(kKernels[i].name) + " on " + std::to_string(cores) + " cores");
          EXPECT_FALSE(one[i].in_parallel);
          EXPECT_EQ(several[i].record, one[i].record);
          EXPECT_TRUE(several[i].bytes == one[i].bytes);
        }
      }
    }
}

TEST(Cores, BlocksRunSideBySideWhereNobodyCanTell) {
  const auto outcomes = run_all(2, true, true);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (kKernels[i].parallel == Parallel::taken_back) continue;
    EXPECT_EQ(outcomes[i].in_parallel, kKernels[i].parallel == Parallel::yes) << kKernels[i].name;
  }
}

// A few blocks of a million warp instructions, all of which read the same 4 MiB: were they to take turns on
// one core, one would find in L2 what another has just read.
TEST(Cores, LongBlocksFindTheSameInTheModelledCaches) {
  constexpr std::uint32_t kLongBlocks = 4, kBytes = 4 << 20;
  const auto dram_bytes_on = [](unsigned cores) {
    GpuProfile gpu = small_gpu(1);
    gpu.l2_bytes = gpu.l2_effective_bytes = kBytes / 2;
    Session session(gpu, cores);
    auto module = load_module(
        R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry reads_all(.param .u64 data) {
.reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
mov.u32 %r1, %ctaid.x; setp.ge.u32 %p2, %r1, 4; @%p2 bra DONE;
ld.param.u64 %rd1, [data]; mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 992; cvt.u64.u32 %rd3, %r2;
add.u64 %rd1, %rd1, %rd3; mov.u32 %r3, 0;
AGAIN: mul.wide.u32 %rd4, %r3, 1024; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r5, [%rd5]; bar.sync 0;
add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 4096; @%p1 bra AGAIN;
DONE: ret;
})",
        session.variables());
    EXPECT_TRUE(module) << module.error().what;
    const DeviceAddress data = session.buffers().begin;
    const std::vector<std::byte> zeros(kBytes);
    EXPECT_TRUE(session.place("data", data, zeros.size(), zeros));
    LaunchOp op{"reads_all", {64, 1, 1}, {1024, 1, 1}, 0, false, std::vector<std::byte>(8)};
    std::memcpy(op.arguments.data(), &data, 8);
    LaunchSettings settings;
    settings.model = true;
    const auto program = (*module)->program("reads_all");
    EXPECT_TRUE(program) << program.error().what;
    const LaunchOutcome outcome = session.launch(**module, **program, op, settings);
    EXPECT_EQ(outcome.ending, Ending::complete);
    EXPECT_EQ(outcome.in_parallel, cores > 1);
    return outcome.record.model ? outcome.record.model->dram_read_bytes : 0;
  };
  const std::uint64_t whole = dram_bytes_on(2);
  EXPECT_EQ(whole, std::uint64_t{kLongBlocks} * kBytes);
  EXPECT_EQ(dram_bytes_on(1), whole);
}

// What is known of a kernel is not believed of another one that comes to lie where it lay: a sum over all
// blocks that was taken for independent stores came out twice as large.
TEST(Cores, KernelsThatAreGoneAreForgotten) {
  Simulator simulator(small_gpu(4), 2);
  const DeviceAddress data = simulator.address_range().begin;
  const std::vector<std::byte> zeros(kArrayBytes + 4096);
  for (int round = 0; round < 200; ++round) {
    const bool adds = round % 3 == 2;
    ModuleImage module;
    module.ptx =
        "// " + std::to_string(round) +
        "\n.version 8.6\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 data) {\n"
        ".reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [data];\n"
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 64, %r2;\n"
        "mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;\n" +
        std::string(adds ? "red.global.add.u32 [%rd1], 1;" : "st.global.u32 [%rd3], %r3;") + "\nret;\n}\n";
    LaunchOp op{"kernel", {kBlocks, 1, 1}, {kThreads, 1, 1}, 0, false, std::vector<std::byte>(8)};
    std::memcpy(op.arguments.data(), &data, 8);
    LaunchPlan plan;
    plan.ops = {op};
    Buffer buffer;
    buffer.name = "data";
    buffer.address = data;
    buffer.bytes = zeros.size();
    buffer.contents = zeros;
    const auto run = simulator.execute(plan, module, std::span(&buffer, 1), {});
    ASSERT_TRUE(run) << run.error().what;
    std::uint32_t first = 0;
    std::memcpy(&first, run->outputs.at(0).data(), 4);
    ASSERT_EQ(first, adds ? kBlocks * kThreads : 0) << "round " << round;
  }
}

}  // namespace
}  // namespace fusebox::sim
