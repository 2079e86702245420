import type { EdmType, EdmValue } from '@rowkey/odata'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'
import type { StorableValue } from './storable-value.ts'

/**
 * A stored member, and the type it is stored as.
 *
 * Fields that a fresh instance has are stored without any decorator, as the type of their value.
 * Say the type where the value cannot: a `Double` that may be whole, an `Int64`, a `Guid`. A
 * value of another type is then refused before anything is sent.
 *
 * @param type - one of the eight Edm types, without `Edm.`
 *
 * @example
 * ```ts
 * @Property('Int64') points?: bigint
 * @Property('Double') price = 1          // stored as 1.0, never as an Int32
 * ```
 */
export function Property<Type extends EdmType>(
  type: Type,
): MemberDecorator<EdmValue<Type> | null | undefined>
/**
 * A stored member whose type follows its declaration where the compiler records it
 * (`emitDecoratorMetadata`: `boolean`, `bigint`, `Date` and `Uint8Array`), else its value. Needed
 * on getters, on `accessor` fields, and on fields that a fresh instance does not have.
 *
 * @example
 * ```ts
 * @Property() get fullName() { return `${this.firstName} ${this.lastName}` }
 * ```
 */
export function Property(): MemberDecorator<StorableValue>
export function Property(type?: EdmType): MemberDecorator<never> {
  const forms = type === undefined ? [] : [`@Property('${type}')`]
  return memberDecorator({ decorators: ['Property'], type, forms })
}
