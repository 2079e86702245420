import {
  constant,
  type FilterNode,
  FilterSyntaxError,
  type LogicalNode,
  type NotNode,
} from './filter-node.ts'

/**
 * Joins conditions that must all hold. Operands that are `and` themselves are flattened; a single operand
 * is returned as it is, and no operand is `true`.
 *
 * @param nodes - the conditions
 * @throws `FilterSyntaxError` when conditions are nested more than 200 levels deep
 *
 * @example
 * ```ts
 * printFilter(and(booleanProperty('a'), or(booleanProperty('b'), booleanProperty('c')))) // 'a and (b or c)'
 * ```
 */
export function and(...nodes: readonly FilterNode[]): FilterNode {
  return combine('and', nodes) ?? constant(true)
}

/**
 * Joins conditions; at least one must hold. Operands that are `or` themselves are flattened; a single
 * operand is returned as it is, and no operand is `false`.
 *
 * @param nodes - the conditions
 * @throws `FilterSyntaxError` when conditions are nested more than 200 levels deep
 */
export function or(...nodes: readonly FilterNode[]): FilterNode {
  return combine('or', nodes) ?? constant(false)
}

/**
 * Makes the opposite of a condition. It is true of an entity that lacks the compared property.
 *
 * @param node - the condition
 * @throws `FilterSyntaxError` when conditions are nested more than 200 levels deep
 */
export function not(node: FilterNode): NotNode {
  return nested({ kind: 'not', operand: node }, [node])
}

/**
 * Lists the conditions that must all hold, those in parentheses too; none without a filter.
 *
 * @param node - the filter
 *
 * @example
 * ```ts
 * conjunctsOf(parseFilter('a and (b and c)')).map(printFilter) // ['a', 'b', 'c']
 * ```
 */
export function conjunctsOf(node: FilterNode | undefined): readonly FilterNode[] {
  if (node?.kind === 'and') return node.operands.flatMap(conjunctsOf)
  return node === undefined ? [] : [node]
}

/** The levels of `and`, `or` and `not` that a condition may have: safe for every stack. */
const MAX_LEVELS = 200

/** The levels of the nodes that {@link nested} froze. */
const levels = new WeakMap<FilterNode, number>()

/**
 * Freezes a node, and records its levels.
 *
 * @param node - the node
 * @param from - what it was made of; a node of the same kind was flattened, which adds no level
 * @throws `FilterSyntaxError` for too many levels
 */
function nested<Node extends LogicalNode | NotNode>(node: Node, from: readonly FilterNode[]): Node {
  const levelsOf = (part: FilterNode) =>
    (levels.get(part) ?? 0) + (node.kind !== 'not' && part.kind === node.kind ? 0 : 1)
  const most = from.reduce((level, part) => Math.max(level, levelsOf(part)), 0)
  if (most > MAX_LEVELS) {
    const message = `A filter may nest its conditions ${MAX_LEVELS} levels deep at most. Join many conditions in one call, such as a.or(b, c).`
    throw new FilterSyntaxError({ message, position: 0 })
  }
  levels.set(node, most)
  return Object.freeze(node)
}

function combine(kind: LogicalNode['kind'], nodes: readonly FilterNode[]): FilterNode | undefined {
  const [first, ...others] = nodes
  const known = first && gathered.get(first)
  if (first?.kind === kind && known !== undefined) return extended(kind, known, others, nodes)
  const operands = operandsOf(kind, nodes)
  if (operands.length < 2) return operands[0]
  if (operands.length < LONG) return nested({ kind, operands: Object.freeze(operands) }, nodes)
  return extended(kind, { all: operands, count: operands.length }, [], nodes)
}

/** Lists the operands of nodes, from left to right. */
function operandsOf(kind: LogicalNode['kind'], nodes: readonly FilterNode[]): FilterNode[] {
  return nodes.flatMap((node) => (node.kind === kind ? node.operands : [node]))
}

/** From here on, the operands of a chain are gathered in one list: each call of the chain would copy them all. */
const LONG = 32

/** The first operands of a list, to which a longer node of the same chain may have added its own. */
interface Gathered {
  readonly all: FilterNode[]
  readonly count: number
}

/** The operands of the nodes that {@link extended} made. */
const gathered = new WeakMap<FilterNode, Gathered>()

/** Makes a node with more operands than another, and copies them only when they are read. */
function extended(
  kind: LogicalNode['kind'],
  { all, count }: Gathered,
  others: readonly FilterNode[],
  nodes: readonly FilterNode[],
): LogicalNode {
  const own = all.length === count ? all : all.slice(0, count)
  for (const operand of operandsOf(kind, others)) own.push(operand)
  const operands = { all: own, count: own.length }
  let copy: readonly FilterNode[] | undefined
  const node: LogicalNode = {
    kind,
    get operands() {
      copy ??= Object.freeze(operands.all.slice(0, operands.count))
      return copy
    },
  }
  gathered.set(node, operands)
  return nested(node, nodes)
}
