import MapStyle
import VectorTiles

/// The filters of a layer's rules, as tests that lead from one to the next.
///
/// A test that reads only one property, or only the geometry's type, is evaluated once for each of
/// its values. A feature with a new combination of properties, such as a name and a rank of its
/// own, then costs only a few table lookups.
///
/// It belongs to one thread.
final class FilterProgram {
  /// Where a rule's filter begins or continues, or how it ends.
  typealias Step = Int32
  static let isTrue: Step = -1
  static let isFalse: Step = -2

  /// What a test's answer depends on.
  private enum Subject {
    /// The value at a place of the tuple.
    case value(slot: Int)
    /// Whether there is a value at a place of the tuple.
    case presence(slot: Int)
    /// The kind of the geometry.
    case kind
    /// Nothing of the feature.
    case nothing
    /// Several things.
    case feature
  }

  private struct Branch {
    let subject: Subject
    /// Where its answers are in `answers`.
    let start: Int
    let ifTrue: Step
    let ifFalse: Step
  }

  /// How many answers are kept; tests beyond that are evaluated for each tuple.
  private static let mostAnswers = 1 << 20

  private let slots: [String: Int]
  private let values: LayerValues
  private var branches: [Branch] = []
  /// The test of each branch.
  private var tests: [StyleFilterTest] = []
  /// 0: not known yet, 1: false, 2: true, 3: the test fails.
  private var answers: [UInt8] = []
  private var answerCount = 0

  /// Creates an empty program for a layer. `slots` has the place of each key in tuples; no feature
  /// has other keys.
  init(_ values: LayerValues, slots: [String: Int]) {
    self.values = values
    self.slots = slots
  }

  /// Adds a filter; returns its first step. Call `finish` after the last one.
  func add(_ filter: StyleFilter) -> Step { add(filter.parts, Self.isTrue, Self.isFalse) }

  /// Makes room for the answers.
  func finish() { answers = [UInt8](repeating: 0, count: answerCount) }

  /// Adds a part whose answers lead to these steps.
  private func add(_ part: StyleFilterPart, _ ifTrue: Step, _ ifFalse: Step) -> Step {
    switch part {
    case .not(let part): return add(part, ifFalse, ifTrue)
    case .all(let parts):
      return parts.reversed().reduce(ifTrue) { next, part in add(part, next, ifFalse) }
    case .any(let parts):
      return parts.reversed().reduce(ifFalse) { next, part in add(part, ifTrue, next) }
    case .test(let test):
      var subject = subject(of: test)
      let count = count(of: subject)
      if answerCount + count > Self.mostAnswers { subject = .feature }
      branches.append(
        Branch(subject: subject, start: answerCount, ifTrue: ifTrue, ifFalse: ifFalse))
      tests.append(test)
      if case .feature = subject {} else { answerCount += count }
      return Step(truncatingIfNeeded: branches.count - 1)
    }
  }

  private func subject(of test: StyleFilterTest) -> Subject {
    let reads = test.reads
    if reads.allKeys || reads.id || reads.keys.count > 1 { return .feature }
    guard let key = reads.keys.first else { return reads.geometry ? .kind : .nothing }
    if reads.geometry { return .feature }
    // No feature has a value of a key that the layer does not have.
    guard let slot = slots[key] else { return .nothing }
    return test.isPresence ? .presence(slot: slot) : .value(slot: slot)
  }

  private func count(of subject: Subject) -> Int {
    switch subject {
    case .value: values.count + 1
    case .presence: 2
    case .kind: 4
    case .nothing: 1
    case .feature: 0
    }
  }

  /// Whether a filter draws a feature.
  ///
  /// - Parameters:
  ///   - first: The filter's first step.
  ///   - tuple: The feature's values.
  ///   - kind: What its geometry consists of.
  ///   - bare: The feature without properties and id.
  ///   - full: The feature with all that filters read.
  /// - Returns: True if it does.
  func matches(
    _ first: Step, _ tuple: UnsafeMutableBufferPointer<UInt32>, _ kind: VectorGeometryKind,
    _ bare: StyleContext, _ full: () -> StyleContext
  ) -> Bool {
    var step = first
    while step >= 0 {
      let branch = branches[Int(step)]
      var value: UInt32?
      let place: Int
      switch branch.subject {
      case .value(let slot):
        value = tuple[slot]
        place = branch.start + Int(tuple[slot])
      case .presence(let slot):
        value = tuple[slot]
        place = branch.start + (values.has(Int(tuple[slot]) - 1) ? 1 : 0)
      case .kind: place = branch.start + Int(kind.rawValue)
      case .nothing: place = branch.start
      case .feature: place = -1
      }
      var answer = place < 0 ? 0 : answers[place]
      if answer == 0 {
        let test = tests[Int(step)]
        let holds: Bool?
        if place < 0 {
          holds = test.holds(full())
        } else {
          let value = value.flatMap { $0 == 0 ? nil : values[Int($0 - 1)] }
          holds = test.holds(bare, value: value)
        }
        if let holds { answer = holds ? 2 : 1 } else { answer = 3 }
        if place >= 0 { answers[place] = answer }
      }
      if answer == 3 { return false }
      step = answer == 2 ? branch.ifTrue : branch.ifFalse
    }
    return step == Self.isTrue
  }
}

/// The values of a layer as the style language has them, each decoded when it is first needed: most
/// occur in many features.
///
/// It belongs to one thread.
final class LayerValues {
  private let layer: VectorLayer
  private var known: [StyleValue?]

  init(_ layer: VectorLayer) {
    self.layer = layer
    known = [StyleValue?](repeating: nil, count: layer.valueCount)
  }

  /// How many values there are.
  var count: Int { known.count }

  /// Whether there is a value of a number.
  func has(_ index: Int) -> Bool { index >= 0 && layer.hasValue(index) }

  /// The value of a number; nil if there is none.
  subscript(index: Int) -> StyleValue? {
    guard known.indices.contains(index) else { return nil }
    if let value = known[index] { return value }
    known[index] = layer.value(index).map(StyleValue.init)
    return known[index]
  }
}
