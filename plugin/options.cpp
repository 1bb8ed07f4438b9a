/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace gpuperf
{

std::string causeNames()
{
    std::string names;
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        names += (cause ? ", " : "") + std::string(gp_cause_name(static_cast<gp_cause>(cause)));
    return names;
}

namespace
{

const char validKeys[] =
    "device, annotate, assume, threshold, warn, config, report, profile, preprocessed, edits, model, builtins, unroll";

using Warns = Options::Warns;

Warns byDefault(gp_cause cause) { return gp_cause_warns(cause) ? Warns::Always : Warns::IfRepairable; }

/* A member of the list adds to what those before it named. */
bool warnAboutCauses(Options &options, const std::string &name)
{
    bool found = name == "none" || name == "all" || name == "default";
    for (int i = 0; i < GP_CAUSE_COUNT; i++) {
        gp_cause cause = static_cast<gp_cause>(i);
        bool named = name == gp_cause_name(cause);
        Warns added = named || name == "all" ? Warns::Always : name == "default" ? byDefault(cause) : Warns::Never;
        options.warns[i] = std::max(options.warns[i], added);
        found |= named;
    }
    return found;
}

bool parseWarn(const std::string &value, Options &options, std::string &error)
{
    if (value.empty()) {
        error = "'warn' names no cause; valid are default, all, none, " + causeNames() + ", or a list of these";
        return false;
    }
    std::fill(std::begin(options.warns), std::end(options.warns), Warns::Never);
    for (const std::string &name : split(value, ',')) {
        if (!warnAboutCauses(options, name)) {
            error = "unknown cause '" + name + "' in 'warn'; valid are default, all, none, " + causeNames() +
                    ", or a list of these";
            return false;
        }
    }
    return true;
}

bool parseThreshold(const std::string &value, Options &options, std::string &error)
{
    char *end = nullptr;
    options.threshold = std::strtod(value.c_str(), &end);
    if (!value.empty() && *end == '\0' && std::isfinite(options.threshold) && options.threshold >= 0 &&
        options.threshold <= 100)
        return true;
    error = "'threshold' must be a percentage from 0 to 100, not '" + value + "'";
    return false;
}

/* The kernel's name ends at the first colon that is not part of a C++ "::". */
size_t endOfKernelName(const std::string &value)
{
    for (size_t i = 0; i < value.size(); i++) {
        if (value[i] != ':')
            continue;
        if (i + 1 == value.size() || value[i + 1] != ':')
            return i;
        i++;
    }
    return std::string::npos;
}

bool parseAssume(const std::string &value, Options &options, std::string &error)
{
    size_t end = endOfKernelName(value);
    bool good = end != std::string::npos && end > 0 && end + 1 < value.size();
    for (const std::string &item : good ? split(value.substr(end + 1), ':') : std::vector<std::string>()) {
        size_t equals = item.find('=');
        good = good && equals != std::string::npos && equals > 0 && equals + 1 < item.size();
    }
    if (!good) {
        error =
            "'assume' must be KERNEL:global=XxYxZ:local=XxYxZ:NAME=NUMBER... (KERNEL may be *), not '" + value + "'";
        return false;
    }
    options.assumptions.push_back({value.substr(0, end), value.substr(end + 1)});
    return true;
}

bool parseEither(const std::string &key, const std::string &value, const char *yes, const char *no, bool &isYes,
                 std::string &error)
{
    isYes = value == yes;
    if (isYes || value == no)
        return true;
    error = "'" + key + "' must be " + yes + " or " + no + ", not '" + value + "'";
    return false;
}

bool parseDevices(const std::string &value, Options &options, std::string &error)
{
    options.devices = split(value, ',');
    for (const std::string &name : options.devices) {
        if (name.empty())
            options.devices.clear();
    }
    if (!options.devices.empty())
        return true;
    error = "'device' must be a list of device names separated by commas, not '" + value + "'";
    return false;
}

bool parseModel(const std::string &value, Options &options, std::string &error)
{
    gp_error complaint = {};
    if (!gp_model_parse(value.c_str(), &options.model, &complaint)) {
        error = complaint.text;
        return false;
    }
    return true;
}

bool parseFile(const char *key, const std::string &value, std::string &file, std::string &error)
{
    file = value;
    if (!value.empty())
        return true;
    error = "'" + std::string(key) + "' needs the name of a file";
    return false;
}

/* The causes that "gpuperf" or "gpuperf-CAUSE" names. */
bool isNamed(const std::string &name, int cause)
{
    return name == "gpuperf" || name == std::string("gpuperf-") + gp_cause_name(static_cast<gp_cause>(cause));
}

/* Named as our flags are, and none of them. */
bool isOurUnknown(const std::string &name)
{
    bool ours = name.compare(0, 7, "gpuperf") == 0;
    for (int cause = 0; ours && cause < GP_CAUSE_COUNT; cause++)
        ours = !isNamed(name, cause);
    return ours;
}

bool consumeFront(std::string &text, const std::string &prefix)
{
    if (text.compare(0, prefix.size(), prefix) != 0)
        return false;
    text.erase(0, prefix.size());
    return true;
}

} // namespace

Options::Options() { warnAboutCauses(*this, "default"); }

bool Options::mayWarn() const
{
    return std::any_of(std::begin(warns), std::end(warns), [](Warns asked) { return asked != Warns::Never; });
}

bool applyWarningFlags(const std::vector<std::string> &flags, Options &options, std::vector<std::string> &unknown,
                       std::string &error)
{
    using Severity = Options::Severity;
    for (std::string flag : flags) {
        const std::string asked = flag;
        bool off = consumeFront(flag, "no-"), severity = consumeFront(flag, "error=");
        for (int cause = 0; cause < GP_CAUSE_COUNT; cause++) {
            if (!isNamed(flag, cause) && !(off && flag == "everything"))
                continue;
            if (severity)
                options.severity[cause] = off ? Severity::Warning : Severity::Error;
            /* "gpuperf" means what warns by default, a cause's own name all of it */
            Warns wanted = flag != "gpuperf" ? Warns::Always : byDefault(static_cast<gp_cause>(cause));
            if (!severity || !off)
                options.warns[cause] = off ? Warns::Never : std::max(options.warns[cause], wanted);
        }
        if (!isOurUnknown(flag))
            continue;
        std::string sentence =
            "'-W" + asked + "' names no cause; valid are gpuperf-CAUSE, and CAUSE is one of " + causeNames();
        if (!off) {
            error = sentence;
            return false;
        }
        unknown.push_back(sentence);
    }
    return true;
}

std::vector<std::string> split(const std::string &text, char separator)
{
    std::vector<std::string> parts;
    size_t start = 0;
    while (!text.empty()) {
        size_t end = text.find(separator, start);
        parts.push_back(text.substr(start, end - start));
        if (end == std::string::npos)
            break;
        start = end + 1;
    }
    return parts;
}

bool parseOptions(const std::vector<std::string> &arguments, Options &options, std::string &error)
{
    for (const std::string &argument : arguments) {
        size_t equals = argument.find('=');
        std::string key = argument.substr(0, equals);
        std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
        bool good;
        if (key == "device")
            good = parseDevices(value, options, error);
        else if (key == "annotate")
            good = parseEither(key, value, "on", "off", options.annotate, error);
        else if (key == "assume")
            good = parseAssume(value, options, error);
        else if (key == "threshold")
            good = parseThreshold(value, options, error);
        else if (key == "warn")
            good = parseWarn(value, options, error);
        else if (key == "report")
            good = parseFile("report", value, options.reportFile, error);
        else if (key == "config")
            good = parseFile("config", value, options.configFile, error);
        else if (key == "profile")
            good = parseFile("profile", value, options.profileFile, error);
        else if (key == "preprocessed")
            good = parseFile("preprocessed", value, options.preprocessedFile, error);
        else if (key == "edits")
            good = parseFile("edits", value, options.editsFile, error);
        else if (key == "builtins")
            good = parseEither(key, value, "early", "late", options.builtinsFirst, error);
        else if (key == "unroll")
            good = parseEither(key, value, "nvidia", "llvm", options.unrollsAsNvidia, error);
        else if (key == "model")
            good = parseModel(value, options, error);
        else {
            error = "unknown argument '" + key + "'; valid are " + validKeys;
            good = false;
        }
        if (!good)
            return false;
    }
    return true;
}

} // namespace gpuperf
