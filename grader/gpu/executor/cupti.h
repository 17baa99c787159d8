#pragma once

namespace fusebox::gpu {

/// CUPTI, the library that watches the GPU, opened once; null where there is none.
void* cupti_library();

}  // namespace fusebox::gpu
