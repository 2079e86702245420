import type { ComparisonOperator } from '@rowkey/odata'
import { prefixEnd } from '../condition/prefix-end.ts'
import { everyKey, exactly, type KeySpan, overlapOf, startingWith } from './key-span.ts'
import type { KeyPart, KeyTemplate } from './key-template.ts'

/** What is asked about a part: a comparison, or that its text begins with another. */
export interface PartTest {
  /** The part, by the name that filters call it. */
  readonly property: string
  /** What is asked; `ne` is asked as the opposite of `eq`. */
  readonly operator: Exclude<ComparisonOperator, 'ne'> | 'startsWith'
  /** The value, or the text it begins with. */
  readonly value: unknown
}

/** Why a question about a part is none about the key. */
export type PartObstacle =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly earlier: string }
  | { readonly kind: 'unordered' }

/**
 * The keys that a question about one part comes to, exactly; or why they are no stretch.
 *
 * @param template - what the key is made of
 * @param known - the values of parts that are settled
 * @param test - what is asked
 */
export function partSpan(
  template: KeyTemplate,
  known: ReadonlyMap<string, unknown>,
  test: PartTest,
): KeySpan | PartObstacle {
  let prefix = ''
  for (const [index, segment] of template.segments.entries()) {
    if (typeof segment === 'string') {
      prefix += segment
    } else if (segment.property === test.property) {
      return spanAfter(prefix, segment, template.segments.slice(index + 1), test)
    } else if (!known.has(segment.property)) {
      return {
        kind: hasPart(template, test.property) ? 'unknown' : 'absent',
        earlier: segment.property,
      }
    } else {
      prefix += segment.print(known.get(segment.property))
    }
  }
  return { kind: 'absent' }
}

/** Whether a question came to keys. */
export function isSpan(found: KeySpan | PartObstacle): found is KeySpan {
  return !('kind' in found)
}

function hasPart({ segments }: KeyTemplate, property: string): boolean {
  return segments.some((segment) => typeof segment === 'object' && segment.property === property)
}

function spanAfter(
  prefix: string,
  part: KeyPart,
  rest: KeyTemplate['segments'],
  { operator, value }: PartTest,
): KeySpan | PartObstacle {
  if (operator === 'startsWith') {
    return part.prefixes ? startingWith(prefix + part.print(value)) : { kind: 'unordered' }
  }
  if (operator === 'eq') {
    const [next, more] = rest
    const text = prefix + part.print(value) + (typeof next === 'string' ? next : '')
    const isWhole = next === undefined || (typeof next === 'string' && more === undefined)
    return isWhole ? exactly(text) : startingWith(text)
  }
  // A shorter text sorts by what follows it, and that is another part's.
  const isComparable = rest.length === 0 || part.fixedLength !== undefined
  if (part.order === undefined || !isComparable) return { kind: 'unordered' }
  const inOrder = part.order === 'descending' ? FLIPPED[operator] : operator
  const bound = boundAt(prefix + part.print(value), inOrder, rest.length === 0)
  return overlapOf(startingWith(prefix), bound)
}

const FLIPPED = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const

/** The keys from a text on, or up to it, where all that begin with the text count as the text. */
function boundAt(text: string, operator: 'gt' | 'ge' | 'lt' | 'le', isWhole: boolean): KeySpan {
  switch (operator) {
    case 'ge':
      return { ...everyKey, low: text }
    case 'lt':
      return { ...everyKey, high: text, highInclusive: false }
    case 'gt':
      return isWhole
        ? { ...everyKey, low: text, lowInclusive: false }
        : { ...everyKey, low: prefixEnd(text) ?? text }
    case 'le':
      return isWhole
        ? { ...everyKey, high: text }
        : { ...everyKey, high: prefixEnd(text), highInclusive: false }
  }
}
