import type { EdmType } from '@rowkey/odata'
import { ValueConversion } from '../convert/value-conversion.ts'
import { ValueSeal } from '../encryption/value-seal.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import { type DeclaredForm, declaredForm } from './declared-form.ts'
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
  /** The class and the member, for errors about the class. */
  readonly className: string
  /** Converts its values; `undefined` when they are Edm values. */
  readonly conversion: ValueConversion | undefined
  /** Encrypts and decrypts its values; `undefined` when they are stored in the clear. */
  readonly seal: ValueSeal | undefined
  /** Cuts its values and joins them; `undefined` when each fits one property. */
  readonly chunks: ValueChunks | undefined
}

/** Prepares one column. */
export function columnCodec(model: EntityModel<object>, column: Column): ColumnCodec {
  const className = model.title
  const { property, name, type, converter, encryption: keys, chunked } = column
  const label = `${className}.${property}`
  const isReadyMade = type !== undefined && !converter && !keys && !chunked
  return {
    ...storedMember(name),
    property,
    type: converter?.type ?? type,
    form: isReadyMade ? declaredForm(type) : undefined,
    computed: model.computed.includes(property),
    label,
    className,
    conversion: converter && new ValueConversion(converter, label),
    seal: keys && new ValueSeal({ keys, name, label }),
    chunks: chunked ? new ValueChunks(name, label) : undefined,
  }
}
