// What training needs of a Hopper GPU beyond common.cu and fused/hopper.cu. Tests build kernels for a processor with other functions in their place; there, numbers of
// maps may be floats, so that formulas are shown apart from rounding. Hence a pair of numbers and eight of them have types of their own.

#ifndef OUTPLAY_EMULATED

typedef word Pair;
struct __align__(16) Eight { Pair of[4]; };
// Bytes of eight numbers, which a product reads as a row of a matrix.
constexpr int EIGHT = 16;
struct __align__(8) Float2 { float x, y; };

__device__ __forceinline__ Pair pair(float low, float high) {
    Pair both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
__device__ __forceinline__ float low(Pair both) { return __uint_as_float(both << 16); }
__device__ __forceinline__ float high(Pair both) { return __uint_as_float(both & 0xFFFF0000u); }

// Copies eight numbers to shared memory, or zeros, while the thread goes on.
__device__ __forceinline__ void copy_eight(word to, const Eight* from, bool is_there) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(is_there ? 16 : 0) : "memory");
}
__device__ __forceinline__ void copies_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void copies_wait() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

// Loads four tiles of 8x8 numbers transposed: lane 8i + r gives the address of row r of tile i.
__device__ __forceinline__ void load_transposed(Pair (&tiles)[4], word address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3]) : "r"(address) : "memory");
}

#endif
