// Filled by the module's first files.
