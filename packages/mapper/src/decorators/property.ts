import { type EdmType, type EdmValue, invalidOption } from '@rowkey/odata'
import {
  type AnyMemberDecorator,
  type MemberDecorator,
  memberDecorator,
} from './member-decorator.ts'
import { int64Rule, type SafeInt64Decorator, type TypedDecorator } from './typed-property.ts'

/** The values of a stored member; `undefined` and `null` are not stored. */
export type StorableValue = EdmValue | null | undefined

/** The sentence that the compiler shows for a member that no Edm type stores. */
export type UnstorableType =
  'No Edm type stores this type: use Json() for arrays and objects, or Convert() with a converter'

/**
 * Stores a member as a type.
 *
 * Fields that a fresh instance has are stored without a decorator, as the type of their value. Give the type
 * where the value does not show it: a `Double` that may be whole, an `Int64`, a `Guid`. A value of another
 * type is then rejected before anything is sent.
 *
 * @param type - one of the eight Edm types, without `Edm.`
 *
 * @example
 * ```ts
 * @Property('Int64') points?: bigint
 * @Property('Double') price = 1 // stored as 1.0, never as an Int32
 * ```
 */
export function Property<Type extends EdmType>(type: Type): TypedDecorator<Type>
/**
 * Stores a member, as the type of its declaration if the compiler records it
 * (`emitDecoratorMetadata`: `boolean`, `bigint`, `Date` and `Uint8Array`), else as the type of its value.
 * Getters, `accessor` fields, and fields that a fresh instance does not have need it.
 *
 * @example
 * ```ts
 * @Property() get fullName() { return `${this.firstName} ${this.lastName}` }
 * ```
 */
export function Property(): MemberDecorator<StorableValue, UnstorableType>
/**
 * Stores a safe integer as an Int64: see {@link Int64}.
 *
 * @param type - `'Int64'`
 * @param options - `{ as: 'number' }`
 *
 * @example
 * ```ts
 * @Property('Int64', { as: 'number' }) points = 0
 * ```
 */
export function Property(type: 'Int64', options: { readonly as: 'number' }): SafeInt64Decorator
export function Property(
  type?: EdmType,
  options?: { readonly as: 'number' },
): (target: unknown, member: unknown) => void {
  const more = options === undefined ? '' : ', …'
  const forms = type === undefined ? [] : [`@Property('${type}'${more})`]
  if (options !== undefined && type !== 'Int64') {
    throw invalidOption(
      `Only @Property('Int64') has options; @Property('${type}') has one argument. Remove the second.`,
    )
  }
  const rule = type === 'Int64' ? int64Rule(options) : { type }
  return memberDecorator('Property', { ...rule, forms })
}

/**
 * Stores a member under another name. Short names save space, because every entity carries its names. Keys,
 * the ETag and the Timestamp have the names of the service and cannot have another.
 *
 * @param name - up to 255 characters: letters, digits and underscores, not a digit first
 *
 * @example
 * ```ts
 * @StoreAs('cea') customerEmailAddress?: string
 * ```
 */
export function StoreAs(name: string): MemberDecorator<unknown> {
  return memberDecorator('StoreAs', { storedName: name })
}

/**
 * Keeps a member from being stored and read: a cache, a flag of the user interface, a view of a key.
 *
 * @example
 * ```ts
 * @Ignore() selected = false
 * ```
 */
export function Ignore(): AnyMemberDecorator {
  return memberDecorator('Ignore')
}
