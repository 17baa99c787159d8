// Machine code of sm_90a alone: there is no PTX to run.
//# flags -gencode arch=compute_90a,code=sm_90a
//# exit 1
//# says machine code only
//# says code=compute_90a
__global__ void nothing() { asm volatile("wgmma.fence.sync.aligned;"); }
int main() { nothing<<<1, 128>>>(); }
