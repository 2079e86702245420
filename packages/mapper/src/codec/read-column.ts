import { DecodeError, type EdmType, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { hasForm } from './declared-form.ts'
import { readMember } from './read-member.ts'
import { type StoredValue, widen } from './widen.ts'

/**
 * Reads one column's value from a row.
 *
 * @returns `undefined` when the property is not stored
 * @throws DecodeError (`UnreadableProperty`) when its stored type does not fit the declared one
 * @throws InputError (`ConversionFailed`) when it cannot be converted
 */
export function readColumn(column: ColumnCodec, raw: RawEntity): unknown {
  const { form } = column
  if (form !== undefined && hasForm(form, column, raw)) {
    return form.codec.readJson(raw[column.name], column.label)
  }
  const stored = readStored(column, raw)
  if (stored === undefined || column.type === undefined) return stored?.value
  const value = widen(stored, column.type) ?? refuse(column, column.type, stored.type)
  return column.conversion === undefined
    ? value
    : column.conversion.fromStored(value, keyOfRaw(raw))
}

/**
 * Reads one column's value and its stored type from a row: joined when it is cut, decrypted when it is
 * encrypted, but not converted.
 *
 * @returns `undefined` when the property is not stored
 * @throws DecodeError (`UnreadableProperty`) when it is not a value of that type
 * @throws InputError (`ConversionFailed`) when a part of it is missing
 * @throws DecodeError (`DecryptionFailed`) when it is not what was encrypted
 */
export function readStored(column: ColumnCodec, raw: RawEntity): StoredValue | undefined {
  const first = readMember(column, raw, column.label)
  if (first === undefined) return undefined
  const stored = column.chunks === undefined ? first : column.chunks.read(first, raw)
  return column.seal === undefined ? stored : column.seal.open(stored, keyOfRaw(raw))
}

function refuse(column: ColumnCodec, declared: EdmType, stored: EdmType): never {
  throw new DecodeError({
    code: 'UnreadableProperty',
    details: { property: column.label },
    message:
      `${column.label} is declared as ${declared}, but the stored property '${column.name}' is ` +
      `of type ${stored}, which cannot be converted without loss. Declare it as ` +
      `@Property('${stored}'), or rewrite the stored entities.`,
  })
}
