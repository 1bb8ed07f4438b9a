/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Caches of a CPU's cores. */
#include "model/cache/cpu_caches.h"

#include <stdlib.h>
#include <string.h>

#include "support/random.h"

/* ---- Lines that several cores write ------------------------------------------------------------------------------ */

enum { FIRST_SLOTS = 1024 };

/* The group that wrote the line first, and whether one far from it has since. */
struct written {
    struct gp_key line;
    bool shared;
    uint64_t group;
};

void gp_written_lines_init(struct gp_written_lines *lines, uint32_t most, uint64_t apart)
{
    *lines = (struct gp_written_lines){.most = most, .apart = apart};
    gp_keyed_set_init(&lines->set);
}

void gp_written_lines_free(struct gp_written_lines *lines) { gp_keyed_set_free(&lines->set); }

static struct written *entry_of(struct gp_written_lines *lines, uint64_t line, uint64_t group)
{
    bool fresh;
    if (lines->set.used == lines->most)
        return (struct written *)gp_keyed_set_find(&lines->set, sizeof(struct written), 0, line);
    struct written *entry =
        (struct written *)gp_keyed_set_enter(&lines->set, sizeof *entry, FIRST_SLOTS, 0, line, &fresh);
    if (entry != NULL && fresh) {
        entry->shared = false;
        entry->group = group;
    }
    return entry;
}

bool gp_write_line(struct gp_written_lines *lines, uint64_t line, uint64_t group)
{
    struct written *entry = entry_of(lines, line, group);
    if (entry == NULL)
        return false;
    uint64_t distance = group > entry->group ? group - entry->group : entry->group - group;
    if (!entry->shared && distance >= lines->apart) {
        entry->shared = true;
        lines->shared++;
    }
    return entry->shared;
}

/* ---- What a core lacks ------------------------------------------------------------------------------------------- */

/* The streamer follows sequences of lines, each within its page, the prefetcher of L1 the distance that an instruction
 * keeps (Intel 64 and IA-32 Architectures Optimization Reference Manual). */
enum { LINE_BITS = 6, PAGE_BITS = 12, LINES_OF_PAGE = 1 << (PAGE_BITS - LINE_BITS), MOST_STREAMS = 64, MOST_WAYS = 32 };

/* Sets of numbers plus 1, 0 where there is none yet. */
struct level {
    uint32_t sets, ways;
    uint64_t random;
    uint64_t *numbers;
};

struct gp_cpu_caches {
    struct level l1, l2, pages;
    int stream_count, stores;
    int64_t farthest; /* distance that is followed */
    int window, at;   /* of the last accesses, as many as lines are waited for, and the next one's place */
    uint64_t lacking[GP_CPU_MOST_WAITING]; /* of each the set of L1 that lacked its line, plus 1; 0: none did */
    uint64_t page;                         /* that the last access went to, plus 1 */
    uint64_t streams[MOST_STREAMS]; /* lines that sequences came to, of different pages, the one used last first */
};

static void make_level(struct level *level, double entries, double ways)
{
    level->ways = ways < 1 ? 1 : ways > MOST_WAYS ? MOST_WAYS : (uint32_t)ways;
    double sets = entries / level->ways;
    level->sets = sets < 1 ? 1 : sets > 1 << 20 ? 1 << 20 : (uint32_t)sets;
    level->numbers = calloc((size_t)level->sets * level->ways, sizeof *level->numbers);
}

static int at_most(double number, int most) { return number < most ? (int)number : most; }

struct gp_cpu_caches *gp_cpu_caches_new(const struct gp_device *device)
{
    struct gp_cpu_caches *c = calloc(1, sizeof *c);
    make_level(&c->l1, device->l1_size.value / (1 << LINE_BITS), device->l1_ways.value);
    make_level(&c->l2, device->l2_size.value / (1 << LINE_BITS), device->l2_ways.value);
    make_level(&c->pages, device->tlb_entries.value, device->tlb_ways.value);
    c->stream_count = at_most(device->prefetch_streams.value, MOST_STREAMS);
    c->window = at_most(device->mshr_entries.value, GP_CPU_MOST_WAITING);
    c->stores = at_most(device->store_buffer.value, GP_CPU_MOST_WAITING);
    c->farthest = (int64_t)device->prefetch_bytes.value;
    return c;
}

void gp_cpu_caches_free(struct gp_cpu_caches *caches)
{
    if (caches == NULL)
        return;
    free(caches->l1.numbers);
    free(caches->l2.numbers);
    free(caches->pages.numbers);
    free(caches);
}

/* Whether a level has the number, which it has then. Any of the others makes room: what a cache of LRU would lose
 * whole, lines gone through again and again that are a few more than the ways, caches that only approximate it keep a
 * part of (docs/evidence/models.md#cpu). */
static bool look_up(struct level *level, uint64_t set, uint64_t number)
{
    uint64_t *list = &level->numbers[set * level->ways], wanted = number + 1;
    uint32_t at = 0;
    while (at < level->ways && list[at] != 0 && list[at] != wanted)
        at++;
    if (at < level->ways && list[at] == wanted)
        return true;
    if (at == level->ways)
        at = (uint32_t)((gp_next_random(&level->random) >> 33) % level->ways);
    list[at] = wanted;
    return false;
}

