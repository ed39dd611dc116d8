// Runs the launches of a step of training on a processor, one after the other. Only tests use this. NUMBER_BYTES says how numbers of maps are kept: as a
// device keeps them, or with 4 as floats, so that nothing is rounded.
#include "fibers.h"

alignas(128) Quad block_memory[(227 << 10) * (NUMBER_BYTES / 2) / 16];
static char* const shared_bytes = (char*)block_memory;

static unsigned bits_of(float value) { unsigned bits; std::memcpy(&bits, &value, 4); return bits; }
static unsigned brain(float value) {
    unsigned bits = bits_of(value);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FFF;
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

#if NUMBER_BYTES == 2
typedef unsigned Pair;
static Pair pair(float low, float high) { return brain(low) | brain(high) << 16; }
static float low(Pair both) { return __uint_as_float(both << 16); }
static float high(Pair both) { return __uint_as_float(both & 0xFFFF0000u); }
static float element(const char* at) { unsigned short bits; std::memcpy(&bits, at, 2); return __uint_as_float((unsigned)bits << 16); }
static void put_element(char* to, Pair both, int odd) { unsigned short bits = both >> 16 * odd; std::memcpy(to, &bits, 2); }
static void get_element(const char* from, Pair& both, int odd) {
    unsigned short bits; std::memcpy(&bits, from, 2);
    both = (both & ~(0xFFFFu << 16 * odd)) | (unsigned)bits << 16 * odd;
}
#else
struct Pair { float of[2]; };
static Pair pair(float low, float high) { return Pair{{low, high}}; }
static float low(const Pair& both) { return both.of[0]; }
static float high(const Pair& both) { return both.of[1]; }
static float element(const char* at) { float value; std::memcpy(&value, at, 4); return value; }
static void put_element(char* to, const Pair& both, int odd) { std::memcpy(to, &both.of[odd], 4); }
static void get_element(const char* from, Pair& both, int odd) { std::memcpy(&both.of[odd], from, 4); }
#endif
typedef Pair PairOfNumbers;
struct alignas(16) Eight { Pair of[4]; };
struct Float2 { float x, y; };
static_assert(sizeof(Eight) == 8 * NUMBER_BYTES, "numbers lie one after the other");
static const int EIGHT = 8 * NUMBER_BYTES;

#define HOPPER
#include "fused.h"

static void copy_eight(word to, const Eight* from, bool is_there) {
    if (is_there) std::memcpy(shared_bytes + to, from, EIGHT);
    else std::memset(shared_bytes + to, 0, EIGHT);
}
static void copies_commit() {}
static void copies_wait() {}
static void load_transposed(Pair (&tiles)[4], word address) {
    word* warp = addresses[threadIdx.x / 32];
    int lane = threadIdx.x % 32;
    warp[lane] = address;
    sync_warp();
    for (int tile = 0; tile < 4; ++tile)
        for (int odd = 0; odd < 2; ++odd)
            get_element(shared_bytes + warp[tile * 8 + lane % 4 * 2 + odd] + lane / 4 * (EIGHT / 8), tiles[tile], odd);
    sync_warp();
}
// The first matrix comes from registers of all lanes of a warp; of the second, rows of eight numbers have eight columns each, and stand for one k.
static Pair of_lanes[32][32][4];
template <int LENGTH> static void multiply_turned(float (&sums)[LENGTH], const Pair (&rows)[4], descriptor cells) {
    int lane = threadIdx.x % 32;
    auto& warp = of_lanes[threadIdx.x / 32];
    for (int i = 0; i < 4; ++i) warp[lane][i] = rows[i];
    sync_warp();
    auto field = [&](int bit) { return (long)(cells >> bit & 0x3FFF) * EIGHT; };
    for (int i = 0; i < LENGTH; ++i) {
        int row = lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        for (int k = 0; k < 16; ++k) {
            const Pair& both = warp[row % 8 * 4 + k % 8 / 2][row / 8 + k / 8 * 2];
            const char* at = shared_bytes + field(0) + k / 8 * field(16) + column / 8 * field(32) + k % 8 * EIGHT + column % 8 * (EIGHT / 8);
            sums[i] += (k % 2 ? high(both) : low(both)) * element(at);
        }
    }
    sync_warp();
}

#include "kernel.cu"

struct Launch { char entry[64]; int grid[2], threads, shared; Call call; };
static unsigned char* memory_of_trainer;
static Launch launch;
static void run_thread() {
    unsigned char* memory = memory_of_trainer;
    const Call& call = launch.call;
#include "entries.inc"
    std::fprintf(stderr, "there is no %s\n", launch.entry), std::exit(2);
}

int main(int, char** arguments) {
    std::string folder = arguments[1];
    std::vector<char> memory = read(folder + "/memory"), launches = read(folder + "/launches");
    memory_of_trainer = (unsigned char*)(((size_t)memory.data() + 255) / 256 * 256);
    std::memmove(memory_of_trainer, memory.data(), memory.size() - 256);
    for (size_t at = 0; at + sizeof(Launch) <= launches.size(); at += sizeof(Launch)) {
        std::memcpy(&launch, launches.data() + at, sizeof launch);
        if (launch.shared > (int)sizeof block_memory) { std::fprintf(stderr, "%s wants %d bytes\n", launch.entry, launch.shared); return 2; }
        gridDim.x = launch.grid[0], gridDim.y = launch.grid[1];
        for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
                std::memset((void*)block_memory, 0xFF, sizeof block_memory);
                of_memory.clear();
                run_block(launch.threads, run_thread);
            }
    }
    FILE* file = std::fopen((folder + "/after").c_str(), "wb");
    std::fwrite(memory_of_trainer, 1, memory.size() - 256, file);
    std::fclose(file);
}
