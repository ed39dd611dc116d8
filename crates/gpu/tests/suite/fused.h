// What the kernels for boards in shared memory need of a GPU, for a processor. Copies and products happen at once, so that nothing is shown of what is
// missing between them and other accesses.
#include <map>

typedef unsigned int word;
typedef unsigned long long descriptor;

static word shared_address(const void* place) { return (word)((const char*)place - shared_bytes); }

struct MemoryBarrier { int arrivals, pending; long bytes; unsigned phase; };
static std::map<word, MemoryBarrier> of_memory;
static void complete(MemoryBarrier& barrier) {
    if (barrier.pending == 0 && barrier.bytes == 0) barrier.pending = barrier.arrivals, ++barrier.phase, progress = true;
}
static void barrier_init(word barrier, word arrivals) { of_memory[barrier] = {(int)arrivals, (int)arrivals, 0, 0}; }
static void barrier_arrive(word barrier) { --of_memory[barrier].pending, complete(of_memory[barrier]); }
static void barrier_wait(word barrier, word parity) {
    int me = threadIdx.x;
    while (of_memory[barrier].phase % 2 == parity) swapcontext(&fibers[me], &scheduler);
}

static word opaque(word value) { return value; }
static descriptor join(word low, word high) { return low | (descriptor)high << 32; }

static Barrier named[16];
static void meet(int number, int threads) { wait_for(named[number], threads); }
static float lanes[32][32];
static word addresses[32][32];
static float from_lane(float value, int lane) {
    float* warp = lanes[threadIdx.x / 32];
    warp[threadIdx.x % 32] = value;
    sync_warp();
    float other = warp[lane];
    sync_warp();
    return other;
}
static word from_lane(word value, int lane) {
    word* warp = addresses[threadIdx.x / 32];
    warp[threadIdx.x % 32] = value;
    sync_warp();
    word other = warp[lane];
    sync_warp();
    return other;
}
#ifndef NUMBER_BYTES
static word to_rectified_halves(float low, float high) { return to_half(std::fmax(low, 0.0f)) | (word)to_half(std::fmax(high, 0.0f)) << 16; }
static float low_half(word both) { return to_float(both); }
static float high_half(word both) { return to_float(both >> 16); }
#endif

#ifdef HOPPER
static void barriers_are_ready() {}
static void barrier_expect(word barrier, word bytes) { of_memory[barrier].bytes += bytes, barrier_arrive(barrier); }
static void copy_to_shared(word to, const void* from, word bytes, word barrier) {
    std::memcpy(shared_bytes + to, from, bytes);
    of_memory[barrier].bytes -= bytes, complete(of_memory[barrier]);
}
static void products_begin() {}
static void products_commit() {}
template <int GROUPS> static void products_wait() {}
static void publish_to_products() {}
template <int REGISTERS> static void take_registers() {}
static void give_registers() {}

// One number of a matrix: row by row of eight, eight numbers a row (EIGHT bytes), then by the two strides.
static float of_matrix(descriptor matrix, int row, int k) {
    auto field = [&](int bit) { return (long)(matrix >> bit & 0x3FFF) * EIGHT; };
    return element(shared_bytes + field(0) + k / 8 * field(16) + row / 8 * field(32) + row % 8 * EIGHT + k % 8 * (EIGHT / 8));
}
template <int LENGTH> static void multiply(float (&sums)[LENGTH], descriptor weights, descriptor cells, int adds) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    for (int i = 0; i < LENGTH; ++i) {
        int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        float sum = adds ? sums[i] : 0;
        for (int k = 0; k < 16; ++k) sum += of_matrix(weights, row, k) * of_matrix(cells, column, k);
        sums[i] = sum;
    }
}
template <int TILES_OF_STORE> static void store_transposed(word address, const PairOfNumbers (&tiles)[TILES_OF_STORE]) {
    word* warp = addresses[threadIdx.x / 32];
    int lane = threadIdx.x % 32;
    warp[lane] = address;
    sync_warp();
    for (int tile = 0; tile < TILES_OF_STORE; ++tile)
        for (int odd = 0; odd < 2; ++odd)
            put_element(shared_bytes + warp[tile * 8 + lane % 4 * 2 + odd] + lane / 4 * (EIGHT / 8), tiles[tile], odd);
    sync_warp();
}
#else
static void copy_quad(word to, const void* from) { std::memcpy(shared_bytes + to, from, 16); }
static void arrive_after_copies(word barrier) { barrier_arrive(barrier); }
static void store_word(word address, word value) { std::memcpy(shared_bytes + address, &value, 4); }
template <int COUNT> static void load_tiles(word address, word (&tiles)[COUNT]) {
    Deposit* warp = deposits[threadIdx.x / 32];
    int lane = threadIdx.x % 32;
    warp[lane].low = address;
    sync_warp();
    for (int tile = 0; tile < COUNT; ++tile) std::memcpy(&tiles[tile], shared_bytes + warp[tile * 8 + lane / 4].low + lane % 4 * 4, 4);
    sync_warp();
}
static word transposed(word tile) {
    Deposit* warp = deposits[threadIdx.x / 32];
    int lane = threadIdx.x % 32;
    warp[lane].low = tile;
    sync_warp();
    word other = 0;
    for (int odd = 0; odd < 2; ++odd) other |= (warp[(lane % 4 * 2 + odd) * 4 + lane / 8].low >> lane / 4 % 2 * 16 & 0xFFFF) << odd * 16;
    sync_warp();
    return other;
}
static void multiply_tile(float* sums, const word (&weights)[4], word low, word high) {
    float four[4] = {sums[0], sums[1], sums[2], sums[3]};
    multiply_tile(four, Quad{weights[0], weights[1], weights[2], weights[3]}, low, high);
    std::memcpy(sums, four, sizeof four);
}
#endif
