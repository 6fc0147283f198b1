// Copyright Waypost contributors. Licence: Apache-2.0.
#define _DEFAULT_SOURCE
#include "CBundled.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The build recompiles an object when a file that the preprocessor looked at changes, but it does
// not see files that only the assembler reads. Naming them here makes them dependencies.
#if !__has_include("DejaVuSans.ttf") || !__has_include("world.pmtiles") || \
    !__has_include("toner.pmtiles") || !__has_include("NotoSans-Regular.ttf") || \
    !__has_include("NotoSans-Italic.ttf") || !__has_include("NotoSans-SemiBold.ttf") || \
    !__has_include("natural-earth.pmtiles") || \
    !__has_include("trailhead/protomaps-day.json") || !__has_include("trailhead/sprite-day.png") || \
    !__has_include("words/ar.txt") || \
    !__has_include("words/de.txt") || \
    !__has_include("words/en.txt") || \
    !__has_include("words/es.txt") || \
    !__has_include("words/fr.txt") || \
    !__has_include("words/hi.txt") || \
    !__has_include("words/it.txt") || \
    !__has_include("words/ja.txt") || \
    !__has_include("words/ko.txt") || \
    !__has_include("words/nl.txt") || \
    !__has_include("words/pl.txt") || \
    !__has_include("words/pt.txt") || \
    !__has_include("words/ro.txt") || \
    !__has_include("words/ru.txt") || \
    !__has_include("words/uk.txt") || \
    !__has_include("words/zh.txt")
#error "data/ must be on the include path (Package.swift) and hold these files"
#endif

// The assembler copies each file into the object as it is; `.incbin` searches the include path,
// where the package puts data/. These directives are those of ELF for every processor. The sections
// have names of their own: Swift's objects have writable ones named .rodata, and the linker puts
// all of one name into writable memory together.
#define PUT(name, file)                                                                  \
  __asm__(".pushsection .bundled." #name ",\"a\",%progbits\n"                            \
          ".balign 16\n"                                                                 \
          ".globl waypost_" #name ", waypost_" #name "_end\n"                            \
          ".hidden waypost_" #name ", waypost_" #name "_end\n"                           \
          ".type waypost_" #name ",%object\n"                                            \
          "waypost_" #name ":\n"                                                         \
          ".incbin \"" file "\"\n"                                                       \
          "waypost_" #name "_end:\n"                                                     \
          ".size waypost_" #name ", . - waypost_" #name "\n"                             \
          ".popsection\n");                                                              \
  extern const unsigned char waypost_##name##_end[];

#define EMBED(name, file)                                                                \
  PUT(name, file)                                                                        \
  const unsigned char *waypost_##name##_bytes(void) { return waypost_##name; }           \
  size_t waypost_##name##_size(void) { return (size_t)(waypost_##name##_end - waypost_##name); }

// A file that is found by its name, without accessors of its own.
#define EMBED_FILE(name, file)                                                           \
  PUT(trailhead_##name, file)                                                            \
  extern const unsigned char waypost_trailhead_##name[];
#define FILE_OF(name, file) {file, waypost_trailhead_##name, waypost_trailhead_##name##_end}

EMBED(font, "DejaVuSans.ttf")
EMBED(noto_regular, "NotoSans-Regular.ttf")
EMBED(noto_italic, "NotoSans-Italic.ttf")
EMBED(noto_semibold, "NotoSans-SemiBold.ttf")
EMBED(world_map, "world.pmtiles")
EMBED(toner_map, "toner.pmtiles")
EMBED(natural_earth, "natural-earth.pmtiles")

// Most linkers put these files into a read-only segment. Debian's puts them into one segment with
// Swift's writable constants, so only pages that belong to the files alone are given back: nothing
// writes to them, and the kernel reads them from the program's file again.
size_t waypost_release_bundled(void) {
  static const struct {
    const unsigned char *start, *end;
  } files[] = {
      {waypost_font, waypost_font_end},
      {waypost_noto_regular, waypost_noto_regular_end},
      {waypost_noto_italic, waypost_noto_italic_end},
      {waypost_noto_semibold, waypost_noto_semibold_end},
      {waypost_world_map, waypost_world_map_end},
      {waypost_toner_map, waypost_toner_map_end},
      {waypost_natural_earth, waypost_natural_earth_end},
  };
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  size_t released = 0;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    // Whole pages only: what is beside a file may have been written.
    uintptr_t start = ((uintptr_t)files[i].start + page - 1) / page * page;
    uintptr_t end = (uintptr_t)files[i].end / page * page;
    if (start < end && madvise((void *)start, end - start, MADV_DONTNEED) == 0)
      released += end - start;
  }
  return released;
}

