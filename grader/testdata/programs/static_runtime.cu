//# flags --cudart static
//# exit 1
//# says rebuild it: nvcc --cudart shared
__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); }
