// CUDA: the device half is analysed, the host half passed over. No toolkit is needed for this source.
// RUN: %clang -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -S -o %t.ptx 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: %clang -x cuda %s --cuda-host-only -nocudainc -nocudalib -O2 -S -emit-llvm -o - 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -o %t.1 && %clang -fplugin-arg-gpuperf-annotate=off -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -o %t.2 2>/dev/null && cmp %t.1 %t.2
// HOST-NOT: {{gpuperf-|__gpuperf|!gpuperf}}
// PTX: __gpuperf_profile_0
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
/* What the host half needs of the toolkit's headers. */
struct dim3 { unsigned x, y, z; };
typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess };
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, cudaStream_t);
__device__ inline int tidX() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline int tidY() { return __nvvm_read_ptx_sreg_tid_y(); }
__device__ inline int col() { return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + tidX(); }
__device__ inline int row() { return __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + tidY(); }

namespace demo {
template <typename T> __global__ void transpose(const T *in, T *out, int n)
{
    int x = col(), y = row();
    if (x < n && y < n)
// CHECK-NOT: warning:
// CHECK: cuda.cu:[[@LINE+3]]:{{[0-9]+}}: warning: uncoalesced global store: 32 transactions per warp, stride 4096 bytes along threadIdx.x; {{.*}} on a100 {{.*}} [gpuperf-uncoalesced]
// CHECK: cuda.cu:[[@LINE-6]]:{{[0-9]+}}: note: predicted for global 1024x1024, local 32x8, n=1024
// CHECK-NOT: warning:
        out[x * n + y] = in[y * n + x];
}
template __global__ void transpose<float>(const float *, float *, int);
} // namespace demo
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
