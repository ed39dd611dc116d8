// A block of threads on a processor: each thread is a fiber, and what a warp does together waits for all of its lanes. A barrier that not all threads reach
// ends the program with an error. Only tests use this.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <ucontext.h>

#define OUTPLAY_EMULATED
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct Index { int x, y; };
static Index threadIdx, blockIdx, gridDim;
struct alignas(16) Quad { unsigned x, y, z, w; };

static float __uint_as_float(unsigned bits) { float value; std::memcpy(&value, &bits, 4); return value; }

static int threads_of_block;
struct Barrier { int arrived = 0; long generation = 0; };
static Barrier of_block, of_warp[32];
static ucontext_t scheduler;
static std::vector<ucontext_t> fibers;
static std::vector<bool> ended;
static bool progress;

static void wait_for(Barrier& barrier, int threads) {
    long generation = barrier.generation;
    if (++barrier.arrived == threads) { barrier.arrived = 0; ++barrier.generation; progress = true; return; }
    int me = threadIdx.x;
    while (barrier.generation == generation) swapcontext(&fibers[me], &scheduler);
}

static void sync_warp() { wait_for(of_warp[threadIdx.x / 32], 32); }
static void __syncthreads() { wait_for(of_block, threads_of_block); }

static void (*work)();
static void fiber(int me) {
    work();
    ended[me] = true, progress = true;
}

// Runs one block of so many threads, all of which do `of_thread`.
static void run_block(int threads, void (*of_thread)()) {
    static std::vector<std::vector<char>> stacks;
    while ((int)stacks.size() < threads) stacks.emplace_back(65536);
    threads_of_block = threads, work = of_thread;
    fibers.assign(threads, ucontext_t()), ended.assign(threads, false);
    for (int i = 0; i < threads; ++i) {
        getcontext(&fibers[i]);
        fibers[i].uc_stack.ss_sp = stacks[i].data(), fibers[i].uc_stack.ss_size = stacks[i].size(), fibers[i].uc_link = &scheduler;
        makecontext(&fibers[i], (void (*)())fiber, 1, i);
    }
    for (bool all = false; !all;) {
        progress = false, all = true;
        for (int i = 0; i < threads; ++i) {
            if (ended[i]) continue;
            threadIdx.x = i, all = false;
            swapcontext(&scheduler, &fibers[i]);
        }
        if (!all && !progress) { std::fprintf(stderr, "threads wait for each other without end\n"); std::exit(3); }
    }
}

static std::vector<char> read(const std::string& path) {
    FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) { std::perror(path.c_str()); std::exit(2); }
    std::vector<char> bytes; char buffer[65536];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.insert(bytes.end(), buffer, buffer + n);
    std::fclose(file);
    return bytes;
}
