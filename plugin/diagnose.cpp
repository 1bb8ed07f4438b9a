/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/diagnose.h"

#include <algorithm>
#include <set>

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

#include "plugin/clang_version.h"
#include "hwdb/stand_in.h"
#include "model/assume/describe.h"

namespace gpuperf
{

namespace
{

const llvm::StringRef ignoreWord = "gpuperf-ignore", nextLine = "-next-line",
                      ignoreNextLine = "gpuperf-ignore-next-line";
const unsigned maxInlineNotes = 8;

/* Clang 22 applies neither -Werror nor -w to custom warnings by itself, nor does it say that -Werror made one an error.
 */
clang::DiagnosticsEngine::Level warningLevel(const clang::DiagnosticsEngine &diagnostics)
{
    return diagnostics.getWarningsAsErrors() ? clang::DiagnosticsEngine::Error : clang::DiagnosticsEngine::Warning;
}

const char *afterWarning(const clang::DiagnosticsEngine &diagnostics)
{
    return diagnostics.getWarningsAsErrors() ? " [-Werror]" : "";
}

/* Says things at places of the profile. */
class Speaker
{
public:
    Speaker(clang::CompilerInstance &compiler, const gp_profile &profile, const SourceFacts &facts,
            const Options &options, const Fixes &fixes)
        : compiler(compiler), profile(profile), facts(facts), options(options), fixes(fixes),
          sources(compiler.getSourceManager()), diagnostics(compiler.getDiagnostics()),
          warning(customDiagnostic(diagnostics, clang::DiagnosticsEngine::Warning)),
          note(customDiagnostic(diagnostics, clang::DiagnosticsEngine::Note))
    {
        for (int cause = 0; cause < GP_CAUSE_COUNT; cause++) {
            std::string format = std::string("%0 [gpuperf-") + gp_cause_name(static_cast<gp_cause>(cause)) + "]%1";
            warnings[cause] = customDiagnostic(diagnostics, clang::DiagnosticsEngine::Warning, format);
            errors[cause] = customDiagnostic(diagnostics, clang::DiagnosticsEngine::Error, format);
        }
    }

    void warn(const Unlaunchable &kernel);
    void warn(const Finding &finding);
    bool isIgnored(const Finding &finding) const;
    void checkIgnores(clang::FileID file);
    void checkIgnores(const Finding &finding);

private:
    clang::SourceLocation find(uint32_t location) const;
    clang::SourceLocation kernelLocation(const gp_kernel &kernel) const;
    bool isIgnored(clang::SourceLocation location, gp_cause cause) const;
    void say(unsigned diagnostic, clang::SourceLocation location, const std::string &text);
    void sayWarning(clang::SourceLocation place, const std::string &text, gp_cause cause);
    void sayCallers(uint32_t location);
    void sayLaunch(const Finding &finding);
    void sayFix(const Finding &finding);

