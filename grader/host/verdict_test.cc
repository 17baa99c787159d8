#include "grader/host/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>

#include "grader/host/channel.h"
#include "grader/host/messages.h"

namespace fusebox {
namespace {

using testing::HasSubstr;

/// A channel as a recorder program might leave it.
class Channel {
 public:
  Channel() : file_(memfd_create("verdict-test", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(file_.get(), static_cast<off_t>(channel::total_bytes(kRequestBytes))), 0);
    put(channel::Scratch{}, 0);
  }
  template <class T>
  void put(const T& value, std::size_t offset) {
    put_bytes(std::as_bytes(std::span(&value, 1)), offset);
  }
  void put_bytes(std::span<const std::byte> bytes, std::size_t offset) {
    EXPECT_EQ(pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
  }
  void answer(channel::AnswerHead head, std::span<const std::byte> body = {}) {
    put(head, channel::answer_offset(kRequestBytes));
    put_bytes(body, channel::answer_offset(kRequestBytes) + sizeof head);
  }
  RecordResult outcome(ChildEnd end) const {
    return read_outcome(file_.get(), kRequestBytes, std::move(end), request(), {});
  }

  static RecordRequest request() {
    RecordRequest request;
    request.kernels = {{"_Z1kPf", {{0, 8}}, 8}};
    request.allocations = {1 << 20, 1 << 20};
    return request;
  }
  static constexpr std::size_t kRequestBytes = 5000;

 private:
  Descriptor file_;
};

ChildEnd exited(int code) {
  ChildEnd end;
  end.exited = true;
  end.code = code;
  return end;
}
ChildEnd killed(int signal) {
  ChildEnd end;
  end.code = signal;
  return end;
}

std::vector<std::byte> encoded(const LaunchPlan& plan) {
  std::vector<std::byte> bytes(4096);
  wire::Writer writer(bytes);
  wire::put(writer, plan);
  bytes.resize(writer.size());
  return bytes;
}

LaunchPlan good_plan() {
  LaunchPlan plan;
  plan.ops = {AllocOp{(1 << 20) + 256, 512}, LaunchOp{"_Z1kPf", {}, {}, 0, false, std::vector<std::byte>(8)}};
  return plan;
}

std::string kind_of(const RecordResult& result) {
  const auto* failure = std::get_if<RecordFailure>(&result);
  return failure ? to_string(failure->kind) : "recorded";
}

std::string kind_of_plan(const LaunchPlan& plan) {
  Channel channel;
  const auto body = encoded(plan);
  channel.answer({channel::kMagic, channel::AnswerKind::plan, body.size()}, body);
  return kind_of(channel.outcome(exited(0)));
}

TEST(Verdict, PlansAreTakenOnlyWhenEveryOperationIsPossible) {
  EXPECT_EQ(kind_of_plan({}), "recorded");
  EXPECT_EQ(kind_of_plan(good_plan()), "recorded");
  LaunchPlan plan = good_plan();
  std::get<LaunchOp>(plan.ops[1]).kernel = "_Z5otherPf";
  EXPECT_EQ(kind_of_plan(plan), "garbled");
  plan = good_plan();
  std::get<LaunchOp>(plan.ops[1]).arguments.resize(9);
  EXPECT_EQ(kind_of_plan(plan), "garbled");
  plan = good_plan();
  std::get<AllocOp>(plan.ops[0]).address = 256;
  EXPECT_EQ(kind_of_plan(plan), "garbled");
  plan = good_plan();
  std::get<AllocOp>(plan.ops[0]).bytes = 1 << 20;
  EXPECT_EQ(kind_of_plan(plan), "garbled");
  plan.ops = {CopyOp{256, 0, 100, "", std::vector<std::byte>(4)}};
  EXPECT_EQ(kind_of_plan(plan), "garbled");
}

TEST(Verdict, AHeadThatLiesIsGarbled) {
  const auto body = encoded(good_plan());
  const channel::AnswerHead good{channel::kMagic, channel::AnswerKind::plan, body.size()};
  const auto with = [&](auto edit) {
    channel::AnswerHead head = good;
    edit(head);
    Channel channel;
    channel.answer(head, body);
    return kind_of(channel.outcome(exited(0)));
  };
  EXPECT_EQ(with([](auto&) {}), "recorded");
  EXPECT_EQ(with([](auto& head) { head.magic ^= 1; }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.bytes -= 1; }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.bytes += 1; }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.bytes = ~0ull; }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.bytes = channel::kAnswerBytes - sizeof head; }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.kind = static_cast<channel::AnswerKind>(77); }), "garbled");
  EXPECT_EQ(with([](auto& head) { head.kind = channel::AnswerKind::failure; }), "garbled");
}

