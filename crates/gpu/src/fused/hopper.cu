// What only a Hopper GPU has. The products of matrices, whose text depends on their width, are generated.

#ifndef OUTPLAY_EMULATED

// ---- Barriers in shared memory: bytes that are copied count as arrivals --------------------------------------------------------------------

__device__ __forceinline__ void barriers_are_ready() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ __forceinline__ void barrier_expect(word barrier, word bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
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

// ---- Warps and warpgroups ------------------------------------------------------------------------------------------------------------------

// A warpgroup that computes takes registers from the one that only fetches weights.
template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS)); }
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); }
// Stores tiles of 8x8 halves transposed: a lane gives the address of a row of 16 bytes, lane 8i + r that of row r of tile i.
__device__ __forceinline__ void store_transposed(word address, const word (&tiles)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
                 ::"r"(address), "r"(tiles[0]), "r"(tiles[1]), "r"(tiles[2]), "r"(tiles[3]) : "memory");
}
__device__ __forceinline__ void store_transposed(word address, const word (&tiles)[2]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(address), "r"(tiles[0]), "r"(tiles[1]) : "memory");
}

#endif

// Threads that fetch weights.
constexpr int FETCHERS = 1;

// A chunk of weights on its way into shared memory; the barrier hears of it when all of it is there.
template <int BYTES>
__device__ __forceinline__ void fetch_chunk(word to, const unsigned char* from, word barrier, int) {
    barrier_expect(barrier, BYTES);
    copy_to_shared(to, from, BYTES, barrier);
}
