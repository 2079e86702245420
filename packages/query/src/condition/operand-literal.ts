import {
  type EdmCodec,
  EntityProperty,
  edmCodecs,
  type FilterLiteral,
  inferEdmType,
} from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryColumn, QueryModel } from '../query-model.ts'

/**
 * The constant that a property is compared with. The column's declared type decides how it is
 * written (`5L` on an Int64, `5.0` on a Double); where there is none, the value's own.
 *
 * @throws {@link QueryError} when the operand is `null`, `undefined` or no Edm value
 * @throws PropertyValueError when the operand cannot be a value of the column's type
 */
export function operandLiteral(
  model: QueryModel,
  column: QueryColumn,
  operand: unknown,
): FilterLiteral {
  const typed: EntityProperty | undefined = operand instanceof EntityProperty ? operand : undefined
  const value = typed === undefined ? storedOperand(column, operand) : typed.value
  const type = column.type ?? typed?.type ?? inferEdmType(value)
  if (type === undefined || value === null || value === undefined) {
    throw new QueryError({
      model: model.name,
      property: column.property,
      message: `${model.name}.${column.property} cannot be compared with ${refusal(value)}`,
    })
  }
  const codec: EdmCodec = edmCodecs[type]
  return Object.freeze({ type, value: codec.accept(value, column.property) })
}

function storedOperand({ toStored }: QueryColumn, operand: unknown): unknown {
  if (toStored === undefined || operand === null || operand === undefined) return operand
  return toStored(operand)
}

function refusal(value: unknown): string {
  return value === null || value === undefined
    ? `${value}: it is never stored, and every comparison with an absent property is false. Leave the condition out, or check the value first.`
    : `a value of type ${typeof value} that is no Edm value. Give a string, number, bigint, boolean, Date or Uint8Array.`
}
