import Testing

@Suite struct FirstTests {}
