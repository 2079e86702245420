import { type EdmCodec, type EdmType, edmCodecs, type RawEntity } from '@rowkey/odata'
import { ValueConversion } from '../convert/value-conversion.ts'
import { ValueSeal } from '../encryption/value-seal.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import { type StoredMember, storedMember } from './stored-member.ts'
import { ValueChunks } from './value-chunks.ts'

/**
 * One column, prepared for reading and writing.
 *
 * A write converts a value, compares it with the stored one, encrypts it and cuts it, in this order. A
 * read does the reverse. Most columns only compare.
 */
export interface ColumnCodec extends StoredMember {
  /** The member in the class. */
  readonly property: string
  /** The declared type; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** How its values look in a response; `undefined` when they are converted, encrypted or cut. */
  readonly form: DeclaredForm | undefined
  /** Whether the member has a getter and no setter: it is written, and never assigned. */
  readonly computed: boolean
  /** `Class.member`, for messages. */
  readonly label: string
  /** Converts its values; `undefined` when they are Edm values. */
  readonly conversion: ValueConversion | undefined
  /** Encrypts and decrypts its values; `undefined` when they are stored in the clear. */
  readonly seal: ValueSeal | undefined
  /** Cuts its values and joins them; `undefined` when each fits one property. */
  readonly chunks: ValueChunks | undefined
}

/** Prepares one column. */
export function columnCodec(model: EntityModel<object>, column: Column): ColumnCodec {
  const { property, name, type, converter, encryption: keys, chunked } = column
  const label = `${model.title}.${property}`
  const isReadyMade = type !== undefined && !converter && !keys && !chunked
  return {
    ...storedMember(name),
    property,
    type: converter?.type ?? type,
    form: isReadyMade ? declaredForm(type) : undefined,
    computed: model.computed.includes(property),
    label,
    conversion: converter && new ValueConversion(converter, label),
    seal: keys && new ValueSeal({ keys, name, label }),
    chunks: chunked ? new ValueChunks(name, label) : undefined,
  }
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

/** Without Int32: only its value tells it from the other numbers. */
const KINDS: { readonly [Type in EdmType]?: 'boolean' | 'number' | 'string' } = {
  Binary: 'string',
  Boolean: 'boolean',
  DateTime: 'string',
  Double: 'number',
  Guid: 'string',
  Int64: 'string',
  String: 'string',
}

const SHOWN: ReadonlySet<EdmType> = new Set(['Boolean', 'Double', 'String'])

/**
 * Returns how values of a type look in a response.
 *
 * @returns `undefined` for a type that needs a closer look at each value
 */
export function declaredForm(type: EdmType): DeclaredForm | undefined {
  const kind = KINDS[type]
  const annotation = `Edm.${type}`
  return kind && { codec: edmCodecs[type], kind, annotation, isShown: SHOWN.has(type) }
}

/** Whether a property is stored as a value of this form. */
export function hasForm(
  { kind, annotation, isShown }: DeclaredForm,
  member: StoredMember,
  raw: RawEntity,
): boolean {
  if (typeof raw[member.name] !== kind) return false
  const found = raw[member.annotation]
  return found === annotation || (isShown && found === undefined)
}
