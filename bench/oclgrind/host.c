// Runs layernorm.cl on argv[2] rows of 768 columns with whatever OpenCL there is, and prints the kernel's seconds.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kColumns = 768, kThreads = 256 };

static void need(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  exit(3);
}

int main(int argc, char** argv) {
  if (argc != 3) return fprintf(stderr, "usage: host layernorm.cl ROWS\n"), 2;
  static char source[16384];
  FILE* file = fopen(argv[1], "r");
  if (!file) return fprintf(stderr, "cannot read %s\n", argv[1]), 3;
  const size_t length = fread(source, 1, sizeof source - 1, file), rows = (size_t)atoi(argv[2]);
  fclose(file);

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  need(clGetPlatformIDs(1, &platform, NULL), "platforms");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "devices");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  need(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  need(status, "queue");
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &status);
  need(status, "program");
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel kernel = clCreateKernel(program, "layernorm", &status);
  need(status, "kernel");

  const size_t bytes[4] = {rows * kColumns * 4, kColumns * 4, kColumns * 4, rows * kColumns * 4};
  for (int b = 0; b < 4; ++b) {
    float* values = malloc(bytes[b]);
    for (size_t i = 0; i < bytes[b] / 4; ++i) values[i] = (float)(i * 37 % 101) * 0.02f - 1.0f;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes[b], NULL, &status);
    need(status, "buffer");
    if (b < 3) need(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes[b], values, 0, NULL, NULL), "write");
    need(clSetKernelArg(kernel, (cl_uint)b, sizeof buffer, &buffer), "argument");
    free(values);
  }
  const int columns = kColumns;
  const float epsilon = 1e-5f;
  need(clSetKernelArg(kernel, 4, sizeof columns, &columns), "argument");
  need(clSetKernelArg(kernel, 5, sizeof epsilon, &epsilon), "argument");

  const size_t threads = kThreads, all = rows * kThreads;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &threads, 0, NULL, NULL), "launch");
  need(clFinish(queue), "finish");
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("seconds %.6f\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
  return 0;
}
