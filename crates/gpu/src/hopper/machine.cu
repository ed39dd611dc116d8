// What only a Hopper GPU has, a function of a few lines each. Tests build the kernel for a processor with other functions in their place
// (OUTPLAY_EMULATED); the products of matrices, whose text depends on their width, are generated.

typedef unsigned short half_bits;
typedef unsigned int word;
typedef unsigned long long plane_word;
// How a product finds a matrix in shared memory: its address and two strides.
typedef unsigned long long descriptor;

#ifndef OUTPLAY_EMULATED

struct __align__(16) Quad { word x, y, z, w; };

// The address by which instructions know a place in shared memory.
__device__ __forceinline__ word shared_address(const void* place) {
    unsigned long long address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(place));
    return (word)address;
}

// ---- Barriers in shared memory: so many arrivals, or so many bytes that are copied, complete a phase --------------------------------------

__device__ __forceinline__ void barrier_init(word barrier, word arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barriers_are_ready() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ __forceinline__ void barrier_expect(word barrier, word bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_arrive(word barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_wait(word barrier, word parity) {
    asm volatile(
        "{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra DONE;\nbra AGAIN;\nDONE:\n}"
        ::"r"(barrier), "r"(parity) : "memory");
}

// The copy engine brings bytes from global memory and tells the barrier.
__device__ __forceinline__ void copy_to_shared(word to, const void* from, word bytes, word barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}

// ---- Products: asynchronous, in groups, by the four warps of a warpgroup together ----------------------------------------------------------

__device__ __forceinline__ void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int GROUPS>
__device__ __forceinline__ void products_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory"); }

// What this thread has written to shared memory may be read by products, once they are behind a barrier.
__device__ __forceinline__ void publish_to_products() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

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

// ---- Warps and warpgroups ------------------------------------------------------------------------------------------------------------------

__device__ __forceinline__ void meet(int number, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); }
// A warpgroup that computes takes registers from the one that only fetches weights.
template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS)); }
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); }
__device__ __forceinline__ float from_lane(float value, int lane) { return __shfl_sync(0xFFFFFFFFu, value, lane); }

// Stores tiles of 8x8 halves transposed: a lane gives the address of a row of 16 bytes, lane 8i + r that of row r of tile i.
__device__ __forceinline__ void store_transposed(word address, const word (&tiles)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
                 ::"r"(address), "r"(tiles[0]), "r"(tiles[1]), "r"(tiles[2]), "r"(tiles[3]) : "memory");
}
__device__ __forceinline__ void store_transposed(word address, const word (&tiles)[2]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(address), "r"(tiles[0]), "r"(tiles[1]) : "memory");
}

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
