#include "plugin/background.h"

namespace gpuperf {

Background::Background(std::function<void()> todo) : work(std::move(todo))
{
    running = pthread_create(&thread, nullptr, run, this) == 0;
    if (!running)
        work();
}

void *Background::run(void *self)
{
    static_cast<Background *>(self)->work();
    return nullptr;
}

void Background::wait()
{
    if (running)
        pthread_join(thread, nullptr);
    running = false;
}

} // namespace gpuperf
