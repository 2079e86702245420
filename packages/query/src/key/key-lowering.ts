import {
  and,
  type ComparisonNode,
  type ComparisonOperator,
  comparison,
  conjunctsOf,
  type FilterNode,
  type InputError,
  not,
  or,
  prefixEnd,
} from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import type { KeyPart, KeyTemplate, QueryModel } from '../model/query-model.ts'
import { KeySpan } from './key-span.ts'

type KeyName = 'PartitionKey' | 'RowKey'

/**
 * Makes the filter that matches the same entities of a model by their keys. It also has what the keys have in common,
 * which excludes rows of other models in the same table.
 *
 * @param model - the model; without templates of keys the filter stays as it is
 * @param filter - every condition; `undefined` without conditions
 * @throws InputError with the code `InvalidQuery` for a condition on a part that the keys cannot express, where the part
 * is not also stored by itself
 */
export function lowerKeys(
  model: QueryModel,
  filter: FilterNode | undefined,
): FilterNode | undefined {
  if (model.keys === undefined) return filter
  return new KeyLowering(model).lower(filter)
}

/** Turns conditions on parts of keys into conditions on the keys, which the service can look up. */
class KeyLowering {
  readonly #model: QueryModel
  readonly #templates: readonly (readonly [KeyName, KeyTemplate])[]
  readonly #parts = new Map<string, KeyPart>()

  /** @param model - a model with {@link QueryModel.keys} */
  constructor(model: QueryModel) {
    const { partitionKey, rowKey } = model.keys ?? {}
    const templates = [
      ['PartitionKey', partitionKey],
      ['RowKey', rowKey],
    ] as const
    this.#model = model
    this.#templates = templates.flatMap(([name, template]) => (template ? [[name, template]] : []))
    for (const [, { segments }] of this.#templates) {
      for (const segment of segments) {
        if (typeof segment === 'object') this.#parts.set(segment.property, segment)
      }
    }
  }

  lower(filter: FilterNode | undefined): FilterNode | undefined {
    const spans = new Map<KeyName, KeySpan>()
    for (const [name, template] of this.#model.keys?.hasOthers ? [] : this.#templates) {
      const span = commonSpan(template)
      if (span !== undefined) spans.set(name, span)
    }
    const lowered = this.#lowerAll(conjunctsOf(filter), new Map(), spans)
    return lowered.kind === 'constant' && lowered.value ? undefined : lowered
  }