    clang::CompilerInstance &compiler;
    const gp_profile &profile;
    const SourceFacts &facts;
    const Options &options;
    const Fixes &fixes;
    clang::SourceManager &sources;
    clang::DiagnosticsEngine &diagnostics;
    unsigned warning, note;
    unsigned warnings[GP_CAUSE_COUNT], errors[GP_CAUSE_COUNT]; /* of each cause: rules of their own in SARIF */
    std::set<const gp_kernel *> launchSaid;
    std::set<clang::FileID> checked; /* their comments */
};

/* From the line table's file, line and column back to the source. Invalid where a #line directive or a file map hides
 * it. */
clang::SourceLocation Speaker::find(uint32_t index) const
{
    if (index >= profile.location_count || profile.locations[index].line == 0)
        return {};
    const gp_location &location = profile.locations[index];
    unsigned column = std::max(location.column, 1u);
    auto file = sources.getFileManager().getOptionalFileRef(location.file);
    clang::SourceLocation found =
        file ? sources.translateFileLineCol(&file->getFileEntry(), location.line, column) : clang::SourceLocation();
    if (found.isValid())
        return found;
    /* Standard input and buffers have no file. */
    clang::SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
    clang::PresumedLoc main = sources.getPresumedLoc(start);
    if (main.isValid() && llvm::StringRef(location.file) == main.getFilename())
        return sources.translateLineCol(sources.getMainFileID(), location.line, column);
    return {};
}

clang::SourceLocation Speaker::kernelLocation(const gp_kernel &kernel) const
{
    auto known = facts.find(kernel.symbol);
    return known != facts.end() ? sources.getExpansionLoc(known->second.location) : find(kernel.location);
}

void Speaker::say(unsigned diagnostic, clang::SourceLocation location, const std::string &text)
{
    diagnostics.Report(location, diagnostic) << text;
}

/* What stands behind "gpuperf-ignore:". */
struct IgnoreList {
    llvm::SmallVector<gp_cause, 4> causes;
    llvm::SmallVector<llvm::StringRef, 4> unknown; /* words that mean to be causes, and are none */
};

unsigned distanceToACause(llvm::StringRef name)
{
    unsigned least = ~0u;
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        least = std::min(least, name.edit_distance_insensitive(gp_cause_name(static_cast<gp_cause>(cause))));
    return least;
}

/*
 * Items start with a cause, as "uncoalesced" or "gpuperf-uncoalesced". A word alone, and one that is nearly a cause,
 * means to be one; other words are a reason: "the driver joins these". `rest`: what follows the list on its line.
 */
void readItem(llvm::StringRef item, llvm::StringRef rest, IgnoreList &list)
{
    const unsigned slip = 2;
    llvm::StringRef name = item.split(' ').first;
    bool ours = name.consume_front_insensitive("gpuperf-"),
         alone = name == item && (rest.empty() || rest.starts_with("*/"));
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        if (name.equals_insensitive(gp_cause_name(static_cast<gp_cause>(cause))))
            return list.causes.push_back(static_cast<gp_cause>(cause));
    if (!name.empty() && (ours || alone || distanceToACause(name) <= slip))
        list.unknown.push_back(name);
}

IgnoreList readIgnoreList(llvm::StringRef text)
{
    llvm::StringRef words = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == ',' || c == ' ' || c == '\t'; });
    llvm::SmallVector<llvm::StringRef, 4> items;
    IgnoreList list;
    words.split(items, ',');
    for (llvm::StringRef item : items)
        readItem(item.trim(), text.drop_front(words.size()).trim(), list);
    return list;
}

/* Says once for a file which names in its comments are none. */
void Speaker::checkIgnores(clang::FileID file)
{
    bool invalid = false;
    llvm::StringRef text = sources.getBufferData(file, &invalid);
    if (invalid || !checked.insert(file).second)
        return;
    for (size_t at = text.find(ignoreWord); at != llvm::StringRef::npos; at = text.find(ignoreWord, at + 1)) {
        llvm::StringRef rest =
            text.substr(at + ignoreWord.size()).take_until([](char c) { return c == '\n' || c == '\r'; });
        rest.consume_front(nextLine);
        rest = rest.ltrim();
        if (!rest.consume_front(":"))
            continue;
        for (llvm::StringRef name : readIgnoreList(rest).unknown)
            reportWarning(compiler, sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(at)),
                          "'" + name.str() +
                              "' behind gpuperf-ignore: is no cause, and nothing is ignored for it; causes are " +
                              causeNames());
    }
}

/* The line of an offset. */
llvm::StringRef lineAt(llvm::StringRef text, size_t offset)
{
    size_t before = text.take_front(offset).rfind('\n');
    size_t start = before == llvm::StringRef::npos ? 0 : before + 1;
    return text.slice(start, std::min(text.find('\n', offset), text.size()));
}

/* "WORD" silences all causes, "WORD: a, b" those two; with a reason behind the colon, all. */
bool silences(llvm::StringRef line, llvm::StringRef word, gp_cause cause)
{
    size_t at = line.find(word);
    while (at != llvm::StringRef::npos &&
           line.substr(at + word.size()).starts_with("-")) /* the word for the next line */
        at = line.find(word, at + 1);
    if (at == llvm::StringRef::npos)
        return false;
    llvm::StringRef causes = line.substr(at + word.size()).ltrim();
    if (!causes.consume_front(":"))
        return true;
    IgnoreList list = readIgnoreList(causes);
    return list.causes.empty() ? list.unknown.empty() : llvm::is_contained(list.causes, cause);
}

