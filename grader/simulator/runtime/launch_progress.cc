#include "grader/simulator/runtime/launch_progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>

#include "grader/report/text/format.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kLongMs = 1000;

/// Of a clock that all processes share.
std::uint64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

}  // namespace

struct LaunchProgress::Page {
  std::atomic<std::uint64_t> number = 0;  ///< of the launch; 0: none
  std::atomic<std::uint64_t> began_ms = 0, blocks = 0, blocks_done = 0;
  std::array<char, 96> kernel{};
};

LaunchProgress::LaunchProgress(const std::string& path) {
  const bool own = path.empty();
  file_ = own ? memfd_create("fusebox-progress", MFD_CLOEXEC) : open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file_ < 0 || (own && ftruncate(file_, sizeof(Page)) != 0)) return;
  void* at = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) return;
  page_ = own ? new (at) Page : static_cast<Page*>(at);
}

LaunchProgress::~LaunchProgress() {
  if (page_ != nullptr) munmap(page_, sizeof(Page));
  if (file_ >= 0) close(file_);
}

std::string LaunchProgress::path() const {
  return page_ == nullptr ? "" : "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

void LaunchProgress::begin(std::uint64_t number, const std::string& kernel, std::uint64_t blocks) {
  if (page_ == nullptr) return;
  const std::size_t kept = std::min(kernel.size(), page_->kernel.size() - 1);
  std::memcpy(page_->kernel.data(), kernel.data(), kept);
  page_->kernel[kept] = '\0';
  page_->blocks = blocks;
  page_->blocks_done = 0;
  page_->began_ms = now_ms();
  page_->number = number;
}

void LaunchProgress::end() {
  if (page_ != nullptr) page_->number = 0;
}

std::atomic<std::uint64_t>* LaunchProgress::blocks_done() {
  return page_ == nullptr ? nullptr : &page_->blocks_done;
}

std::string LaunchProgress::line() const {
  if (page_ == nullptr) return "";
  const std::uint64_t number = page_->number, now = now_ms(), began = page_->began_ms;
  if (number == 0 || now < began + kLongMs) return "";
  std::array<char, 96> kernel = page_->kernel;
  kernel.back() = '\0';
  const std::uint64_t blocks = std::max<std::uint64_t>(page_->blocks, 1),
                      done = std::min<std::uint64_t>(page_->blocks_done, blocks);
  if (page_->number != number) return "";  // what was read may be of two launches
  return "launch " + format_count(number) + ", kernel " + kernel.data() + ": " +
         std::to_string(100 * done / blocks) + " % of " + format_count(blocks) + " blocks after " +
         std::to_string((now - began) / 1000) + " s";
}

}  // namespace fusebox::sim
