/* Something that goes on while clang parses, until it is waited for. */
#ifndef GPUPERF_PLUGIN_BACKGROUND_H
#define GPUPERF_PLUGIN_BACKGROUND_H

#include <functional>

#include <pthread.h>

namespace gpuperf {

/* Where no thread can be had, the work is done at once. */
class Background {
public:
    explicit Background(std::function<void()> work);
    ~Background() { wait(); }
    Background(const Background &) = delete;
    Background &operator=(const Background &) = delete;
    void wait();

private:
    static void *run(void *self);
    std::function<void()> work;
    pthread_t thread;
    bool running;
};

} // namespace gpuperf
#endif
