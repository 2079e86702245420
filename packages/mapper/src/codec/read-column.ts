import {
  EDM_TYPES,
  type EdmType,
  type EdmValue,
  edmCodecs,
  inferEdmType,
  PropertyValueError,
  type RawEntity,
} from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { type StoredValue, widen } from './widen.ts'

const annotatedTypes: ReadonlyMap<unknown, EdmType> = new Map(
  EDM_TYPES.map((type) => [`Edm.${type}`, type]),
)

/**
 * One column's value from an entity as it came.
 *
 * @returns `undefined` when the property is not stored
 * @throws {@link PropertyValueError} when it is stored as a type that does not fit the declared one
 */
export function readColumn(column: ColumnCodec, raw: RawEntity): EdmValue | undefined {
  const stored = readStored(column, raw)
  if (stored === undefined || column.type === undefined) return stored?.value
  return widen(stored, column.type) ?? refuse(column, column.type, stored.type)
}

/**
 * One column's value from an entity as it came, with the type it is stored as; decrypted, when the
 * column is encrypted.
 *
 * @returns `undefined` when the property is not stored
 * @throws {@link PropertyValueError} when it is no value of that type
 * @throws {@link DecryptionError} when it is not what was encrypted
 */
export function readStored(column: ColumnCodec, raw: RawEntity): StoredValue | undefined {
  const json = raw[column.name]
  // An absent `toString` or `__proto__` is found on Object.prototype: neither is a JSON scalar.
  if (json === undefined || typeof json === 'object' || typeof json === 'function') return undefined
  const type = typeOnWire(column, json, raw[column.annotation])
  const stored = { type, value: edmCodecs[type].readJson(json, column.label) }
  if (column.seal === undefined) return stored
  const key = { partitionKey: String(raw.PartitionKey), rowKey: String(raw.RowKey) }
  return column.seal.open(stored, key)
}

function typeOnWire(column: ColumnCodec, json: unknown, annotation: unknown): EdmType {
  // Whole Doubles come annotated, so what is left shows its type.
  if (annotation === undefined) return inferEdmType(json) ?? 'String' // it has one
  const type = annotatedTypes.get(annotation)
  if (type !== undefined) return type
  throw new PropertyValueError({
    property: column.label,
    type: column.type ?? 'String',
    message:
      `${column.label} is stored as '${String(annotation)}', which is no Edm type that tables ` +
      'know.',
  })
}

function refuse(column: ColumnCodec, declared: EdmType, stored: EdmType): never {
  throw new PropertyValueError({
    property: column.label,
    type: declared,
    message:
      `${column.label} is declared as ${declared}, and the stored property '${column.name}' is ` +
      `of type ${stored}, which does not fit without loss. Declare it as ` +
      `@Property('${stored}'), or rewrite the stored entities.`,
  })
}