/* By its own line, or by what the line before says of the next one. */
bool Speaker::isIgnored(clang::SourceLocation location, gp_cause cause) const
{
    if (location.isInvalid())
        return false;
    auto [file, offset] = sources.getDecomposedExpansionLoc(location);
    bool invalid = false;
    llvm::StringRef text = sources.getBufferData(file, &invalid);
    if (invalid || offset > text.size())
        return false;
    llvm::StringRef line = lineAt(text, offset);
    size_t start = static_cast<size_t>(line.data() - text.data());
    return silences(line, ignoreWord, cause) || (start > 0 && silences(lineAt(text, start - 1), ignoreNextLine, cause));
}

/* The line itself, the lines that an inlined function was called from, and the kernel's where nothing else is known. */
bool Speaker::isIgnored(const Finding &finding) const
{
    if (finding.location == GP_NONE)
        return isIgnored(kernelLocation(*finding.kernel), finding.cause);
    for (uint32_t at = finding.location; at < profile.location_count; at = profile.locations[at].inlined_at) {
        if (isIgnored(find(at), finding.cause))
            return true;
    }
    return false;
}

/* Also of the headers that it comes from. */
void Speaker::checkIgnores(const Finding &finding)
{
    for (uint32_t at = finding.location; at < profile.location_count; at = profile.locations[at].inlined_at) {
        clang::SourceLocation place = find(at);
        if (place.isValid())
            checkIgnores(sources.getDecomposedExpansionLoc(place).first);
    }
}

/* How the kernel came to a line of a header. */
void Speaker::sayCallers(uint32_t location)
{
    uint32_t caller = location < profile.location_count ? profile.locations[location].inlined_at : GP_NONE;
    if (sources.isInMainFile(find(location)))
        return;
    for (unsigned i = 0; i < maxInlineNotes && caller < profile.location_count; i++) {
        clang::SourceLocation place = find(caller);
        if (place.isValid())
            say(note, place, "called from here");
        caller = profile.locations[caller].inlined_at;
    }
}

/* Who reads a warning and no remark takes its numbers for facts. */
static std::string doubt(double known)
{
    const double low = 0.5;
    char text[80];
    std::snprintf(text, sizeof text, "; %.0f%% of the time is known, the rest is guessed", 100 * known);
    return known < low ? text : "";
}

/* Once for each kernel: its warnings all rest on the same launch. How to state another is said with the first. */
void Speaker::sayLaunch(const Finding &finding)
{
    if (!launchSaid.insert(finding.kernel).second)
        return;
    char launch[512], assumed[512];
    gp_launch_describe(finding.kernel, finding.launch, launch, sizeof launch);
    gp_launch_describe_assumed(finding.kernel, finding.launch, assumed, sizeof assumed);
    std::string text = std::string("predicted for ") + launch;
    if (launchSaid.size() == 1)
        text += std::string(" (set with -fplugin-arg-gpuperf-assume=") + finding.kernel->name + ":...)";
    if (assumed[0] != '\0')
        text += std::string("; ") + assumed;
    for (const DeviceCost &cost : finding.costs) {
        char standIn[GP_STAND_IN_TEXT];
        if (*gp_device_stand_in(cost.device, standIn) != '\0')
            text += std::string("; ") + standIn;
    }
    say(note, kernelLocation(*finding.kernel), text + doubt(finding.costs.front().known_share));
}

/* Of a finding in the main file: at its line, or at one that the same change repairs. */
static bool repairs(const Fix &fix, const Finding &finding, const gp_profile &profile)
{
    const gp_bottleneck *bottleneck = finding.costs.front().bottleneck;
    gp_cause cause = fix.kind == "padding" ? GP_CAUSE_BANK_CONFLICT : GP_CAUSE_THROUGHPUT;
    auto stands = [&](uint32_t location) {
        return location < profile.location_count && fix.lines.count(profile.locations[location].line);
    };
    return finding.cause == cause && (stands(finding.location) ||
                                      std::any_of(bottleneck->also, bottleneck->also + bottleneck->also_count, stands));
}

/* A hint on a note is shown and, unlike a warning's, not applied by -fixit: what it gains is not known before it is
 * predicted again. */