// The style "trailhead" and its sprite sheets, found by name.
EMBED_FILE(protomaps_day, "trailhead/protomaps-day.json")
EMBED_FILE(protomaps_night, "trailhead/protomaps-night.json")
EMBED_FILE(protomaps_red, "trailhead/protomaps-red.json")
EMBED_FILE(openmaptiles_day, "trailhead/openmaptiles-day.json")
EMBED_FILE(openmaptiles_night, "trailhead/openmaptiles-night.json")
EMBED_FILE(openmaptiles_red, "trailhead/openmaptiles-red.json")
EMBED_FILE(shortbread_day, "trailhead/shortbread-day.json")
EMBED_FILE(shortbread_night, "trailhead/shortbread-night.json")
EMBED_FILE(shortbread_red, "trailhead/shortbread-red.json")
EMBED_FILE(naturalearth_day, "trailhead/naturalearth-day.json")
EMBED_FILE(naturalearth_night, "trailhead/naturalearth-night.json")
EMBED_FILE(naturalearth_red, "trailhead/naturalearth-red.json")
EMBED_FILE(sprite_day_json, "trailhead/sprite-day.json")
EMBED_FILE(sprite_day_png, "trailhead/sprite-day.png")
EMBED_FILE(sprite_day_2x_json, "trailhead/sprite-day@2x.json")
EMBED_FILE(sprite_day_2x_png, "trailhead/sprite-day@2x.png")
EMBED_FILE(sprite_night_json, "trailhead/sprite-night.json")
EMBED_FILE(sprite_night_png, "trailhead/sprite-night.png")
EMBED_FILE(sprite_night_2x_json, "trailhead/sprite-night@2x.json")
EMBED_FILE(sprite_night_2x_png, "trailhead/sprite-night@2x.png")

static const struct {
  const char *name;
  const unsigned char *bytes, *end;
} trailhead[] = {
    FILE_OF(protomaps_day, "protomaps-day.json"),
    FILE_OF(protomaps_night, "protomaps-night.json"),
    FILE_OF(protomaps_red, "protomaps-red.json"),
    FILE_OF(openmaptiles_day, "openmaptiles-day.json"),
    FILE_OF(openmaptiles_night, "openmaptiles-night.json"),
    FILE_OF(openmaptiles_red, "openmaptiles-red.json"),
    FILE_OF(shortbread_day, "shortbread-day.json"),
    FILE_OF(shortbread_night, "shortbread-night.json"),
    FILE_OF(shortbread_red, "shortbread-red.json"),
    FILE_OF(naturalearth_day, "naturalearth-day.json"),
    FILE_OF(naturalearth_night, "naturalearth-night.json"),
    FILE_OF(naturalearth_red, "naturalearth-red.json"),
    FILE_OF(sprite_day_json, "sprite-day.json"),
    FILE_OF(sprite_day_png, "sprite-day.png"),
    FILE_OF(sprite_day_2x_json, "sprite-day@2x.json"),
    FILE_OF(sprite_day_2x_png, "sprite-day@2x.png"),
    FILE_OF(sprite_night_json, "sprite-night.json"),
    FILE_OF(sprite_night_png, "sprite-night.png"),
    FILE_OF(sprite_night_2x_json, "sprite-night@2x.json"),
    FILE_OF(sprite_night_2x_png, "sprite-night@2x.png"),
};

const unsigned char *waypost_trailhead(const char *file, size_t *size) {
  for (size_t i = 0; i < sizeof trailhead / sizeof trailhead[0]; i++) {
    if (strcmp(file, trailhead[i].name) == 0) {
      *size = (size_t)(trailhead[i].end - trailhead[i].bytes);
      return trailhead[i].bytes;
    }
  }
  *size = 0;
  return NULL;
}

// Waypost's words, one file a language, found by the language's code.
#define EMBED_WORDS(language)                                                            \
  PUT(words_##language, "words/" #language ".txt")                                       \
  extern const unsigned char waypost_words_##language[];
#define WORDS_OF(language) {#language, waypost_words_##language, waypost_words_##language##_end}

EMBED_WORDS(ar)
EMBED_WORDS(de)
EMBED_WORDS(en)
EMBED_WORDS(es)
EMBED_WORDS(fr)
EMBED_WORDS(hi)
EMBED_WORDS(it)
EMBED_WORDS(ja)
EMBED_WORDS(ko)
EMBED_WORDS(nl)
EMBED_WORDS(pl)
EMBED_WORDS(pt)
EMBED_WORDS(ro)
EMBED_WORDS(ru)
EMBED_WORDS(uk)
EMBED_WORDS(zh)

static const struct {
  const char *language;
  const unsigned char *bytes, *end;
} words[] = {WORDS_OF(ar), WORDS_OF(de), WORDS_OF(en), WORDS_OF(es), WORDS_OF(fr), WORDS_OF(hi), WORDS_OF(it), WORDS_OF(ja), WORDS_OF(ko), WORDS_OF(nl), WORDS_OF(pl), WORDS_OF(pt), WORDS_OF(ro), WORDS_OF(ru), WORDS_OF(uk), WORDS_OF(zh)};

const unsigned char *waypost_words(const char *language, size_t *size) {
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strcmp(language, words[i].language) == 0) {
      *size = (size_t)(words[i].end - words[i].bytes);
      return words[i].bytes;
    }
  }
  *size = 0;
  return NULL;
}
