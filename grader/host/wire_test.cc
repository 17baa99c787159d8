#include "grader/host/wire.h"

#include <gtest/gtest.h>

#include <random>

#include "grader/host/messages.h"

namespace fusebox::wire {
namespace {

std::vector<std::byte> some_bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

LaunchPlan some_plan() {
  LaunchPlan plan;
  plan.ops.push_back(AllocOp{0x7000'0000'0100, 4096});
  plan.ops.push_back(MemsetOp{0x7000'0000'0100, 64, 0xff});
  plan.ops.push_back(CopyOp{16, 0, 3, "table", some_bytes({1, 2, 3})});
  plan.ops.push_back(CopyOp{0x7000'0000'0200, 0x7000'0000'0100, 64, "", {}});
  plan.ops.push_back(LaunchOp{"_Z4normPf", {1, 2, 3}, {4, 5, 6}, 1024, true, some_bytes({9, 8, 7, 255})});
  plan.ops.emplace_back(FreeOp{0x7000'0000'0100});
  plan.order = {{OpOrder::kHost, {}}, {0, {}}, {1, {}}, {1, {1}}, {2, {1, 3}}, {OpOrder::kHost, {}}};
  return plan;
}

RecordRequest some_request() {
  RecordRequest request;
  request.library = "/tmp/x y.so";
  request.function = "_Z1fv";
  request.arguments = {{HostArgument::Kind::pointer, 0xdeadbeef00},
                       {HostArgument::Kind::float32, 0x3f800000},
                       {HostArgument::Kind::host_array, 0, {std::byte{7}, std::byte{9}}}};
  request.kernels = {{"_Z4normPf", {{0, 8}, {8, 4}}, 12, 40, 512, 256}};
  request.allocations = {0x1000, ~0ull};
  request.gpu.name = "h200";
  request.gpu.full_name = "NVIDIA H200";
  request.gpu.sms = 131;
  request.gpu.l2_bytes = 50ull << 20;
  request.gpu.clock_hz = 1.98e9;
  request.gpu.launch_overhead_s = 2.5e-6;
  return request;
}

enum class Colour : std::uint8_t { red, green };
struct Part {
  std::int32_t number = 0;
  bool yes = false;
};
struct Whole {
  Colour colour = Colour::red;
  double ratio = 0;
  std::string text;
  std::filesystem::path path;
  std::vector<std::byte> bytes;
  std::vector<Part> parts;
  std::vector<std::vector<double>> table;
};
auto members(auto& s, const Part&) { return std::tie(s.number, s.yes); }
auto members(auto& s, const Whole&) {
  return std::tie(s.colour, s.ratio, s.text, s.path, s.bytes, s.parts, s.table);
}

// All that a message of either process can be made of.
TEST(Wire, MessagesComeBackWholeOrNotAtAll) {
  const Whole sent{Colour::green, 0.5, "a b", "/x y", some_bytes({1, 0, 2}), {{-7, true}, {8, false}},
                   {{}, {1, 2}}};
  const std::vector<std::byte> bytes = encoded(sent);
  const auto back = decoded<Whole>(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->colour, Colour::green);
  EXPECT_EQ(back->ratio, 0.5);
  EXPECT_EQ(back->text, sent.text);
  EXPECT_EQ(back->path, sent.path);
  EXPECT_EQ(back->bytes, sent.bytes);
  ASSERT_EQ(back->parts.size(), 2u);
  EXPECT_EQ(back->parts[0].number, -7);
  EXPECT_TRUE(back->parts[0].yes);
  EXPECT_EQ(back->table, sent.table);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decoded<Whole>(std::span(bytes).first(size))) << size;
  std::vector<std::byte> more = bytes;
  more.push_back(std::byte{0});
  EXPECT_FALSE(decoded<Whole>(more));
  EXPECT_FALSE(decoded<Part>(some_bytes({1, 0, 0, 0, 2}))) << "a bool is 0 or 1";
}

TEST(Wire, OrdersThatCannotBeAreRefused) {
  LaunchPlan plan = some_plan();
  plan.order[2].after = {2};  // waits for itself
  EXPECT_FALSE(decode_plan(encoded(plan)));
  plan.order[2].after = {};
  EXPECT_TRUE(decode_plan(encoded(plan)));
  plan.done_for_the_caller = {static_cast<std::uint32_t>(plan.ops.size())};
  EXPECT_FALSE(decode_plan(encoded(plan))) << "there is no such operation";
  plan.done_for_the_caller = {0};
  plan.of_calls_before = plan.ops.size() + 1;
  EXPECT_FALSE(decode_plan(encoded(plan)));
  plan.of_calls_before = plan.ops.size();
  EXPECT_TRUE(decode_plan(encoded(plan)));
  plan.order.pop_back();
  EXPECT_FALSE(decode_plan(encoded(plan)));
}

TEST(Wire, PlanComesBackAsItWas) {
  const std::vector<std::byte> bytes = encoded(some_plan());
  const std::optional<LaunchPlan> plan = decode_plan(bytes);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->ops.size(), 6u);
  EXPECT_EQ(encoded(*plan), bytes);
  const auto& copy = std::get<CopyOp>(plan->ops[2]);
  EXPECT_EQ(copy.to, 16u);
  EXPECT_EQ(copy.symbol, "table");
  EXPECT_EQ(copy.host_bytes, some_bytes({1, 2, 3}));
  EXPECT_EQ(plan->order, some_plan().order);
  const auto& launch = std::get<LaunchOp>(plan->ops[4]);
  EXPECT_EQ(launch.kernel, "_Z4normPf");
  EXPECT_EQ(launch.grid, (Dim3{1, 2, 3}));
  EXPECT_EQ(launch.block, (Dim3{4, 5, 6}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 1024u);
  EXPECT_TRUE(launch.cooperative);
  EXPECT_EQ(launch.arguments, some_bytes({9, 8, 7, 255}));
}

TEST(Wire, RequestComesBackAsItWas) {
  const std::vector<std::byte> bytes = encode(some_request());
  const std::optional<RecordRequest> request = decode_request(bytes);
  ASSERT_TRUE(request);
  EXPECT_EQ(encode(*request), bytes);
  EXPECT_EQ(request->library, "/tmp/x y.so");
  EXPECT_EQ(request->arguments.at(1).kind, HostArgument::Kind::float32);
  EXPECT_EQ(request->arguments.at(1).bits, 0x3f800000u);
  EXPECT_EQ(request->arguments.at(2).bytes, (std::vector{std::byte{7}, std::byte{9}}));
  EXPECT_EQ(request->kernels.at(0).slots.at(1).offset, 8u);
  EXPECT_EQ(request->kernels.at(0).max_threads, 256);
  EXPECT_EQ(request->allocations.bytes, ~0ull);
  EXPECT_EQ(request->gpu.sms, 131);
  EXPECT_EQ(request->gpu.clock_hz, 1.98e9);
  EXPECT_EQ(request->gpu.launch_overhead_s, 2.5e-6);
}

TEST(Wire, TruncationAtEveryByteIsRefused) {
  const std::vector<std::byte> plan = encoded(some_plan());
  for (std::size_t size = 0; size < plan.size(); ++size)
    EXPECT_FALSE(decode_plan(std::span(plan).first(size))) << size;
  const std::vector<std::byte> request = encode(some_request());
  for (std::size_t size = 0; size < request.size(); ++size)
    EXPECT_FALSE(decode_request(std::span(request).first(size))) << size;
}

TEST(Wire, LeftoversAreRefused) {
  std::vector<std::byte> bytes = encoded(some_plan());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_plan(bytes));
}

