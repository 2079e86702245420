import {
  and,
  type ComparisonNode,
  comparison,
  countComparisons,
  type EdmType,
  type EdmValue,
  type FilterNode,
  MAX_COMPARISONS,
  or,
  parseDateTime,
} from '@rowkey/odata'
import { columnsByName, type QueryColumn, type QueryModel } from '../model/query-model.ts'

/**
 * The least value of each type. A Double has none, because a filter cannot rely on `-INF`; nor has Binary, because the
 * service is not known to take an empty one.
 */
const LEAST: Readonly<Partial<Record<EdmType, EdmValue>>> = {
  Boolean: false,
  DateTime: parseDateTime('1601-01-01T00:00:00Z'),
  Guid: '00000000-0000-0000-0000-000000000000',
  Int32: -(2 ** 31),
  Int64: -(2n ** 63n),
  String: '',
}

/**
 * Keeps rows out whose property is stored as another type than the declared one. The service takes that value for less than
 * every constant, so `lt`, `le` and `ne` would find it. A second comparison, with the least value of the type, does not.
 *
 * A `not` stays as it is: it is also true of rows without the property. A filter that would exceed the 15 comparisons that
 * the service guarantees stays as it is, too.
 *
 * @param model - declares the types
 * @param filter - a condition on the model
 */
export function inDeclaredTypes(model: QueryModel, filter: FilterNode): FilterNode {
  const typed = typedFilter(filter, columnsByName(model))
  return countComparisons(typed) > MAX_COMPARISONS ? filter : typed
}

type Columns = ReadonlyMap<string, QueryColumn>

function typedFilter(filter: FilterNode, columns: Columns): FilterNode {
  switch (filter.kind) {
    case 'comparison':
      return typedAnd([filter], columns)
    case 'and':
      return typedAnd(filter.operands, columns)
    case 'or':
      return or(
        ...filter.operands.map((operand) =>
          isHalfOfSet(operand, filter.operands) ? operand : typedFilter(operand, columns),
        ),
      )
    default:
      return filter
  }
}

/** `a eq 0 or a ne 0` asks for every row that has the property, of any type. */
function isHalfOfSet(operand: FilterNode, operands: readonly FilterNode[]): boolean {
  if (operand.kind !== 'comparison' || operand.operator !== 'ne') return false
  return operands.some(
    (other) =>
      other.kind === 'comparison' && other.operator === 'eq' && other.property === operand.property,
  )
}

function typedAnd(operands: readonly FilterNode[], columns: Columns): FilterNode {
  const typed = new Set(
    operands.flatMap((each) => (showsType(each, columns) ? [each.property] : [])),
  )
  return and(
    ...operands.flatMap((operand) => {
      if (operand.kind !== 'comparison') return [typedFilter(operand, columns)]
      const least = leastOf(operand, columns)
      if (least === undefined || typed.has(operand.property)) return [operand]
      typed.add(operand.property)
      return [operand, least]
    }),
  )
}

/** Tells whether only a value of the declared type matches. */
function showsType(node: FilterNode, columns: Columns): node is ComparisonNode {
  if (node.kind !== 'comparison' || !['eq', 'ge', 'gt'].includes(node.operator)) return false
  return columns.get(node.property)?.type === node.literal.type
}

function leastOf(
  { property, literal }: ComparisonNode,
  columns: Columns,
): ComparisonNode | undefined {
  const column = columns.get(property)
  const value = LEAST[literal.type]
  if (value === undefined || column?.type !== literal.type || column.inKey) return undefined
  return SYSTEM.has(property)
    ? undefined
    : comparison(property, 'ge', { ...literal, value } as never)
}

/** They have one type in every row. */
const SYSTEM: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey', 'Timestamp'])
