import {
  annotationName,
  DecodeError,
  type EdmCodec,
  type EdmType,
  edmCodecs,
  keyOfRaw,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import { ValueConversion } from '../convert/value-conversion.ts'
import type { ValueSeal } from '../encryption/value-seal.ts'
import {
  memberJson,
  readMember,
  type StoredMember,
  type StoredValue,
  storedMember,
  storedNames,
  widen,
} from '../member/stored-member.ts'
import { ValueChunks } from '../member/value-chunks.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'

/**
 * One column, prepared for reading and writing.
 *
 * A write converts a value, compares it with the stored one, encrypts it and cuts it, in this order. A
 * read does the reverse. Most columns only compare.
 */
export interface ColumnCodec extends StoredMember {
  /** The member in the class. */
  readonly property: string
  /** The place of its value in the array that the member is; `undefined` for other members. */
  readonly slot?: { readonly at: number; readonly of: number } | undefined
  /** The declared type; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** The kind of its values, where the compiler recorded it and the type is open; `undefined` otherwise. */
  readonly kind: Column['kind']
  /** How its values look in a response; `undefined` when they are converted, encrypted or cut. */
  readonly form: DeclaredForm | undefined
  /** Whether the member has a getter and no setter: it is written, and never assigned. */
  readonly computed: boolean
  /** `Class.member`, for messages. */
  readonly label: string
  /** Whether the schema gives it a default. */
  readonly hasDefault: boolean
  /** Converts its values; `undefined` when they are Edm values. */
  readonly conversion: ValueConversion | undefined
  /** Encrypts and decrypts its values; `undefined` when they are stored in the clear. */
  readonly seal: ValueSeal | undefined
  /** Cuts its values and joins them; `undefined` when each fits one property. */
  readonly chunks: ValueChunks | undefined
}

/** Prepares one column. */
export function columnCodec(model: EntityModel<object>, column: Column): ColumnCodec {
  const { property, name, type, kind, steps, encryption: keys, chunked } = column
  const { converter = steps, hasDefault = false } = column
  const label = `${model.title}.${property}`
  const isReadyMade = type !== undefined && !converter && !keys && !chunked
  return {
    ...storedMember(name),
    property,
    type: converter?.type ?? type,
    kind,
    form: isReadyMade ? declaredForm(type) : undefined,
    computed: model.computed.includes(property),
    label,
    hasDefault,
    conversion: converter && new ValueConversion(converter, label),
    seal: keys?.valueSeal(name, label),
    chunks: chunked ? new ValueChunks(name, label, keys) : undefined,
  }
}

/** Prepares the stored properties of a column: one, or one for each value of a series. */
export function columnCodecs(model: EntityModel<object>, column: Column): readonly ColumnCodec[] {
  const { series, property } = column
  if (series === undefined) return [columnCodec(model, column)]
  return storedNames(column).map((name, at) => ({
    ...columnCodec(model, { property, name, type: series.type }),
    label: `${model.title}.${property}[${at}]`,
    slot: { at, of: series.slots },
  }))
}

/** How values of one type look in a response. */
interface DeclaredForm {
  /** Reads them. */
  readonly codec: EdmCodec
  /** Their type in JSON. */
  readonly kind: 'boolean' | 'number' | 'string'
  /** Their annotation. */
  readonly annotation: string
  /**
   * Whether the JSON alone shows their type: reading a value of another type that looks the same as this
   * type loses nothing.
   */
  readonly isShown: boolean
}

/** The types that the JSON of their values shows. */
const SHOWN: { readonly [Type in EdmType]?: DeclaredForm['kind'] } = {
  Boolean: 'boolean',
  Double: 'number',
  String: 'string',
}

/**
 * Returns how values of a type look in a response.
 *
 * @returns `undefined` for a type that needs a closer look at each value
 */
export function declaredForm(type: EdmType): DeclaredForm | undefined {
  // Only its value tells an Int32 from the other numbers.
  if (type === 'Int32') return undefined
  const shown = SHOWN[type]
  const annotation = `Edm.${type}`
  const isShown = shown !== undefined
  return { codec: edmCodecs[type], kind: shown ?? 'string', annotation, isShown }
}

/** Whether a property is stored as a value of this form. */
export function hasForm(
  { kind, annotation, isShown }: DeclaredForm,
  json: unknown,
  found: unknown,
): boolean {
  if (typeof json !== kind) return false
  return found === annotation || (isShown && found === undefined)
}

/**
 * Reads one column's value from a row.
 *
 * @returns `undefined` when the property is not stored
 * @throws DecodeError (`UnreadableProperty`) when its stored type does not fit the declared one
 * @throws InputError (`ConversionFailed`) when it cannot be converted
 */
export function readColumn(column: ColumnCodec, raw: RawEntity): unknown {
  const { form } = column
  const json = raw[column.name]
  if (form !== undefined && hasForm(form, json, raw[column.annotation])) {
    return form.codec.readJson(json, column.label)
  }
  const stored = readStored(column, raw)
  if (stored === undefined || column.type === undefined) return stored?.value
  const value = widen(stored, column.type) ?? refuse(column, column.type, stored.type)
  return column.conversion === undefined ? value : column.conversion.read(value, keyOfRaw(raw))
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
