/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdlib>

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"

#include "plugin/diagnose.h"
#include "plugin/session.h"

namespace gpuperf
{

namespace
{

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
    if (!session.options.config.devices.empty())
        return session.options.config.devices;
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

/* Empty: all are there. Else a sentence. */
std::string load(Session &session, const std::vector<std::string> &names, const std::string &directories)
{
    for (const std::string &name : names) {
        if (isLoaded(session, name))
            continue;
        gp_error complaint = {};
        DevicePtr device(gp_device_load(name.c_str(), directories.c_str(), &complaint));
        if (!device)
            return complaint.text;
        session.devices.push_back(std::move(device));
    }
    return "";
}

} // namespace

bool loadDevices(Session &session)
{
    std::string complaint = load(session, deviceNames(session), environment("GPUPERF_HWDB"));
    if (!complaint.empty())
        reportError(session.compiler, complaint);
    return complaint.empty();
}

} // namespace gpuperf
