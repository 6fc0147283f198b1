#include <expat.h>

// expat 2.9 deprecates these in favour of 64-bit functions. The library on a board is often older
// than the one that a program was built with and may lack those. A `long` has 64 bits on all
// boards.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long waypost_xml_line(XML_Parser parser) {
  return XML_GetCurrentLineNumber(parser);
}
static inline long waypost_xml_byte(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
#pragma clang diagnostic pop
