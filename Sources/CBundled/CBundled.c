// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CBundled.h"

// The build makes an object again when a file changes that the preprocessor looked at, and the
// assembler's files are not among those. Asking for them here makes them so.
#if !__has_include("DejaVuSans.ttf") || !__has_include("world.pmtiles") || \
    !__has_include("toner.pmtiles") || !__has_include("NotoSans-Regular.ttf") || \
    !__has_include("NotoSans-Italic.ttf") || !__has_include("NotoSans-SemiBold.ttf")
#error "data/ must be on the include path (Package.swift) and hold these files"
#endif

// The assembler copies each file into the object as it is; `.incbin` searches the include path,
// where the package puts data/. These directives are those of ELF for every processor.
#define EMBED(name, file)                                                                \
  __asm__(".pushsection .rodata." #name ",\"a\",%progbits\n"                             \
          ".balign 16\n"                                                                 \
          ".globl waypost_" #name ", waypost_" #name "_end\n"                            \
          ".hidden waypost_" #name ", waypost_" #name "_end\n"                           \
          ".type waypost_" #name ",%object\n"                                            \
          "waypost_" #name ":\n"                                                         \
          ".incbin \"" file "\"\n"                                                       \
          "waypost_" #name "_end:\n"                                                     \
          ".size waypost_" #name ", . - waypost_" #name "\n"                             \
          ".popsection\n");                                                              \
  extern const unsigned char waypost_##name##_end[];                                     \
  const unsigned char *waypost_##name##_bytes(void) { return waypost_##name; }           \
  size_t waypost_##name##_size(void) { return (size_t)(waypost_##name##_end - waypost_##name); }

EMBED(font, "DejaVuSans.ttf")
EMBED(noto_regular, "NotoSans-Regular.ttf")
EMBED(noto_italic, "NotoSans-Italic.ttf")
EMBED(noto_semibold, "NotoSans-SemiBold.ttf")
EMBED(world_map, "world.pmtiles")
EMBED(toner_map, "toner.pmtiles")
