// STYLE: four floats at a time by inline PTX, the tail by a switch that falls through
// FILL ME IN: step (roughly 20 lines)
  const long first = 4 * (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x);
  const auto load = [first](const float* from) {
    float4 a;
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w)
                 : "l"(from + first)
                 : "memory");
    return a;
  };
  const auto store = [first](float* to, const float4& a) {
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to + first), "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w)
                 : "memory");
  };
  if (first + 3 < count) {
    float4 p4 = load(parameters), m4 = load(m), v4 = load(v);
    const float4 g4 = load(gradients);
    update_parameter(p4.x, g4.x, m4.x, v4.x, adam);
    update_parameter(p4.y, g4.y, m4.y, v4.y, adam);
    update_parameter(p4.z, g4.z, m4.z, v4.z, adam);
    update_parameter(p4.w, g4.w, m4.w, v4.w, adam);
    store(parameters, p4);
    store(m, m4);
    store(v, v4);
    return;
  }
  const auto one = [&](long i) { update_parameter(parameters[i], gradients[i], m[i], v[i], adam); };
  switch (first < count ? count - first : 0) {
    case 3:
      one(first + 2);
      [[fallthrough]];
    case 2:
      one(first + 1);
      [[fallthrough]];
    case 1:
      one(first);
      break;
    default:
      break;
  }
// END: step
