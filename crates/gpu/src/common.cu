// What every GPU since Ampere has, a function of a few lines each. Tests build the kernels for a processor with other functions in their place
// (OUTPLAY_EMULATED).

typedef unsigned short half_bits;
typedef unsigned int word;
typedef unsigned long long plane_word;
// How a product finds a matrix in shared memory: its address in the lowest bits, the distance from eight columns to the next eight from bit 16 on, that
// from eight rows to the next eight from bit 32 on, all in units of 16 bytes. Eight rows of eight halves lie side by side.
typedef unsigned long long descriptor;

#ifndef OUTPLAY_EMULATED

struct __align__(16) Quad { word x, y, z, w; };

// The address by which instructions know a place in shared memory.
__device__ __forceinline__ word shared_address(const void* place) {
    unsigned long long address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(place));
    return (word)address;
}

// A barrier in shared memory: so many arrivals complete a phase.
__device__ __forceinline__ void barrier_init(word barrier, word arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_arrive(word barrier) {
    asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(barrier) : "memory");
}

// Hides where a value comes from: otherwise all descriptors of a layer are computed beforehand and kept in registers that there are not.
__device__ __forceinline__ word opaque(word value) {
    asm volatile("mov.b32 %0, %0;" : "+r"(value));
    return value;
}

__device__ __forceinline__ descriptor join(word low, word high) {
    descriptor both;
    asm volatile("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(low), "r"(high));
    return both;
}

__device__ __forceinline__ void meet(int number, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); }
__device__ __forceinline__ float from_lane(float value, int lane) { return __shfl_sync(0xFFFFFFFFu, value, lane); }
__device__ __forceinline__ word from_lane(word value, int lane) { return __shfl_sync(0xFFFFFFFFu, value, lane); }

// ---- Numbers -------------------------------------------------------------------------------------------------------------------------------

__device__ __forceinline__ half_bits to_half(float value) {
    half_bits bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

// Two halves, the first in the low bits; with what is below zero cut.
__device__ __forceinline__ word to_rectified_halves(float low, float high) {
    word both;
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

__device__ __forceinline__ float low_half(word both) {
    float value;
    asm("{.reg .b16 low, high;\nmov.b32 {low, high}, %1;\ncvt.f32.f16 %0, low;}" : "=f"(value) : "r"(both));
    return value;
}

__device__ __forceinline__ float high_half(word both) {
    float value;
    asm("{.reg .b16 low, high;\nmov.b32 {low, high}, %1;\ncvt.f32.f16 %0, high;}" : "=f"(value) : "r"(both));
    return value;
}

#endif

__device__ __forceinline__ constexpr int divided_up(int a, int b) { return (a + b - 1) / b; }