TEST(Wire, GarbageIsRefusedOrReadWithoutHarm) {
  std::mt19937 random(20);
  const std::vector<std::byte> good = encoded(some_plan());
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes = good;
    if (round % 2) {
      bytes.resize(random() % 200);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    } else {
      for (int flips = 0; flips < 4; ++flips)
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    if (const std::optional<LaunchPlan> plan = decode_plan(bytes)) {
      EXPECT_EQ(encoded(*plan), bytes);
    }
    (void)decode_request(bytes);
  }
}

TEST(Wire, LengthsThatCannotBeAllocateNothing) {
  Writer measure({});
  std::vector<std::byte> bytes(64);
  Writer writer(bytes);
  writer.number<std::uint64_t>(~0ull);  // of ops
  EXPECT_FALSE(decode_plan(bytes));
  Writer again(bytes);
  again.number<std::uint64_t>(1);
  again.number<std::uint8_t>(4);            // a launch ...
  again.number<std::uint64_t>(1ull << 60);  // ... whose kernel has a very long name
  EXPECT_FALSE(decode_plan(bytes));
}

TEST(Wire, WriterCountsOnWhenFull) {
  std::vector<std::byte> bytes(4, std::byte{7});
  Writer writer(bytes);
  writer.number<std::uint32_t>(1);
  EXPECT_TRUE(writer.fits());
  writer.text("abc");
  EXPECT_FALSE(writer.fits());
  EXPECT_EQ(writer.size(), 15u);
  EXPECT_EQ(bytes, some_bytes({1, 0, 0, 0}));
}

}  // namespace
}  // namespace fusebox::wire
