import type { ComparisonNode, ComparisonOperator, FilterNode } from '@rowkey/odata'
import { prefixEnd } from '../condition/prefix-end.ts'
import type { KeyPart } from './key-template.ts'
import type { PartTest } from './part-span.ts'

/** A comparison that asks about a part of a key; `ne` is asked as the opposite of `eq`. */
type PartComparison = ComparisonNode & { readonly operator: Exclude<ComparisonOperator, 'ne'> }

/** A question about a part of a key, and the comparisons that it was asked by. */
export interface AskedPart {
  /** What is asked. */
  readonly test: PartTest
  /** The comparisons. */
  readonly asked: readonly ComparisonNode[]
}

/**
 * The questions about parts among conditions that must all hold. `ge` some text and `lt` what follows
 * all that begins with it are one question: that is how `startsWith` is asked.
 *
 * @param conditions - the conditions
 * @param partOf - the part of a key that a property is, if it is one
 */
export function partTests(
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

/** The comparison that makes `ge` a question about a prefix. */
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

/** A part in order that keeps no prefixes, such as a Guid, is asked for each bound by itself. */
function mayBePrefix(part: KeyPart | undefined): boolean {
  return part?.order === undefined || part.prefixes === true
}
