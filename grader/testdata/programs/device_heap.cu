// malloc, free, new and delete in kernels: pieces outlive a launch, have bounds, and are given back once.
//# exit 1
//# stdout 28 0 45
//# fault out-of-bounds 47
//# fault uninitialised-read 48
//# fault out-of-bounds 50
//# fault bad-free 51
//# says in the device's heap, outside its live pieces
//# launch make grid=1 block=8
#include <cstdio>

struct Shape {
  __device__ virtual int corners() const = 0;
  __device__ virtual ~Shape() {}
};
struct Polygon : Shape {
  int n;
  __device__ explicit Polygon(int corners) : n(corners) {}
  __device__ int corners() const override { return n; }
};

__global__ void make(Shape** shapes) { shapes[threadIdx.x] = new Polygon(threadIdx.x); }
__global__ void count(Shape** shapes, int* total) { atomicAdd(total, shapes[threadIdx.x]->corners()); }
__global__ void drop(Shape** shapes) { delete shapes[threadIdx.x]; }

__global__ void too_much(int* total) { *total = malloc(9 << 20) != nullptr; }

__global__ void list(int* total) {
  struct Link {
    int value;
    Link* next;
  }* head = nullptr;
  for (int i = 0; i < 10; ++i) head = new Link{i, head};
  *total = 0;
  while (head != nullptr) {
    *total += head->value;
    Link* next = head->next;
    delete head;
    head = next;
  }
}

__global__ void wrong(int* total) {
  int* piece = static_cast<int*>(malloc(4 * sizeof(int)));
  piece[0] = 1;
  piece[3] = 2;
  piece[threadIdx.x + 4] = 3;
  *total = piece[threadIdx.x + 1];
  free(piece);
  *total += piece[threadIdx.x];
  free(piece);
}

int main() {
  Shape** shapes;
  int* total;
  cudaMalloc(&shapes, 8 * sizeof *shapes);
  cudaMalloc(&total, 3 * sizeof(int));
  cudaMemset(total, 0, 3 * sizeof(int));
  make<<<1, 8>>>(shapes);
  count<<<1, 8>>>(shapes, total);
  drop<<<1, 8>>>(shapes);
  too_much<<<1, 1>>>(total + 1);
  list<<<1, 1>>>(total + 2);
  int host[3];
  cudaMemcpy(host, total, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", host[0], host[1], host[2]);
  wrong<<<1, 1>>>(total);
  cudaDeviceSynchronize();
}
