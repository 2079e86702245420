import { and, type ComparisonNode, comparison, type FilterNode, not, or } from '@rowkey/odata'
import type { QueryModel } from '../query-model.ts'
import { everyKey, exactly, type KeySpan, overlapOf, spanFilter, startingWith } from './key-span.ts'
import type { KeyPart, KeyTemplate } from './key-template.ts'
import { isSpan, type PartObstacle, partSpan } from './part-span.ts'
import { type AskedPart, partTests } from './part-tests.ts'
import { refusePart } from './refuse-part.ts'

type KeyName = 'PartitionKey' | 'RowKey'

/** Turns conditions on parts of keys into conditions on the keys, which the service can look up. */
export class KeyLowering {
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

  /**
   * The filter that matches the same entities of the model by their keys. What the keys have in common
   * is said too: rows of other models in the same table are not meant.
   *
   * @throws {@link QueryError} for a condition on a part that the keys cannot answer, where the part is
   * not stored by itself
   */
  lower(filter: FilterNode | undefined): FilterNode | undefined {
    const spans = new Map<KeyName, KeySpan>()
    for (const [name, template] of this.#templates) {
      const span = commonSpan(template)
      if (span !== undefined) spans.set(name, span)
    }
    const conditions = filter === undefined ? [] : conjunctsOf(filter)
    const lowered = this.#lowerAll(conditions, new Map(), spans)
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
    // As short as it can be said; `lowered` is `eq`, on the key or on the stored property.
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
    for (const test of tests) {
      if (this.#narrow(spans, known, test)) for (const node of test.asked) asked.add(node)
    }
    const rest = conditions.filter((node) => !asked.has(node))
    const isPartition = (node: FilterNode) =>
      node.kind === 'comparison' && node.property === 'PartitionKey'
    return and(
      ...rest.filter(isPartition),
      ...this.#templates.flatMap(([name]) => {
        const span = spans.get(name)
        return span === undefined ? [] : [spanFilter(name, span)]
      }),
      ...rest.filter((node) => !isPartition(node)).map((node) => this.#lowerOther(node, known)),
    )
  }

  /** A condition that is no stretch of keys by itself; a comparison that was left is on its column. */
  #lowerOther(node: FilterNode, known: ReadonlyMap<string, unknown>): FilterNode {
    const isLeft =
      node.kind === 'comparison' && !(isUnequal(node) && this.#parts.has(node.property))
    return isLeft ? node : this.#lowerNode(node, known)
  }

  /**
   * Narrows the keys by a question about a part.
   *
   * @returns false when they cannot be, and the stored property must be asked
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
      if (isSpan(found)) {
        spans.set(name, overlapOf(spans.get(name) ?? everyKey, found))
        narrowed = true
      } else obstacles.push(found)
    }
    if (narrowed || this.#parts.get(test.property)?.stored) return narrowed
    throw refusePart(this.#model, test, obstacles)
  }
}

/** What all keys of a template lie in; `undefined` when that is no bound. */
function commonSpan({ segments }: KeyTemplate): KeySpan | undefined {
  const [first, second] = segments
  if (typeof first === 'object') return undefined
  return second === undefined ? exactly(first ?? '') : startingWith(first ?? '')
}

function conjunctsOf(node: FilterNode): readonly FilterNode[] {
  return node.kind === 'and' ? node.operands.flatMap(conjunctsOf) : [node]
}

function isUnequal(node: FilterNode): node is ComparisonNode & { readonly operator: 'ne' } {
  return node.kind === 'comparison' && node.operator === 'ne'
}
