import {
  and,
  type ComparisonNode,
  comparison,
  type FilterNode,
  type InputError,
  not,
  or,
} from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import type { KeyPart, KeyTemplate, QueryModel } from '../model/query-model.ts'
import {
  type AskedPart,
  everyKey,
  exactly,
  isSpan,
  type KeySpan,
  overlapOf,
  type PartObstacle,
  type PartTest,
  partSpan,
  partTests,
  spanFilter,
  startingWith,
} from './key-span.ts'

type KeyName = 'PartitionKey' | 'RowKey'

/** A query as far as its keys are concerned. */
export interface LowerableQuery {
  /** The entities to read. */
  readonly model: QueryModel
  /** Every condition; `undefined` without conditions. */
  readonly filter: FilterNode | undefined
}

const lowerings = new WeakMap<QueryModel, KeyLowering>()
const lowered = new WeakMap<object, FilterNode | undefined>()

/**
 * Makes the filter that a query sends: conditions on parts of keys become conditions on the keys.
 *
 * @param query - where its model has no {@link QueryModel.keys} its filter stays as it is
 * @throws InputError with the code `InvalidQuery` for a condition on a part of a key that no condition on
 * the keys can express
 *
 * @example
 * ```ts
 * // with the keys `${state};${city}`: query.where({ state: 'WA', city: 'Seattle' })
 * loweredFilter(node) // PartitionKey eq 'WA;Seattle'
 * ```
 */
export function loweredFilter(query: LowerableQuery): FilterNode | undefined {
  const { model, filter } = query
  if (model.keys === undefined) return filter
  if (!lowered.has(query)) lowered.set(query, loweringOf(model).lower(filter))
  return lowered.get(query)
}

function loweringOf(model: QueryModel): KeyLowering {
  let lowering = lowerings.get(model)
  if (lowering === undefined) {
    lowering = new KeyLowering(model)
    lowerings.set(model, lowering)
  }
  return lowering
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

  /**
   * Makes the filter that matches the same entities of the model by their keys. It also has what the keys
   * have in common, which excludes rows of other models in the same table.
   *
   * @throws InputError with the code `InvalidQuery` for a condition on a part that the keys cannot
   * express, where the part is not also stored by itself
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
      if (isSpan(found)) {
        spans.set(name, overlapOf(spans.get(name) ?? everyKey, found))
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
  return second === undefined ? exactly(first ?? '') : startingWith(first ?? '')
}

function conjunctsOf(node: FilterNode): readonly FilterNode[] {
  return node.kind === 'and' ? node.operands.flatMap(conjunctsOf) : [node]
}

function isUnequal(node: FilterNode): node is ComparisonNode & { readonly operator: 'ne' } {
  return node.kind === 'comparison' && node.operator === 'ne'
}

/** Makes the error for a test of a part that no range of keys can express. */
function notInKeys(
  { name: model }: QueryModel,
  { property, operator }: PartTest,
  obstacles: readonly PartObstacle[],
): InputError {
  const earlier = obstacles.flatMap((each) => (each.kind === 'unknown' ? [each.earlier] : []))
  const parts = earlier.join(' or ')
  const reason =
    earlier.length > 0
      ? `after ${parts}: add a condition that ${parts} equals a value.`
      : `where keys do not sort by ${property}, so ${operator} cannot be looked up: test for equality.`
  return invalidQuery(
    `${model}.${property} is stored only as a part of a key, ${reason} Or store ${property} as a property too.`,
    { model, property },
  )
}
