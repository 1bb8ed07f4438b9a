/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/config.h"

#include <cstring>
#include <fnmatch.h>

#include "config/config.h"

namespace gpuperf
{

namespace
{

void add(std::string &items, const std::string &item) { items += (items.empty() ? "" : ":") + item; }

void addSizes(std::string &items, const char *name, const gp_sizes &sizes)
{
    std::string text;
    for (uint32_t d = 0; d < sizes.dims; d++)
        text += (d ? "x" : "") + std::to_string(sizes.size[d]);
    if (sizes.dims > 0)
        add(items, std::string(name) + "=" + text);
}

/* What a driver could not tell of a recorded launch is a number for a name, or bytes: left out. */
void addValues(std::string &items, const gp_arguments &values)
{
    for (size_t i = 0; i < values.count; i++) {
        const char *value = values.items[i], *equals = std::strchr(value, '=');
        if ((value[0] < '0' || value[0] > '9') && std::strncmp(equals, "=0x", 3) != 0)
            add(items, value);
    }
}

/* A grid of so many groups. */
gp_sizes rangeOf(const gp_check_rule &rule)
{
    gp_sizes range = rule.groups.dims > 0 ? rule.groups : rule.global;
    for (uint32_t d = 0; d < range.dims && rule.groups.dims > 0 && rule.local.dims > 0; d++)
        range.size[d] *= d < rule.local.dims ? rule.local.size[d] : 1;
    return range;
}

double workItems(const gp_check_launch &launch)
{
    double items = launch.count;
    for (uint32_t d = 0; d < launch.global.dims; d++)
        items *= double(launch.global.size[d]);
    return items;
}

std::string itemsOf(const gp_check_rule &rule)
{
    std::string items;
    const gp_check_launch *most = rule.launches;
    for (size_t i = 1; i < rule.launch_count; i++)
        if (workItems(rule.launches[i]) > workItems(*most))
            most = &rule.launches[i];
    addSizes(items, "global", most ? most->global : rangeOf(rule));
    addSizes(items, "local", most ? most->local : rule.local);
    addValues(items, most ? most->values : rule.values);
    return items;
}

ConfigRule ruleOf(const gp_check_rule &from)
{
    ConfigRule rule;
    rule.pattern = from.pattern;
    rule.items = itemsOf(from);
    for (size_t i = 0; i < from.ignore.count; i++)
        for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
            rule.ignores[cause] |= std::strcmp(from.ignore.items[i], gp_cause_name(static_cast<gp_cause>(cause))) == 0;
    return rule;
}

} // namespace

const ConfigRule *Config::find(const char *kernel) const
{
    for (const ConfigRule &rule : rules)
        if (fnmatch(rule.pattern.c_str(), kernel, 0) == 0)
            return &rule;
    return nullptr;
}

bool readConfig(const std::string &file, Config &config, std::string &error)
{
    gp_check_config read;
    gp_error complaint = {};
    if (!gp_check_config_load(file.c_str(), &read, &complaint)) {
        error = complaint.text;
        return false;
    }
    config.file = file;
    config.devices.assign(read.devices.items, read.devices.items + read.devices.count);
    for (size_t i = 0; i < read.count; i++)
        config.rules.push_back(ruleOf(read.rules[i]));
    gp_check_config_free(&read);
    return true;
}

} // namespace gpuperf
