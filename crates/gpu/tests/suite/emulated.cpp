// Runs the kernel on a processor. Only tests use this.
#include "fibers.h"

static unsigned short to_half(float value) {
    unsigned bits; std::memcpy(&bits, &value, 4);
    unsigned sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
    if (rest > 0x7F800000) return sign | 0x7E00;
    if (rest >= 0x477FF000) return sign | 0x7C00;
    float size = std::fabs(value);
    if (size < 6.103515625e-05f) return sign | (unsigned)std::nearbyint(size * 16777216.0f);
    return sign | ((rest + 0xFFF + (rest >> 13 & 1) - 0x38000000) >> 13);
}
static float float_of(unsigned short bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? std::ldexp(1024.0f + fraction, exponent - 25) : std::ldexp((float)fraction, -24);
    return bits & 0x8000 ? -size : size;
}
static std::vector<float> floats;
static float to_float(unsigned short bits) { return floats[bits]; }
struct Deposit { Quad weights; unsigned low, high; float number; };
static Deposit deposits[32][32];
static float half_of(unsigned pair, int odd) { return to_float(pair >> (16 * odd)); }

static void multiply_tile(float (&sums)[4], const Quad& weights, unsigned low, unsigned high) {
    Deposit* warp = deposits[threadIdx.x / 32];
    int lane = threadIdx.x % 32;
    warp[lane].weights = weights, warp[lane].low = low, warp[lane].high = high;
    sync_warp();
    for (int i = 0; i < 4; ++i) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        for (int k = 0; k < 16; ++k) {
            const Quad& a = warp[row % 8 * 4 + k % 8 / 2].weights;
            unsigned pair = k < 8 ? (row < 8 ? a.x : a.y) : (row < 8 ? a.z : a.w);
            const Deposit& b = warp[column * 4 + k % 8 / 2];
            sums[i] += half_of(pair, k % 2) * half_of(k < 8 ? b.low : b.high, k % 2);
        }
    }
    sync_warp();
}
static float sum_of_warp(float value) {
    Deposit* warp = deposits[threadIdx.x / 32];
    warp[threadIdx.x % 32].number = value;
    sync_warp();
    float sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += warp[lane].number;
    sync_warp();
    return sum;
}
// The tests say which entry they want, and how it is launched.
alignas(128) Quad block_memory[SHARED_BYTES / 16 + 1];
static char* const shared_bytes = (char*)block_memory;

static const int EIGHT = 16;
static float element(const char* at) {
    unsigned short bits;
    std::memcpy(&bits, at, 2);
    return to_float(bits);
}
typedef unsigned PairOfNumbers;
static void put_element(char* to, PairOfNumbers pair, int odd) {
    unsigned short bits = pair >> 16 * odd;
    std::memcpy(to, &bits, 2);
}
#include "fused.h"
#include "kernel.cu"

static std::vector<char> positions, weights, outputs;
static std::vector<Quad> global_memory;
static int count;
static void run_thread() {
    ENTRY((const plane_word*)positions.data(), count, (const unsigned char*)weights.data(), (float*)outputs.data(), global_memory.data());
}

int main(int, char** arguments) {
    std::string folder = arguments[1];
    for (int bits = 0; bits < 65536; ++bits) floats.push_back(float_of(bits));
    count = std::atoi(arguments[2]), gridDim.x = std::atoi(arguments[3]);
    positions = read(folder + "/positions"), weights = read(folder + "/weights");
    // Poison: no number anywhere, and one row more than there are positions, which must stay as it is.
    outputs.assign((size_t)(count + 1) * OUTPUT * 4, (char)0xFF);
    global_memory.resize((size_t)gridDim.x * (WORKSPACE_BYTES / 16));
    std::memset((void*)global_memory.data(), 0xFF, global_memory.size() * 16);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
        std::memset((void*)block_memory, 0xFF, sizeof block_memory);
        of_memory.clear();
        run_block(THREADS_OF_BLOCK, run_thread);
    }
    FILE* file = std::fopen((folder + "/outputs").c_str(), "wb");
    std::fwrite(outputs.data(), 1, outputs.size(), file);
    std::fclose(file);
}
