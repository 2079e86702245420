import { EntityProperty, type FilterLiteral, type FilterNode } from '@rowkey/odata'

/** Tells whether two trees have the same nodes, order and literals. It is fast enough for millions of trees. */
export function isSameTree(one: FilterNode | undefined, other: FilterNode | undefined): boolean {
  if (one === undefined || other === undefined || one.kind !== other.kind) return false
  switch (one.kind) {
    case 'comparison':
      return (
        other.kind === one.kind &&
        one.property === other.property &&
        one.operator === other.operator &&
        isSameLiteral(one.literal, other.literal)
      )
    case 'property':
      return other.kind === one.kind && one.property === other.property
    case 'constant':
      return other.kind === one.kind && one.value === other.value
    case 'not':
      return other.kind === one.kind && isSameTree(one.operand, other.operand)
    case 'and':
    case 'or':
      return (
        other.kind === one.kind &&
        one.operands.length === other.operands.length &&
        one.operands.every((operand, index) => isSameTree(operand, other.operands[index]))
      )
    case 'raw':
      return other.kind === one.kind && one.text === other.text
  }
}

/** Compares type and exact value: NaN equals NaN, and -0 does not equal 0. */
function isSameLiteral(one: FilterLiteral, other: FilterLiteral): boolean {
  if (one.type !== other.type) return false
  return EntityProperty.of(one.value, one.type).equals(EntityProperty.of(other.value, other.type))
}
