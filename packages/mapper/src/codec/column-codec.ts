import type { EdmType } from '@rowkey/odata'
import { ValueConversion } from '../convert/value-conversion.ts'
import { ValueSeal } from '../encryption/value-seal.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import { type DeclaredForm, declaredForm } from './declared-form.ts'
import { type StoredMember, storedMember } from './stored-member.ts'
import { ValueChunks } from './value-chunks.ts'

/**
 * One column with everything its reading and writing needs, made ready once.
 *
 * On its way to the wire a value is converted, compared with what is stored, encrypted and cut, in this
 * order; and the other way round when it is read. Most columns do none of that but compare.
 */
export interface ColumnCodec extends StoredMember {
  /** The member in the class. */
  readonly property: string
  /** The declared type; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** How its values look in an answer when nothing is to be done to them but to read them. */
  readonly form: DeclaredForm | undefined
  /** The member has a getter and no setter: it is written, and never assigned. */
  readonly computed: boolean
  /** `Class.member`, for messages. */
  readonly label: string
  /** The class and member apart, for errors about the class. */
  readonly className: string
  /** Converts its values; `undefined` when they are Edm values. */
  readonly conversion: ValueConversion | undefined
  /** Encrypts and decrypts its values; `undefined` when they are stored in the clear. */
  readonly seal: ValueSeal | undefined
  /** Cuts its values and joins them; `undefined` when they are stored in one property each. */
  readonly chunks: ValueChunks | undefined
}

/** Makes one column ready. */
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
