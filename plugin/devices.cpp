#include <cstdlib>

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"

#include "plugin/diagnose.h"
#include "plugin/session.h"

namespace gpuperf {

namespace {

const char defaultDevice[] = "a100";

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> deviceNames(const Session &session)
{
    if (!session.options.devices.empty())
        return session.options.devices;
    std::string wish = environment("GPUPERF_DEVICE");
    if (!wish.empty())
        return split(wish, ',');
    const clang::TargetOptions &target = session.compiler.getTargetOpts();
    const char *fitting = gp_device_for_target(target.Triple.c_str(), target.CPU.c_str());
    if (fitting)
        return {fitting};
    return {gp_is_target(target.CPU.c_str()) ? target.CPU : defaultDevice};
}

bool isLoaded(const Session &session, const std::string &name)
{
    for (const DevicePtr &device : session.devices) {
        if (name == device->name)
            return true;
    }
    return false;
}

void loadDevices(Session &session, const std::vector<std::string> &names, const std::string &directories)
{
    for (const std::string &name : names) {
        if (isLoaded(session, name))
            continue;
        gp_error complaint = {};
        DevicePtr device(gp_device_load(name.c_str(), directories.c_str(), &complaint));
        if (!device) {
            session.devicesError = complaint.text;
            return;
        }
        session.devices.push_back(std::move(device));
    }
}

} // namespace

void startLoadingDevices(Session &session)
{
    auto load = [&session, names = deviceNames(session), directories = environment("GPUPERF_HWDB")] {
        loadDevices(session, names, directories);
    };
    session.loading = std::make_unique<Background>(load);
}

bool finishLoadingDevices(Session &session)
{
    session.loading->wait();
    if (!session.devicesError.empty())
        reportError(session.compiler, session.devicesError);
    return session.devicesError.empty();
}

} // namespace gpuperf