  #lowerNode(node: FilterNode, known: ReadonlyMap<string, unknown>): FilterNode {
    switch (node.kind) {
      case 'or':
        return or(...node.operands.map((operand) => this.#lowerNode(operand, known)))
      case 'not':
        return not(this.#lowerNode(node.operand, known))
      case 'and':
      case 'comparison':
        return isUnequal(node) && this.#parts.has(node.property)
          ? this.#lowerUnequal(node, known)
          : this.#lowerAll(conjunctsOf(node), known, new Map())
      default:
        return node
    }
  }

  /** A part has a value in every key, so that `ne` is the opposite of `eq`. */
  #lowerUnequal(node: ComparisonNode, known: ReadonlyMap<string, unknown>): FilterNode {
    const equal = comparison(node.property, 'eq', node.literal)
    const lowered = this.#lowerNode(equal, known)
    if (lowered.kind !== 'comparison') return not(lowered)
    // The shorter form; `lowered` is `eq`, on the key or on the stored property.
    return comparison(lowered.property, 'ne', lowered.literal)
  }

  /** Conditions that must all hold. */
  #lowerAll(
    conditions: readonly FilterNode[],
    outer: ReadonlyMap<string, unknown>,
    spans: Map<KeyName, KeySpan>,
  ): FilterNode {
    const tests = partTests(conditions, (property) => this.#parts.get(property))
    const known = new Map(outer)
    for (const { test } of tests) {
      if (test.operator === 'eq' && !known.has(test.property)) known.set(test.property, test.value)
    }
    const asked = new Set<FilterNode>()
    for (const each of tests) {
      // One half of the key may be a part of the other; that of rows of other types is not.
      const isHalf = isKeyName(each.test.property)
      if (isHalf && this.#model.keys?.hasOthers) continue
      if (!this.#narrow(spans, known, each) || isHalf) continue
      for (const node of each.asked) asked.add(node)
    }
    const rest = conditions.filter((node) => !asked.has(node))
    const isPartition = (node: FilterNode) =>
      node.kind === 'comparison' && node.property === 'PartitionKey'
    return and(
      ...rest.filter(isPartition),
      ...this.#templates.flatMap(([name]) => {
        const span = spans.get(name)
        return span === undefined ? [] : [span.filter(name)]
      }),
      ...rest.filter((node) => !isPartition(node)).map((node) => this.#lowerOther(node, known)),
    )
  }

  /** A condition that is not a range of keys by itself; a comparison that is left is on its column. */
  #lowerOther(node: FilterNode, known: ReadonlyMap<string, unknown>): FilterNode {
    const isLeft =
      node.kind === 'comparison' && !(isUnequal(node) && this.#parts.has(node.property))
    return isLeft ? node : this.#lowerNode(node, known)
  }

  /**
   * Narrows the keys by the test of a part.
   *
   * @returns false when that is impossible, and the stored property must be compared
   */
  #narrow(
    spans: Map<KeyName, KeySpan>,
    known: ReadonlyMap<string, unknown>,
    { test }: AskedPart,
  ): boolean {
    const obstacles: PartObstacle[] = []
    let narrowed = false
    for (const [name, template] of this.#templates) {
      const found = partSpan(template, known, test)
      if (found instanceof KeySpan) {
        spans.set(name, (spans.get(name) ?? KeySpan.all).and(found))
        narrowed = true
      } else obstacles.push(found)
    }
    if (narrowed || this.#parts.get(test.property)?.stored) return narrowed
    throw notInKeys(this.#model, test, obstacles)
  }
}

/** The range that all keys of a template are in; `undefined` when it bounds nothing. */
function commonSpan({ segments }: KeyTemplate): KeySpan | undefined {
  const [first, second] = segments
  if (typeof first === 'object') return undefined
  return second === undefined ? KeySpan.of(first ?? '') : KeySpan.startingWith(first ?? '')
}

function isKeyName(property: string): boolean {
  return property === 'PartitionKey' || property === 'RowKey'
}

function isUnequal(node: FilterNode): node is ComparisonNode & { readonly operator: 'ne' } {
  return node.kind === 'comparison' && node.operator === 'ne'
}

/** Makes the error for a test of a part that no range of keys can express. */
function notInKeys(
  model: QueryModel,
  { property: tested, operator }: PartTest,
  obstacles: readonly PartObstacle[],
): InputError {
  const propertyOf = (stored: string) =>
    model.properties?.find((each) => model.column(each)?.name === stored) ?? stored
  const property = propertyOf(tested)
  const earlier = obstacles.flatMap((each) =>
    typeof each === 'object' ? [propertyOf(each.unknown)] : [],
  )
  const parts = earlier.join(' or ')
  const reason =
    earlier.length > 0
      ? `after ${parts}: add a condition that ${parts} equals a value.`
      : `where keys do not sort by ${property}, so ${operator} cannot be looked up: test for equality.`
  return invalidQuery(
    `${model.name}.${property} is stored only as a part of a key, ${reason} Or store ${property} as a property too.`,
    { model: model.name, property },
  )
}

/** A test of a part of a key: a comparison, or whether its text begins with another. */
interface PartTest {
  /** The part, by the name that filters use. */
  readonly property: string
  /** What is tested; `ne` is tested as the opposite of `eq`. */
  readonly operator: Exclude<ComparisonOperator, 'ne'> | 'startsWith'
  /** The value, or the text it begins with. */
  readonly value: unknown
}

/** Why a range of keys cannot express the test of a part. */
type PartObstacle = 'absent' | 'unordered' | { readonly unknown: string }

/**
 * Finds the range of keys that passes the test of one part, or tells why it has no range.
 *
 * @param template - what the key consists of
 * @param known - the values of the parts that other conditions fix
 * @param test - the test
 */
function partSpan(
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
      return hasPart(template, test.property) ? { unknown: segment.property } : 'absent'
    } else {
      prefix += segment.print(known.get(segment.property))
    }
  }
  return 'absent'
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
    return part.prefixes ? KeySpan.startingWith(prefix + part.print(value)) : 'unordered'
  }
  if (operator === 'eq') {
    const [next, more] = rest
    const text = prefix + part.print(value) + (typeof next === 'string' ? next : '')
    const isWhole = next === undefined || (typeof next === 'string' && more === undefined)
    return isWhole ? KeySpan.of(text) : KeySpan.startingWith(text)
  }
  // A shorter text sorts by what follows it, which belongs to another part.
  const isComparable = rest.length === 0 || part.fixedLength !== undefined
  if (part.order === undefined || !isComparable) return 'unordered'
  const inOrder = part.order === 'descending' ? FLIPPED[operator] : operator
  const bound = KeySpan.beside(inOrder, prefix + part.print(value), rest.length === 0)
  return KeySpan.startingWith(prefix).and(bound)
}

