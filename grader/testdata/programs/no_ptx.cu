//# flags -gencode arch=compute_80,code=sm_80
//# exit 1
//# says machine code only
//# says code=compute_80
__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); }
