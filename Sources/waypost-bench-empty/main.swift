// Nothing: what starting a Swift program costs.