const FLIPPED = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const

/** A comparison with a part of a key; `ne` is tested as the opposite of `eq`. */
type PartComparison = ComparisonNode & { readonly operator: Exclude<ComparisonOperator, 'ne'> }

/** A test of a part of a key, and the comparisons that it comes from. */
interface AskedPart {
  /** The test. */
  readonly test: PartTest
  /** The comparisons that the test replaces. */
  readonly asked: readonly ComparisonNode[]
}

/**
 * Finds the tests of parts among conditions that must all hold. `ge` a text and `lt` the end of that
 * prefix are one test: that is how `startsWith` is written.
 *
 * @param conditions - the conditions
 * @param partOf - finds the part of a key that a property is, if it is one
 */
function partTests(
  conditions: readonly FilterNode[],
  partOf: (property: string) => KeyPart | undefined,
): AskedPart[] {
  const comparisons = conditions.filter(
    (node): node is PartComparison =>
      node.kind === 'comparison' && node.operator !== 'ne' && partOf(node.property) !== undefined,
  )
  const prefixes = new Map(
    comparisons
      .filter(({ property }) => mayBePrefix(partOf(property)))
      .map((node) => [node, prefixEndOf(node, comparisons)]),
  )
  const ends = new Set(prefixes.values())
  return comparisons
    .filter((node) => !ends.has(node))
    .map((node) => toAsked(node, prefixes.get(node)))
}

function toAsked(node: PartComparison, end: ComparisonNode | undefined): AskedPart {
  const { property, literal } = node
  const operator = end === undefined ? node.operator : 'startsWith'
  return {
    test: { property, operator, value: literal.value },
    asked: end === undefined ? [node] : [node, end],
  }
}

/** The comparison that makes `ge` the test of a prefix. */
function prefixEndOf(
  { property, operator, literal: { value } }: ComparisonNode,
  comparisons: readonly ComparisonNode[],
): ComparisonNode | undefined {
  if (operator !== 'ge' || typeof value !== 'string') return undefined
  const end = prefixEnd(value)
  return comparisons.find(
    (other) =>
      other.property === property && other.operator === 'lt' && other.literal.value === end,
  )
}

/** An ordered part that keeps no prefixes, such as a Guid, is tested for each bound by itself. */
function mayBePrefix(part: KeyPart | undefined): boolean {
  return part?.order === undefined || part.prefixes === true
}
