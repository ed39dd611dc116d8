// A library that answers as NVIDIA's driver does, without a GPU: memory of the device is memory, what a stream is given is done when it is waited for, and a kernel is a
// sum that tests know. FAKE_FAULT says what goes wrong. Only tests use this.
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

typedef int Result;
typedef unsigned long long Address;
typedef void* Pointer;

static bool is(const char* fault) { const char* set = std::getenv("FAKE_FAULT"); return set && std::string(set) == fault; }
static size_t size_of(const char* name) { const char* set = std::getenv(name); return set ? std::atoi(set) : 1; }

struct Work { std::vector<std::function<void()>> todo; };
static int launches = 0, contexts = 0;
static __thread Pointer current = nullptr;
static const Result OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, UNSUPPORTED = 222, LAUNCH_FAILED = 719, UNKNOWN = 999;
#define IN_CONTEXT if (!current) return INVALID_CONTEXT

extern "C" {
Result cuInit(unsigned) { return is("none") ? NO_DEVICE : 0; }
Result cuDriverGetVersion(int* version) { *version = is("version") ? 11040 : 13000; return 0; }
Result cuDeviceGetCount(int* count) { *count = 2; return 0; }
Result cuDeviceGet(int* device, int number) { *device = number; return 0; }
Result cuDeviceGetName(char* name, int room, int) { std::strncpy(name, "Fake 1", room); return 0; }
Result cuDeviceTotalMem_v2(size_t* bytes, int) { *bytes = (size_t)1 << 34; return 0; }
Result cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? (is("old GPU") ? 7 : 8) : attribute == 76 ? 0 : attribute == 16 ? 3 : -1;
    return 0;
}
Result cuDevicePrimaryCtxRetain(Pointer* context, int) { ++contexts; *context = &contexts; return 0; }
Result cuCtxSetCurrent(Pointer context) { current = context; return 0; }
Result cuModuleLoadData(Pointer* module, const void* image) {
    IN_CONTEXT;
    if (is("module") || std::memcmp(image, "\x7F" "ELF", 4) != 0) return UNSUPPORTED;
    *module = &launches;
    return 0;
}
Result cuModuleUnload(Pointer) { return 0; }
Result cuModuleGetFunction(Pointer* function, Pointer module, const char* name) {
    if (module != &launches || std::string(name).compare(0, 3, "run") != 0) return 500;
    *function = &contexts;
    return 0;
}
Result cuFuncSetAttribute(Pointer function, int attribute, int) { return function == &contexts && attribute == 8 ? 0 : 1; }
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Pointer, int threads, size_t) {
    *blocks = is("occupancy") ? 0 : threads % 128 == 0 ? 2 : 0;
    return 0;
}
Result cuMemAlloc_v2(Address* address, size_t bytes) {
    IN_CONTEXT;
    if (is("memory") && bytes > 100000) return OUT_OF_MEMORY;
    *address = (Address)std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    return 0;
}
Result cuMemFree_v2(Address address) { std::free((Pointer)address); return 0; }
Result cuMemHostAlloc(Pointer* memory, size_t bytes, unsigned) { *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256); return 0; }
Result cuMemFreeHost(Pointer memory) { std::free(memory); return 0; }
Result cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) { std::memcpy((Pointer)to, from, bytes); return 0; }
Result cuMemsetD8_v2(Address to, unsigned char value, size_t bytes) { std::memset((Pointer)to, value, bytes); return 0; }
Result cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, Pointer stream) {
    ((Work*)stream)->todo.push_back([=] { std::memcpy((Pointer)to, from, bytes); });
    return 0;
}
Result cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, Pointer stream) {
    ((Work*)stream)->todo.push_back([=] { std::memcpy(to, (Pointer)from, bytes); });
    return 0;
}
Result cuStreamCreate(Pointer* stream, unsigned flags) { IN_CONTEXT; *stream = new Work; return flags == 1 ? 0 : 1; }
Result cuStreamDestroy_v2(Pointer stream) { delete (Work*)stream; return 0; }
Result cuStreamSynchronize(Pointer stream) {
    IN_CONTEXT;
    if (!stream) return 0;
    if (is("lost") && launches > 2) return UNKNOWN;
    for (auto& work : ((Work*)stream)->todo) work();
    ((Work*)stream)->todo.clear();
    return 0;
}
Result cuLaunchKernel(Pointer function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned shared, Pointer stream,
                      void** arguments, void** extra) {
    IN_CONTEXT;
    if (function != &contexts || blocks < 1 || blocks > 6 || threads % 128 != 0 || shared == 0 || extra) return 1;
    if (++launches > 2 && is("launch")) return LAUNCH_FAILED;
    const Address* positions = *(const Address**)arguments[0];
    int count = *(int*)arguments[1];
    const unsigned char* weights = *(const unsigned char**)arguments[2];
    float* outputs = *(float**)arguments[3];
    ((Work*)stream)->todo.push_back([=] {
        size_t words = size_of("FAKE_WORDS"), numbers = size_of("FAKE_OUTPUTS");
        for (size_t p = 0; p < (size_t)count; ++p)
            for (size_t i = 0; i < numbers; ++i) outputs[p * numbers + i] = (float)(positions[p * words + i % words] % 1000 * 1000 + i + weights[i]);
    });
    return 0;
}
Result cuGetErrorName(Result result, const char** text) { *text = result == UNKNOWN ? "CUDA_ERROR_UNKNOWN" : "CUDA_ERROR"; return 0; }
#ifndef WITHOUT_A_FUNCTION
Result cuGetErrorString(Result, const char** text) { *text = "in the words of a fake"; return 0; }
#endif
}
