import {
  annotationName,
  DecodeError,
  type EdmType,
  keyOfRaw,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import { type ColumnCodec, hasForm } from './column-codec.ts'
import { memberJson, readMember, type StoredValue, widen } from './stored-member.ts'

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

/**
 * Returns a row as it would be stored without encryption and without cutting long values.
 *
 * @throws InputError (`ConversionFailed`) when a piece of a long value is missing
 * @throws DecodeError (`DecryptionFailed`) when a value was altered
 */
export function revealedRaw(columns: readonly ColumnCodec[], raw: RawEntity): RawEntity {
  const hidden = columns.filter(({ seal, chunks }) => seal !== undefined || chunks !== undefined)
  if (hidden.length === 0) return raw
  const revealed: Record<string, unknown> = { ...raw }
  for (const column of hidden) {
    const stored = readStored(column, raw)
    if (stored === undefined) continue
    delete revealed[column.annotation]
    for (const name of column.chunks?.further ?? []) {
      delete revealed[name]
      delete revealed[annotationName(name)]
    }
    const member = memberJson(column.member, stored.type, stored.value).slice(1) // after its comma
    Object.assign(revealed, parseEntityObject(`{${member}}`))
  }
  return revealed
}
