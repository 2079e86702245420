import {
  type EdmType,
  type EdmValue,
  edmCodecs,
  inferEdmType,
  isEdmType,
  PropertyValueError,
  type RawEntity,
} from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { widen } from './widen.ts'

/**
 * One column's value from an entity as it came.
 *
 * @returns `undefined` when the property is not stored
 * @throws {@link PropertyValueError} when it is stored as a type that does not fit the declared one
 */
export function readColumn(column: ColumnCodec, raw: RawEntity): EdmValue | undefined {
  const json = raw[column.name]
  // An absent `toString` or `__proto__` is found on Object.prototype: neither is a JSON scalar.
  if (
    json === undefined ||
    json === null ||
    typeof json === 'object' ||
    typeof json === 'function'
  ) {
    return undefined
  }
  const type = typeOnWire(column, json, raw[column.annotation])
  const value = edmCodecs[type].readJson(json, column.label)
  if (column.type === undefined || column.type === type) return value
  return widen({ type, value }, column.type) ?? refuse(column, column.type, type)
}

function typeOnWire(column: ColumnCodec, json: unknown, annotation: unknown): EdmType {
  // Whole Doubles come annotated, so what is left shows its type.
  if (annotation === undefined) return inferEdmType(json) ?? 'String' // every JSON scalar has a type
  const type = typeof annotation === 'string' ? annotation.replace('Edm.', '') : annotation
  if (isEdmType(type)) return type
  throw new PropertyValueError({
    property: column.label,
    type: column.type ?? 'String',
    message: `${column.label} is stored as '${String(annotation)}', which is no Edm type that tables know.`,
  })
}

function refuse(column: ColumnCodec, declared: EdmType, stored: EdmType): never {
  throw new PropertyValueError({
    property: column.label,
    type: declared,
    message: `${column.label} is declared as ${declared}, and the stored property '${column.name}' is of type ${stored}, which does not fit without loss. Declare it as @Property('${stored}'), or rewrite the stored entities.`,
  })
}