std::string bad_end_of(const Channel& channel, const ChildEnd& end) {
  const RecordResult result = channel.outcome(end);
  const auto* recording = std::get_if<Recording>(&result);
  return recording ? recording->bad_end : kind_of(result);
}

TEST(Verdict, APlanStaysWhateverBecomesOfItsProcess) {
  Channel channel;
  const auto body = encoded(good_plan());
  channel.answer({channel::kMagic, channel::AnswerKind::plan, body.size()}, body);
  EXPECT_EQ(bad_end_of(channel, exited(0)), "");
  EXPECT_THAT(bad_end_of(channel, exited(1)), HasSubstr("its process ended with exit status 1."));
  EXPECT_THAT(bad_end_of(channel, killed(SIGSEGV)),
              HasSubstr("its process crashed: Segmentation fault (SIGSEGV)."));
  EXPECT_THAT(bad_end_of(channel, killed(SIGALRM)), HasSubstr("its process did not end."));
  EXPECT_THAT(bad_end_of(channel, killed(SIGXCPU)), HasSubstr("its process did not end."));
  ChildEnd late = killed(SIGKILL);
  late.timed_out = true;
  EXPECT_THAT(bad_end_of(channel, late), HasSubstr("its process did not end."));
  ChildEnd loud = exited(0);
  loud.flooded = true;
  EXPECT_EQ(kind_of(channel.outcome(loud)), "output");
}

TEST(Verdict, WithoutAPlanItIsHowTheProcessEnded) {
  Channel channel;
  EXPECT_EQ(kind_of(channel.outcome(exited(1))), "exit");
  EXPECT_EQ(kind_of(channel.outcome(killed(SIGSEGV))), "crash");
  ChildEnd late = killed(SIGKILL);
  late.timed_out = true;
  EXPECT_EQ(kind_of(channel.outcome(late)), "hang");
}

TEST(Verdict, FailuresOfUnknownKindsAreGarbled) {
  // A process that hangs cannot report it.
  for (const auto& [kind, want] : {std::pair{FailureKind::unsupported, "unsupported"},
                                   {FailureKind::hang, "garbled"},
                                   {FailureKind::none, "garbled"},
                                   {static_cast<FailureKind>(77), "garbled"}}) {
    std::vector<std::byte> body(256);
    wire::Writer writer(body);
    writer.number(kind);
    for (const char* text : {"What.", "Hint."}) writer.text(text);
    Channel channel;
    channel.answer({channel::kMagic, channel::AnswerKind::failure, writer.size()}, body);
    EXPECT_EQ(kind_of(channel.outcome(exited(0))), want);
  }
}

TEST(Verdict, RandomAnswersNeverHarm) {
  std::mt19937 random(4);
  const auto good = encoded(good_plan());
  Channel channel;
  for (int round = 0; round < 3000; ++round) {
    auto body = good;
    for (int flips = 0; flips < 3; ++flips) body[random() % body.size()] = static_cast<std::byte>(random());
    channel.answer({channel::kMagic, channel::AnswerKind(1 + random() % 2), body.size()}, body);
    const std::string kind = kind_of(channel.outcome(exited(0)));
    EXPECT_TRUE(kind == "garbled" || kind == "recorded") << kind;
  }
}

TEST(Verdict, SignalsHaveTheirNames) {
  const auto what = [](int signal) {
    return std::get<RecordFailure>(Channel().outcome(killed(signal))).what;
  };
  EXPECT_THAT(what(SIGSEGV), HasSubstr("segmentation fault (SIGSEGV)"));
  EXPECT_THAT(what(SIGBUS), HasSubstr("bus error (SIGBUS)"));
  EXPECT_THAT(what(SIGABRT), HasSubstr("(SIGABRT)"));
  EXPECT_THAT(what(SIGILL), HasSubstr("(SIGILL)"));
  EXPECT_THAT(what(SIGXCPU), HasSubstr("did not return"));
  EXPECT_THAT(what(SIGSYS), HasSubstr("start a process"));
  EXPECT_THAT(what(SIGRTMIN + 1), HasSubstr("crashed"));
}

}  // namespace
}  // namespace fusebox