/* A page lies anywhere in memory: of a set's number only what is within a page follows from the address. */
static uint64_t set_of(const struct level *level, uint64_t line)
{
    uint64_t within = line % LINES_OF_PAGE, page = line / LINES_OF_PAGE;
    if (level->sets <= LINES_OF_PAGE)
        return within % level->sets;
    return within + LINES_OF_PAGE * ((page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (level->sets / LINES_OF_PAGE));
}

/* Whether the line follows another of its page that was asked for; if not, the next may follow it. */
static bool is_streamed(struct gp_cpu_caches *c, uint64_t line)
{
    int at = 0;
    if (c->stream_count == 0)
        return false;
    while (at < c->stream_count - 1 && c->streams[at] / LINES_OF_PAGE != line / LINES_OF_PAGE)
        at++;
    uint64_t before = c->streams[at];
    memmove(c->streams + 1, c->streams, (size_t)at * sizeof *c->streams);
    c->streams[0] = line;
    return before / LINES_OF_PAGE == line / LINES_OF_PAGE && before != line && line - before + 2 <= 4;
}

/* Bits of a page's number are folded over each other (Gras et al., "Translation Leak-aside Buffer", USENIX Security
 * 2018). */
static uint64_t set_of_page(const struct level *pages, uint64_t page)
{
    return (page ^ page / pages->sets) % pages->sets;
}

static bool keeps_distance(const struct gp_cpu_caches *c, const struct gp_cpu_touches *t, uint64_t address)
{
    int64_t distance = (int64_t)(address - t->last);
    return t->accesses > 1 && distance == t->distance && distance < c->farthest && distance > -c->farthest &&
           address >> PAGE_BITS == t->last >> PAGE_BITS;
}

/* A line is asked for when its store enters the buffer; when that store's turn comes, as many others as it has ways may
 * have been asked for in its set. Whether the oldest is lost so. */
static bool loses_oldest(const struct gp_cpu_caches *c, uint64_t line, struct gp_cpu_touches *t)
{
    if (c->stores == 0)
        return false;
    uint64_t *oldest = &t->waiting[t->next++ % (uint32_t)c->stores], leaving = *oldest, met[MOST_WAYS];
    uint32_t others = 0;
    *oldest = line + 1;
    for (int i = 0; leaving != 0 && i < c->stores && others < c->l1.ways; i++) {
        uint64_t other = t->waiting[i];
        bool counts = other != 0 && other != leaving && set_of(&c->l1, other - 1) == set_of(&c->l1, leaving - 1);
        for (uint32_t k = 0; k < others && counts; k++)
            counts = met[k] != other;
        if (counts)
            met[others++] = other;
    }
    return others >= c->l1.ways;
}

/* Of the last accesses, this one among them, the share whose lines the same set lacked. */
static double queued(struct gp_cpu_caches *c, uint64_t set)
{
    if (c->window == 0)
        return 0;
    c->lacking[(uint32_t)c->at % (uint32_t)c->window] = set + 1;
    int same = 0;
    for (int i = 0; i < c->window; i++)
        same += c->lacking[i] == set + 1;
    return (double)same / c->window;
}

static void touch_line(struct gp_cpu_caches *c, uint64_t line, bool expected, struct gp_cpu_touches *t)
{
    uint64_t set = set_of(&c->l1, line);
    if (look_up(&c->l1, set, line))
        return;
    t->l1++;
    bool streamed = is_streamed(c, line) || expected;
    double queue = streamed ? 0 : queued(c, set);
    if (!streamed)
        t->crowded += loses_oldest(c, line, t);
    if (look_up(&c->l2, set_of(&c->l2, line), line)) {
        t->queued += queue;
        return;
    }
    t->queued_l2 += queue;
    t->l2 += !streamed;
    t->streamed += streamed;
}

static bool has_page(struct gp_cpu_caches *c, uint64_t page)
{
    bool again = c->page == page + 1;
    c->page = page + 1;
    return again || look_up(&c->pages, set_of_page(&c->pages, page), page);
}

void gp_cpu_touch(struct gp_cpu_caches *caches, uint64_t address, uint32_t bytes, struct gp_cpu_touches *touches)
{
    uint64_t end = address + (bytes < 1                ? 0
                              : bytes > 1 << PAGE_BITS ? 1 << PAGE_BITS
                                                       : bytes - 1); /* no instruction moves more than a page */
    uint64_t first = address >> LINE_BITS, last = end >> LINE_BITS, page = address >> PAGE_BITS;
    bool expected = keeps_distance(caches, touches, address);
    if (caches->window > 0)
        caches->lacking[(uint32_t)++caches->at % (uint32_t)caches->window] = 0;
    touches->pages += !has_page(caches, page);
    for (uint64_t line = first; line <= last; line++)
        touch_line(caches, line, expected, touches);
    touches->accesses++;
    touches->distance = (int64_t)(address - touches->last);
    touches->last = address;
}