void Speaker::sayFix(const Finding &finding)
{
    if (!sources.isInMainFile(find(finding.location)))
        return;
    for (const Fix &fix : fixes) {
        if (!repairs(fix, finding, profile))
            continue;
        bool rounds = fix.kind == "suffix" || fix.kind == "square";
        auto builder = diagnostics.Report(fix.at, note);
        builder << std::string(rounds ? "this change rounds otherwise" : "this change keeps the results") +
                       "; what it gains: gpuperf predict --fix-it";
        for (const clang::FixItHint &hint : hintsOf(fix))
            builder << hint;
    }
}

void Speaker::sayWarning(clang::SourceLocation place, const std::string &text, gp_cause cause)
{
    std::string after;
    Options::Severity severity = options.severity[cause];
    if (severity == Options::Severity::Error)
        after = std::string(" [-Werror=gpuperf-") + gp_cause_name(cause) + "]";
    else if (severity == Options::Severity::AsOthers)
        after = afterWarning(diagnostics);
    diagnostics.Report(place, after.empty() ? warnings[cause] : errors[cause]) << text << after;
}

void Speaker::warn(const Unlaunchable &kernel)
{
    clang::SourceLocation place = kernelLocation(*kernel.kernel);
    if (options.warns[GP_CAUSE_LOCAL_SIZE] == Options::Warns::Always && !isIgnored(place, GP_CAUSE_LOCAL_SIZE))
        sayWarning(place, kernel.why, GP_CAUSE_LOCAL_SIZE);
}

void Speaker::warn(const Finding &finding)
{
    clang::SourceLocation place = find(finding.location);
    std::string text = finding.text(profile);
    if (place.isInvalid()) {
        place = kernelLocation(*finding.kernel);
        if (finding.location < profile.location_count) {
            const gp_location &at = profile.locations[finding.location];
            text += std::string(" (at ") + at.file + ":" + std::to_string(at.line) + ")";
        }
    }
    sayWarning(place, text, finding.cause);
    sayCallers(finding.location);
    if (finding.advice()[0] != '\0')
        say(note, place, finding.advice());
    sayFix(finding);
    sayLaunch(finding);
}

/* A cause without a repaired state has no share to compare. */
bool isWorthAWarning(const Finding &finding, const Options &options)
{
    const ConfigRule *rule = options.config.find(finding.kernel->name);
    if (rule && rule->ignores[finding.cause])
        return false;
    Options::Warns warns = options.warns[finding.cause];
    return (warns == Options::Warns::Always || (warns == Options::Warns::IfRepairable && finding.repairable)) &&
           (finding.cause == GP_CAUSE_DATA_DEPENDENT || finding.share() * 100 >= options.threshold);
}

} // namespace

void warn(clang::CompilerInstance &compiler, const gp_profile &profile, const SourceFacts &facts,
          const Options &options, const Fixes &fixes, const std::vector<Unlaunchable> &unlaunchable,
          const std::vector<Finding> &findings)
{
    if (compiler.getDiagnostics().getIgnoreAllWarnings())
        return;
    Speaker speaker(compiler, profile, facts, options, fixes);
    if (options.mayWarn())
        speaker.checkIgnores(compiler.getSourceManager().getMainFileID());
    for (const Unlaunchable &kernel : unlaunchable)
        speaker.warn(kernel);
    for (const Finding &finding : findings) {
        if (!isWorthAWarning(finding, options))
            continue;
        speaker.checkIgnores(finding);
        if (!speaker.isIgnored(finding))
            speaker.warn(finding);
    }
}

void reportWarning(const clang::CompilerInstance &compiler, clang::SourceLocation location, const std::string &sentence)
{
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (!diagnostics.getIgnoreAllWarnings())
        diagnostics.Report(location, customDiagnostic(diagnostics, warningLevel(diagnostics)))
            << "gpuperf: " + sentence + afterWarning(diagnostics);
}

void reportError(const clang::CompilerInstance &compiler, const std::string &sentence)
{
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    diagnostics.Report(customDiagnostic(diagnostics, clang::DiagnosticsEngine::Error)) << "gpuperf: " + sentence;
}

void reportRemark(const clang::CompilerInstance &compiler, const std::string &sentence)
{
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    diagnostics.Report(customDiagnostic(diagnostics, clang::DiagnosticsEngine::Remark)) << "gpuperf: " + sentence;
}

} // namespace gpuperf
