// Textures and surfaces, each against what the host works out; a wrong answer prints its line and ends with 7.
//# exit 1
//# stdout all right
//# fault out-of-bounds 48
//# fault uninitialised-read 30
//# fault bad-texture 30
//# says is no texture or surface
//# launch fetch grid=1 block=256 l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum=0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call) check((call), cudaSuccess, #call, __LINE__)
#define FAILS(error, call) check((call), (error), #call, __LINE__)
#define TRUE(condition) ((condition) ? void() : wrong(#condition, __LINE__))

void wrong(const char* what, int line) {
  std::printf("line %d: %s\n", line, what);
  std::exit(7);
}
void check(cudaError_t got, cudaError_t expected, const char* call, int line) {
  if (got == expected) return;
  std::printf("line %d: %s is %s, not %s\n", line, call, cudaGetErrorName(got), cudaGetErrorName(expected));
  std::exit(7);
}

__global__ void fetch(cudaTextureObject_t x, float* out) { out[threadIdx.x] = tex1Dfetch<float>(x, threadIdx.x + 1); }
__global__ void sample(cudaTextureObject_t x, const float2* at, float* out) {
  out[threadIdx.x] = tex2D<float>(x, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void bytes(cudaTextureObject_t x, float4* out) {
  out[threadIdx.x] = tex2D<float4>(x, threadIdx.x, 1);
}
__global__ void layers(cudaTextureObject_t x, int2* out) {
  out[threadIdx.x] = tex2DLayered<int2>(x, threadIdx.x, 2, threadIdx.x);
}
__global__ void volume(cudaTextureObject_t x, float* out) {
  out[threadIdx.x] = tex3D<float>(x, 1.5f, 2, threadIdx.x + 0.5f);
}
__global__ void doubled(cudaSurfaceObject_t x) {
  ushort2 value;
  surf2Dread(&value, x, threadIdx.x * 4, 1);
  value.x *= 2;
  surf2Dwrite(value, x, threadIdx.x * 4, 1);
  if (surf2Dread<ushort2>(x, -4, 0, cudaBoundaryModeZero).x != 0) __trap();
}
__global__ void too_far(cudaSurfaceObject_t x) { surf2Dwrite(make_ushort2(1, 2), x, 8 * 4, 1); }

float host_sample(const std::vector<float>& image, int width, int height, float x, float y, int edge) {
  x = x * width - 0.5f, y = y * height - 0.5f;
  const auto texel = [&](int i, int j) {
    const auto place = [&](int k, int n) {
      if (edge == cudaAddressModeWrap) return (k % n + n) % n;
      if (edge == cudaAddressModeMirror) return k < 0 ? -1 - k : k >= n ? 2 * n - 1 - k : k;
      if (edge == cudaAddressModeBorder && (k < 0 || k >= n)) return -1;
      return k < 0 ? 0 : k >= n ? n - 1 : k;
    };
    i = place(i, width), j = place(j, height);
    return i < 0 || j < 0 ? 9.0f : image[j * width + i];
  };
  const int i = std::floor(x), j = std::floor(y);
  const float a = std::nearbyint((x - i) * 256) / 256, b = std::nearbyint((y - j) * 256) / 256;
  return (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) + (1 - a) * b * texel(i, j + 1) +
         a * b * texel(i + 1, j + 1);
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureAddressMode edge,
                               bool normalised) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc reading = {};
  for (auto& mode : reading.addressMode) mode = edge;
  reading.filterMode = filter;
  reading.normalizedCoords = normalised;
  for (float& channel : reading.borderColor) channel = 9;
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
  return texture;
}

int main() {
  float* out;
  OK(cudaMalloc(&out, 4096));
  std::vector<float> back(1024);
  std::vector<float> line(256);
  for (int i = 0; i < 256; ++i) line[i] = i * 0.5f;
  float* on_device;
  OK(cudaMalloc(&on_device, 1024));
  OK(cudaMemcpy(on_device, line.data(), 1024, cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = on_device;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = 1024;
  cudaTextureDesc plain = {};
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &linear, &plain, nullptr));
  fetch<<<1, 256>>>(texture, out);
  OK(cudaMemcpy(back.data(), out, 1024, cudaMemcpyDeviceToHost));
  TRUE(back[3] == 2 && back[255] == 0);  // past the end is 0

  constexpr int kWidth = 16, kHeight = 8;
  std::vector<float> image(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = (i * 37 % 101) / 101.0f;
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  OK(cudaMallocArray(&array, &floats, kWidth, kHeight));
  OK(cudaMemcpy2DToArray(array, 0, 0, image.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  std::vector<float2> at(256);
  for (int i = 0; i < 256; ++i) at[i] = {(i % 16 - 3) * 0.1013f, (i / 16 - 3) * 0.0977f};
  float2* places;
  OK(cudaMalloc(&places, 2048));
  OK(cudaMemcpy(places, at.data(), 2048, cudaMemcpyHostToDevice));
  for (cudaTextureAddressMode edge :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    texture = texture_of(array, cudaFilterModeLinear, edge, true);
    sample<<<1, 256>>>(texture, places, out);
    OK(cudaMemcpy(back.data(), out, 1024, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; ++i)
      TRUE(std::fabs(back[i] - host_sample(image, kWidth, kHeight, at[i].x, at[i].y, edge)) < 0.02f);
    OK(cudaDestroyTextureObject(texture));
  }

  std::vector<uchar4> pixels(3 * 8);
  for (int i = 0; i < 24; ++i) pixels[i] = uchar4{(unsigned char)(i * 10), 255, 0, 51};
  uchar4* rows;
  std::size_t pitch;
  OK(cudaMallocPitch(&rows, &pitch, 32, 3));
  OK(cudaMemcpy2D(rows, pitch, pixels.data(), 32, 32, 3, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {rows, cudaCreateChannelDesc<uchar4>(), 8, 3, pitch};
  cudaTextureDesc unit = {};
  unit.readMode = cudaReadModeNormalizedFloat;
  OK(cudaCreateTextureObject(&texture, &pitched, &unit, nullptr));
  bytes<<<1, 8>>>(texture, reinterpret_cast<float4*>(out));
  OK(cudaMemcpy(back.data(), out, 128, cudaMemcpyDeviceToHost));
  TRUE(back[4 * 5] == 130 / 255.0f && back[1] == 1 && back[2] == 0 && back[3] == 0.2f);
  unit.filterMode = cudaFilterModeLinear;
  unit.readMode = cudaReadModeElementType;
  FAILS(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&texture, &pitched, &unit, nullptr));

  cudaChannelFormatDesc pairs = cudaCreateChannelDesc<int2>();
  cudaArray_t stack;
  OK(cudaMalloc3DArray(&stack, &pairs, make_cudaExtent(4, 3, 4), cudaArrayLayered));
  std::vector<int2> planes(4 * 3 * 4);
  for (int i = 0; i < 48; ++i) planes[i] = {i, -i};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(planes.data(), 32, 4, 3);
  copy.dstArray = stack;
  copy.extent = make_cudaExtent(4, 3, 4);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  layers<<<1, 4>>>(texture_of(stack, cudaFilterModePoint, cudaAddressModeClamp, false), reinterpret_cast<int2*>(out));
  std::vector<int2> corner(4);
  OK(cudaMemcpy(corner.data(), out, 32, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) TRUE(corner[i].x == i * 12 + 8 + i && corner[i].y == -corner[i].x);

  cudaArray_t cube;
  OK(cudaMalloc3DArray(&cube, &floats, make_cudaExtent(4, 4, 4)));
  copy.srcPtr = make_cudaPitchedPtr(line.data(), 16, 4, 4);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(4, 4, 4);
  OK(cudaMemcpy3D(&copy));
  volume<<<1, 4>>>(texture_of(cube, cudaFilterModeLinear, cudaAddressModeClamp, false), out);
  OK(cudaMemcpy(back.data(), out, 16, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) TRUE(back[i] == (line[i * 16 + 5] + line[i * 16 + 9]) / 2);

  cudaChannelFormatDesc halves = cudaCreateChannelDesc<ushort2>();
  cudaArray_t drawn;
  OK(cudaMallocArray(&drawn, &halves, 8, 2, cudaArraySurfaceLoadStore));
  std::vector<ushort2> before(16), after(16);
  for (int i = 0; i < 16; ++i) before[i] = ushort2{(unsigned short)i, 7};
  OK(cudaMemcpyToArray(drawn, 0, 0, before.data(), 64, cudaMemcpyHostToDevice));
  cudaResourceDesc canvas = {};
  canvas.resType = cudaResourceTypeArray;
  canvas.res.array.array = drawn;
  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &canvas));
  doubled<<<1, 8>>>(surface);
  OK(cudaMemcpy2DFromArray(after.data(), 32, drawn, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
  TRUE(after[3].x == 3 && after[11].x == 22 && after[11].y == 7);
  std::puts("all right");

  too_far<<<1, 1>>>(surface);
  cudaArray_t blank;
  OK(cudaMallocArray(&blank, &floats, 8, 8));
  texture = texture_of(blank, cudaFilterModePoint, cudaAddressModeClamp, false);
  sample<<<1, 1>>>(texture, places, out);
  OK(cudaDestroyTextureObject(texture));
  sample<<<1, 1>>>(texture, places, out);
  cudaDeviceSynchronize();
}
