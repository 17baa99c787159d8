#pragma once

// Kernels whose only access to global memory is a bulk copy, run on a GPU by bulk_copies.cu and on the
// simulator by a test that holds it to what the GPU's counters said.

#include <cstdint>
#include <string>
#include <vector>

namespace fusebox::patterns {

/// Takes (memory, bytes); one warp, of which one thread asks for the copy and waits for it.
struct BulkKernel {
  std::string name, ptx;
  bool multicast = false;  ///< in clusters of two blocks, of which one asks
};

inline constexpr std::uint32_t kBulkSharedBytes = 8192;

inline std::vector<BulkKernel> bulk_kernels() {
  const auto kernel = [](const std::string& name, const std::string& attributes, const std::string& body) {
    return BulkKernel{
        name,
        ".visible .entry " + name + "(.param .u64 memory, .param .u32 bytes)" + attributes +
            "\n{\n  .reg .pred %p<3>;\n  .reg .b16 %h;\n  .reg .b32 %r<8>;\n  .reg .b64 %rd<2>;\n"
            "  .shared .align 8 .b64 barrier;\n"
            "  ld.param.u64 %rd0, [memory];\n  ld.param.u32 %r0, [bytes];\n"
            "  mov.u32 %r1, %tid.x;\n  mov.u32 %r2, tile;\n  mov.u32 %r3, barrier;\n" +
            body + "  ret;\n}\n",
        !attributes.empty()};
  };
  const std::string expect =
      "  mbarrier.init.shared.b64 [%r3], 1;\n  fence.mbarrier_init.release.cluster;\n"
      "  mbarrier.arrive.expect_tx.shared.b64 _, [%r3], %r0;\n";
  const std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  const std::string wait =
      "again:\n  mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;\n  @!%p1 bra again;\n";
  const std::string first_alone = "  setp.ne.u32 %p0, %r1, 0;\n  @%p0 bra done;\n", done = "done:\n";
  const std::string meet = "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";
  // Every lane fills its part of the tile first.
  const std::string fill =
      "  shl.b32 %r4, %r1, 2;\n  add.u32 %r5, %r2, %r4;\n"
      "fill:\n  st.shared.u32 [%r5], %r4;\n  add.u32 %r4, %r4, 128;\n  add.u32 %r5, %r5, 128;\n"
      "  setp.lt.u32 %p1, %r4, " +
      std::to_string(kBulkSharedBytes) + ";\n  @%p1 bra fill;\n  bar.sync 0;\n";
  const auto store = [&](const std::string& opcode, const std::string& operation) {
    return fill + first_alone + "  fence.proxy.async;\n  " + opcode +
           ".async.bulk.global.shared::cta.bulk_group" + operation +
           " [%rd0], [%r2], %r0;\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n" + done;
  };
  return {
      kernel("bulk_load", "",
             first_alone + expect + "  " + load + " [%r2], [%rd0], %r0, [%r3];\n" + wait + done),
      kernel("bulk_store", "", store("cp", "")),
      kernel("bulk_reduce_u32", "", store("cp.reduce", ".add.u32")),
      kernel("bulk_reduce_f32", "", store("cp.reduce", ".add.f32")),
      kernel("bulk_multicast", " .explicitcluster .reqnctapercluster 2",
             "  setp.ne.u32 %p0, %r1, 0;\n  @%p0 bra ready;\n" + expect + "ready:\n" + meet +
                 "  mov.u32 %r6, %cluster_ctarank;\n  or.b32 %r6, %r6, %r1;\n  setp.ne.u32 %p2, %r6, 0;\n"
                 "  @%p2 bra asked;\n  mov.u16 %h, 3;\n  " +
                 load + ".multicast::cluster [%r2], [%rd0], %r0, [%r3], %h;\nasked:\n  @%p0 bra done;\n" +
                 wait + done + meet),
  };
}

inline std::string bulk_module(const std::vector<BulkKernel>& kernels) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 128 .b8 tile[];\n";
  for (const BulkKernel& kernel : kernels) text += kernel.ptx;
  return text;
}

struct BulkPlace {
  std::uint32_t bytes = 0, offset = 0;  ///< offset: of the memory, in bytes
};
inline std::vector<BulkPlace> bulk_places() {
  return {{16, 0},  {16, 16},  {32, 16},  {48, 16},   {112, 16},
          {128, 0}, {144, 96}, {1024, 0}, {1024, 16}, {8192, 0}};
}

}  // namespace fusebox::patterns
