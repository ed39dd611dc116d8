// The same for every GPU since Ampere: copies by the threads themselves, products of a warp in the place of those of a warpgroup.

#ifndef OUTPLAY_EMULATED

__device__ __forceinline__ void barrier_wait(word barrier, word parity) {
    asm volatile(
        "{\n.reg .pred done;\nAGAIN:\nmbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n@done bra DONE;\nbra AGAIN;\nDONE:\n}"
        ::"r"(barrier), "r"(parity) : "memory");
}

// 16 bytes on their way; and an arrival when all that this thread has sent for is there.
__device__ __forceinline__ void copy_quad(word to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void arrive_after_copies(word barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

// Tiles of 8x8 halves: lane 8i + r gives the address of row r of tile i, and has afterwards numbers l%4*2 and the next of row l/4 of each.
__device__ __forceinline__ void load_tiles(word address, word (&tiles)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3]) : "r"(address) : "memory");
}
__device__ __forceinline__ void load_tiles(word address, word (&tiles)[2]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(tiles[0]), "=r"(tiles[1]) : "r"(address) : "memory");
}
__device__ __forceinline__ word transposed(word tile) {
    word other;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(other) : "r"(tile));
    return other;
}
__device__ __forceinline__ void store_word(word address, word value) {
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

// sums += 16 outputs x 16 inputs * 16 inputs x 8 cells. A lane has the sums that a product of a warpgroup would give it.
__device__ __forceinline__ void multiply_tile(float* sums, const word (&weights)[4], word low, word high) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(weights[0]), "r"(weights[1]), "r"(weights[2]), "r"(weights[3]), "r"(low), "r"(high));
}

#endif

__device__ __forceinline__ void barriers_are_ready() {}

// Products are done when the instruction is, and a barrier of threads is enough for them to see what was written.
__device__ __forceinline__ void products_begin() {}
__device__ __forceinline__ void products_commit() {}
template <int GROUPS>
__device__ __forceinline__ void products_wait() {}
__device__ __forceinline__ void publish_to_products() {}

// Registers are shared out evenly.
template <int REGISTERS>
__device__ __forceinline__ void take_registers() {}
__device__ __forceinline__ void give_registers() {}

constexpr int FETCHERS = 128;

template <int BYTES>
__device__ __forceinline__ void fetch_chunk(word to, const unsigned char* from, word barrier, int thread) {
#pragma unroll
    for (int at = thread * 16; at < BYTES; at += FETCHERS * 16) copy_quad(to + at, from + at);
    arrive_after_copies(barrier);
}

// sums = weights x cells, or what they were plus that: a warp takes 16 of the 64 outputs.
template <int LENGTH>
__device__ __forceinline__ void multiply(float (&sums)[LENGTH], descriptor weights, descriptor cells, int adds) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const word columns = (word)(cells >> 16 & 0x3FFF) * 16, rows = (word)(cells >> 32 & 0x3FFF) * 16;
    if (!adds)
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) sums[i] = 0.0f;
    // Tiles of weights: eight outputs, the next eight, and both for the next eight inputs.
    word tiles[4];
    load_tiles((word)(weights & 0x3FFF) * 16 + lane / 16 * 1024 + (warp * 16 + lane / 8 % 2 * 8 + lane % 8) * 16, tiles);
    // Tiles of cells: eight inputs of a group, the next eight, and both of the next group.
    const word first = (word)(cells & 0x3FFF) * 16 + lane / 8 % 2 * columns + lane / 16 * rows + lane % 8 * 16;
#pragma unroll
    for (int group = 0; group + 1 < LENGTH / 4; group += 2) {
        word pair[4];
        load_tiles(first + group * rows, pair);
        multiply_tile(sums + group * 4, tiles, pair[0], pair[1]);
        multiply_tile(sums + group * 4 + 4, tiles, pair[2], pair[3]);
    }
    if (LENGTH / 4 % 2) {
        word one[2];
        load_tiles(first - lane / 16 * rows + (LENGTH / 4 - 1) * rows, one);
        multiply_tile(sums + LENGTH - 4, tiles, one[0], one[1]);
    }
}

// Stores tiles of 8x8 halves transposed: a lane gives the address of a row of 16 bytes, lane 8i + r that of row r of tile i.
template <int TILES_OF_STORE>
__device__ __forceinline__ void store_transposed(word address, const word (&tiles)[TILES_OF_STORE]) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int tile = 0; tile < TILES_OF_STORE; ++tile)
        store_word(from_lane(address, tile * 8 + lane / 4) + lane % 4 * 4, transposed(tiles[tile]));
}
