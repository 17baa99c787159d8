#include <iterator>

#include "grader/report/json/json.h"

namespace fusebox {
namespace {

#define FUSEBOX_FIELD(key, field, newer, older)                                            \
  CounterField {                                                                           \
    key, [](Counters& counters) -> std::uint64_t& { return counters.field; }, newer, older \
  }
#define FUSEBOX_COUNTER(key, field) FUSEBOX_FIELD(key, field, false, nullptr)
#define FUSEBOX_NEWER_COUNTER(key, field) FUSEBOX_FIELD(key, field, true, nullptr)
#define FUSEBOX_RENAMED_COUNTER(key, field, older) FUSEBOX_FIELD(key, field, false, older)

constexpr CounterField kFields[] = {
    FUSEBOX_COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", global_load.requests),
    FUSEBOX_COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", global_load.sectors),
    FUSEBOX_COUNTER("global.load.lines", global_load.lines),
    FUSEBOX_COUNTER("global.load.useful_bytes", global_load.useful_bytes),
    FUSEBOX_COUNTER("global.load.ideal_sectors", global_load.ideal_sectors),
    FUSEBOX_COUNTER("global.load.lanes", global_load.lanes),
    FUSEBOX_COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", global_store.requests),
    FUSEBOX_COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", global_store.sectors),
    FUSEBOX_COUNTER("global.store.lines", global_store.lines),
    FUSEBOX_COUNTER("global.store.useful_bytes", global_store.useful_bytes),
    FUSEBOX_COUNTER("global.store.ideal_sectors", global_store.ideal_sectors),
    FUSEBOX_COUNTER("global.store.lanes", global_store.lanes),
    FUSEBOX_COUNTER("global.atomic.requests", global_atomic.requests),
    FUSEBOX_COUNTER("global.atomic.sectors", global_atomic.sectors),
    FUSEBOX_COUNTER("global.atomic.lanes", global_atomic.lanes),
    FUSEBOX_COUNTER("global.atomic.most_lanes_on_one_address", global_atomic.max_lanes_on_one_address),
    FUSEBOX_COUNTER("shared.atomic.requests", shared_atomic.requests),
    FUSEBOX_COUNTER("shared.atomic.sectors", shared_atomic.sectors),
    FUSEBOX_COUNTER("shared.atomic.lanes", shared_atomic.lanes),
    FUSEBOX_COUNTER("shared.atomic.most_lanes_on_one_address", shared_atomic.max_lanes_on_one_address),
    FUSEBOX_NEWER_COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", global_red.requests),
    FUSEBOX_NEWER_COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", global_red.sectors),
    FUSEBOX_NEWER_COUNTER("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", global_atom.requests),
    FUSEBOX_NEWER_COUNTER("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", global_atom.sectors),
    FUSEBOX_COUNTER("shared.load.requests", shared_load.requests),
    FUSEBOX_RENAMED_COUNTER("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", shared_load.wavefronts,
                            "shared.load.wavefronts"),
    FUSEBOX_COUNTER("shared.load.ideal_wavefronts", shared_load.ideal_wavefronts),
    FUSEBOX_COUNTER("shared.load.lanes", shared_load.lanes),
    FUSEBOX_COUNTER("shared.store.requests", shared_store.requests),
    FUSEBOX_RENAMED_COUNTER("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", shared_store.wavefronts,
                            "shared.store.wavefronts"),
    FUSEBOX_COUNTER("shared.store.ideal_wavefronts", shared_store.ideal_wavefronts),
    FUSEBOX_COUNTER("shared.store.lanes", shared_store.lanes),
    FUSEBOX_NEWER_COUNTER("smsp__inst_executed_op_shared_ld.sum", shared_load_instructions),
    FUSEBOX_NEWER_COUNTER("smsp__inst_executed_op_shared_st.sum", shared_store_instructions),
    FUSEBOX_NEWER_COUNTER("global.waiting.sectors", waiting_sectors),
    FUSEBOX_NEWER_COUNTER("global.waiting.atomics", waiting_atomics),
    FUSEBOX_NEWER_COUNTER("bulk.load.sectors", bulk.load_sectors),
    FUSEBOX_NEWER_COUNTER("bulk.store.sectors", bulk.store_sectors),
    FUSEBOX_NEWER_COUNTER("bulk.reduce.sectors", bulk.reduce_sectors),
    FUSEBOX_RENAMED_COUNTER("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", local_load_requests,
                            "local.load.requests"),
    FUSEBOX_RENAMED_COUNTER("l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", local_store_requests,
                            "local.store.requests"),
    FUSEBOX_COUNTER("bytes.compulsory.read", compulsory_read_bytes),
    FUSEBOX_COUNTER("bytes.compulsory.write", compulsory_write_bytes),
    FUSEBOX_COUNTER("ptx.warp_instructions", warp_instructions),
    FUSEBOX_COUNTER("ptx.lane_instructions", lane_instructions),
    FUSEBOX_COUNTER("ptx.flops", flops),
    FUSEBOX_NEWER_COUNTER("ptx.matrix_flops", matrix_flops),
    FUSEBOX_COUNTER("ptx.special_functions", special_functions),
    FUSEBOX_COUNTER("ptx.branches", branches),
    FUSEBOX_COUNTER("ptx.divergent_branches", divergent_branches),
    FUSEBOX_COUNTER("ptx.barriers", barriers),
};
#undef FUSEBOX_FIELD
#undef FUSEBOX_COUNTER
#undef FUSEBOX_NEWER_COUNTER
#undef FUSEBOX_RENAMED_COUNTER

// A counter that is added to the struct and forgotten here would silently vanish from reports.
static_assert(std::size(kFields) * sizeof(std::uint64_t) == sizeof(Counters));

}  // namespace

std::span<const CounterField> counter_fields() { return kFields; }

}  // namespace fusebox
