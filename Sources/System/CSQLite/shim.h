#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift cannot pass. */
static inline int csqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}
