import { type EdmCodec, type EdmType, edmCodecs, type RawEntity } from '@rowkey/odata'
import type { StoredMember } from './stored-member.ts'

/** How values of one type look in an answer. */
export interface DeclaredForm {
  /** Reads them. */
  readonly codec: EdmCodec
  /** The JSON that holds them. */
  readonly kind: 'boolean' | 'number' | 'string'
  /** What says their type. */
  readonly annotation: string
  /** Whether the JSON alone shows their type: no value of another type that looks so is lost as this one. */
  readonly isShown: boolean
}

/** Of an Int32 only its value shows that it is none of the other numbers. */
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
 * How values of a type look in an answer.
 *
 * @returns `undefined` for a type of which that is not known at a glance
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
