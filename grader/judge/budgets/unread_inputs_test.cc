#include "grader/judge/budgets/unread_inputs.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

Tensor tensor(std::string name, Role role, std::int64_t count) {
  Tensor made;
  made.name = std::move(name), made.role = role, made.shape = {count};
  return made;
}

LaunchRecord reads(std::initializer_list<std::pair<const char*, std::uint64_t>> bytes) {
  LaunchRecord launch;
  for (const auto& [name, count] : bytes) {
    TensorTraffic traffic;
    traffic.tensor = name, traffic.compulsory_read = count;
    launch.tensors.push_back(traffic);
  }
  return launch;
}

TEST(UnreadInput, NamesTheTensorAndHowMuchWasRead) {
  Tensor x = tensor("x", Role::in, 1024), table = tensor("table", Role::in, 1024);
  const Tensor state = tensor("m", Role::inout, 8), out = tensor("out", Role::out, 1024);
  table.used = 256;
  const std::vector<const Tensor*> all = {&x, &table, &state, &out};
  struct Row {
    std::vector<LaunchRecord> launches;
    std::string says;
  } rows[] = {
      {{reads({{"x", 4096}, {"table", 1024}, {"m", 32}})}, ""},
      {{reads({{"x", 2048}}), reads({{"x", 2048}, {"table", 1024}, {"m", 32}})}, ""},
      {{}, "`x` is never read, so it cannot have been used"},
      {{reads({{"x", 1024}, {"table", 1024}, {"m", 32}})},
       "of `x` only 1.00 KiB of 4.00 KiB are ever read: the rest cannot have been used"},
      {{reads({{"x", 4096}, {"table", 1024}})}, "`m` is never read, so it cannot have been used"},
      {{reads({{"x", 4096}, {"table", 992}, {"m", 32}})},
       "of `table` only 992 B of 1.00 KiB are ever read: the rest cannot have been used"},
  };
  for (const Row& row : rows) EXPECT_EQ(unread_input(all, row.launches), row.says);
}

}  // namespace
}  // namespace fusebox
