import { type EdmCodec, type EdmType, edmCodecs, type RawEntity } from '@rowkey/odata'
import type { StoredMember } from './stored-member.ts'

/** How values of one type look in a response. */
export interface DeclaredForm {
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
