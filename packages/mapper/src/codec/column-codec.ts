import { annotationName, type EdmType, type MemberText, memberText } from '@rowkey/odata'
import { ValueSeal } from '../encryption/value-seal.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'

/** One column with everything its reading and writing needs, made ready once. */
export interface ColumnCodec {
  /** The member in the class. */
  readonly property: string
  /** The stored name. */
  readonly name: string
  /** The declared type; `undefined` when the value decides. */
  readonly type: EdmType | undefined
  /** The member has a getter and no setter: it is written, and never assigned. */
  readonly computed: boolean
  /** `Class.member`, for messages. */
  readonly label: string
  /** The class and member apart, for errors about the class. */
  readonly className: string
  /** The JSON member that carries the stored type. */
  readonly annotation: string
  /** What stands before the value in JSON text. */
  readonly member: MemberText
  /** Encrypts and decrypts its values; `undefined` when they are stored in the clear. */
  readonly seal: ValueSeal | undefined
}

/** Makes one column ready. */
export function columnCodec(model: EntityModel<object>, column: Column): ColumnCodec {
  const className = model.title
  const { property, name, type, encryption: keys } = column
  const label = `${className}.${property}`
  return {
    property,
    name,
    type,
    computed: model.computed.includes(property),
    label,
    className,
    annotation: annotationName(name),
    member: memberText(name),
    seal: keys && new ValueSeal({ keys, name, label }),
  }
}
