/** A property that a filter can name. */
export interface KnownProperty {
  /** The stored name. */
  readonly name: string
  /** The name in a model. */
  readonly property?: string | undefined
  /** The types of its values. */
  readonly types: readonly string[]
}

/** A text that may follow. */
export interface Completion {
  /** What is inserted. */
  readonly text: string
  /** What it is: a type, or the name in a model. */
  readonly hint: string
}

/** What may replace a part of a filter. */
export interface Completions {
  /** Where the part begins. */
  readonly from: number
  readonly items: readonly Completion[]
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'equal',
  ne: 'not equal',
  gt: 'greater',
  ge: 'greater or equal',
  lt: 'less',
  le: 'less or equal',
}

/** A value of each type, as filters write it. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  String: ["''"],
  Boolean: ['true', 'false'],
  Int32: ['0'],
  Int64: ['0L'],
  Double: ['0.0'],
  DateTime: ["datetime'2026-01-01T00:00:00Z'"],
  Guid: ["guid'00000000-0000-0000-0000-000000000000'"],
  Binary: ["X''"],
}

const MOST = 12

/**
 * Finds what may follow in a filter: properties, then operators, then a value of the type, then `and` or `or`.
 *
 * @param before - the filter up to the caret
 * @param known - the properties of the table
 */
export function completeFilter(before: string, known: readonly KnownProperty[]): Completions {
  const [, word = ''] = /([\p{L}\p{N}_]*)$/u.exec(before) ?? []
  const from = before.length - word.length
  // A quote that is open at the caret begins a text.
  if ((before.match(/'/g)?.length ?? 0) % 2 === 1) return { from, items: [] }
  const words =
    before
      .slice(0, from)
      .replace(/'[^']*'/g, "''")
      .match(/[^\s()]+/g) ?? []
  const last = words.at(-1) ?? ''
  return { from, items: matching(following(last, words.at(-2) ?? '', known), word) }
}

/** What may follow two words of a filter. */
function following(
  last: string,
  beforeLast: string,
  known: readonly KnownProperty[],
): readonly Completion[] {
  if (Object.hasOwn(OPERATORS, last)) return literals(known.find(({ name }) => name === beforeLast))
  if (last === '' || /^(?:and|or|not)$/.test(last)) {
    const properties = known.map(({ name, property, types }) => ({
      text: name,
      hint: [property === name ? undefined : property, types.join(', ')]
        .filter(Boolean)
        .join(' · '),
    }))
    return last === 'not' ? properties : [...properties, { text: 'not', hint: 'negates' }]
  }
  if (known.some(({ name }) => name === last) && !Object.hasOwn(OPERATORS, beforeLast)) {
    return Object.entries(OPERATORS).map(([text, hint]) => ({ text, hint }))
  }
  return [
    { text: 'and', hint: 'both' },
    { text: 'or', hint: 'either' },
  ]
}

function literals(property: KnownProperty | undefined): readonly Completion[] {
  const types = property?.types ?? Object.keys(LITERALS)
  return types.flatMap((hint) => (LITERALS[hint] ?? []).map((text) => ({ text, hint })))
}

/** Those that begin like the word come first, then those that contain it. */
function matching(items: readonly Completion[], word: string): readonly Completion[] {
  const wanted = word.toLowerCase()
  const rank = ({ text, hint }: Completion): number => {
    if (text.toLowerCase().startsWith(wanted)) return 0
    const isHinted = wanted.length > 1 && hint.toLowerCase().includes(wanted)
    return isHinted || text.toLowerCase().includes(wanted) ? 1 : 2
  }
  return items
    .filter((item) => rank(item) < 2 && item.text !== word)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MOST)
}
