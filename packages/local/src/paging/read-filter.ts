import {
  type ComparisonNode,
  type EdmType,
  type FilterNode,
  FilterSyntaxError,
  parseFilter,
} from '@rowkey/odata'
import type { QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'

/** Properties whose type is known before any row is seen. */
export type KnownTypes = ReadonlyMap<string, EdmType>

/** The types of what every entity has. */
export const ENTITY_TYPES: KnownTypes = new Map<string, EdmType>([
  ['PartitionKey', 'String'],
  ['RowKey', 'String'],
  ['Timestamp', 'DateTime'],
])

/** The types of what every table has. */
export const TABLE_TYPES: KnownTypes = new Map<string, EdmType>([['TableName', 'String']])

/** The `$filter` as a tree; `undefined` when there is none, or a blank one. */
export function readFilter(query: QueryParameters, known: KnownTypes): FilterNode | undefined {
  const text = query.get('$filter')
  const filter = text === undefined ? undefined : parseText(text)
  if (filter !== undefined) checkTypes(filter, known)
  return filter
}

function parseText(text: string): FilterNode | undefined {
  try {
    return parseFilter(text)
  } catch (cause) {
    const position = cause instanceof FilterSyntaxError ? cause.position : 0
    throw new ServiceFault('InvalidInput', {
      text: `Syntax error at position ${position} in '${text}'.`,
      cause,
    })
  }
}

function checkTypes(node: FilterNode, known: KnownTypes): void {
  switch (node.kind) {
    case 'comparison':
      checkComparison(node, known)
      return
    case 'property':
      if (known.has(node.property)) throw notBoolean(known.get(node.property))
      return
    case 'and':
    case 'or':
      for (const operand of node.operands) checkTypes(operand, known)
      return
    case 'not':
      checkTypes(node.operand, known)
  }
}

function checkComparison({ property, operator, literal }: ComparisonNode, known: KnownTypes): void {
  const type = known.get(property)
  if (type === undefined || type === literal.type) return
  throw new ServiceFault('InvalidInput', {
    text: `A binary operator with incompatible types was detected. Found operand types 'Edm.${type}' and 'Edm.${literal.type}' for operator '${operator}'.`,
  })
}

function notBoolean(type: EdmType | undefined): ServiceFault {
  return new ServiceFault('InvalidInput', {
    text: `A condition of type 'Edm.${type}' was found where a Boolean is needed.`,
  })
}
