import { describeKind, edmCodecs, invalidOption } from '@rowkey/odata'
import { ValueConversion } from '../convert/value-conversion.ts'
import { isDecorated } from '../model/class-record.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import type { UnionMember } from '../model/entity-of.ts'
import { toModel } from '../model/to-model.ts'
import { isPlainObject } from '../place/same-value.ts'

/** What JSON can hold. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue | undefined }

/**
 * What {@link toPlain} returns for a value: text for a `bigint`, a `Date` and bytes, and no methods. An object with methods
 * is what its `toJSON` returns, or what its converter stores.
 *
 * @example
 * ```ts
 * type A = PlainOf<{ owner: string; balance: bigint; at: Date }> // { owner: string; balance: string; at: string }
 * ```
 */
export type PlainOf<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends bigint | Date | Uint8Array
    ? string
    : Value extends JsonShown<infer Json>
      ? PlainOf<Json>
      : Value extends readonly (infer Item)[]
        ? readonly PlainOf<Item>[]
        : Value extends (...values: never) => unknown
          ? never
          : Value extends object
            ? { readonly [Name in keyof Value as PlainName<Value, Name>]: PlainOf<Value[Name]> }
            : PlainValue

/** An object that says itself what JSON shows of it. */
interface JsonShown<Json> {
  toJSON(): Json
}

/** The name of a member that is not a method. */
type PlainName<Value, Name extends keyof Value> =
  Extract<Value[Name], (...values: never) => unknown> extends never ? Name & string : never

/**
 * Makes a plain object of an entity, which `JSON.stringify`, `structuredClone` and the components of React accept. Nothing
 * is lost: {@link fromPlain} makes the same entity of it, if members with a `bigint`, a `Date`, bytes or `NaN` declare their
 * type, such as `@Binary()`. `JSON.stringify` does this by itself for an entity of a class with `@Entity` that has no `toJSON`
 * of its own; JSON has no -0.
 *
 * | value | in the plain object |
 * |---|---|
 * | text, a boolean, a finite number, `null` | as it is |
 * | a `bigint` | its digits: `'1152921504606846976'` |
 * | `NaN` and the infinities | text: `'NaN'` |
 * | a `Date`, a `DateTimeValue` | text in UTC with all its digits: `'2026-11-23T06:17:14.1234567Z'` |
 * | bytes | base64 |
 * | an object with `toJSON` | what that returns |
 * | a value with a converter that JSON cannot hold | what the converter stores |
 *
 * It has the members of the model: keys, ETag, Timestamp and stored properties, computed ones too. Members with `@Ignore` and
 * members without a value are left out. Encrypted members are shown in the clear. A `DynamicEntity` becomes the JSON of the
 * service, with its types.
 *
 * @param entity - an instance of a mapped class, an object of a model, or a `DynamicEntity`
 * @param model - the model of an object from `defineEntity`; needed only where a column has a converter
 * @throws InputError (`ConversionFailed`, `InvalidPropertyValue`) when a converter throws, or its type cannot hold what it returns
 * @throws InputError (`InvalidOptionValue`) when the entity is not an object
 *
 * @example
 * ```ts
 * response.json(toPlain(await wallets.get(['jeff', '1'])))   // {"owner":"jeff","id":"1","balance":"1152921504606846976"}
 * ```
 */
export function toPlain<Entity extends object>(entity: Entity, model?: UnionMember): PlainOf<Entity>
export function toPlain(entity: object, model?: UnionMember): PlainValue | undefined {
  if (typeof entity !== 'object' || entity === null) {
    throw invalidOption(`toPlain takes an entity; got ${describeKind(entity)}.`)
  }
  const known = model === undefined ? modelOfInstance(entity) : toModel(model)
  return known === undefined ? plainOf(entity) : plainMembers(entity, known)
}

/** Returns the model of an instance of a decorated class. */
function modelOfInstance(entity: object): EntityModel<object> | undefined {
  const entityClass: unknown = entity.constructor
  if (typeof entityClass !== 'function' || !isDecorated(entityClass)) return undefined
  return toModel(entityClass as EntityClass<object>)
}

function plainMembers(entity: object, model: EntityModel<object>): PlainValue {
  const { partitionKey, rowKey, etag, timestamp, columns } = model
  const members = entity as Readonly<Record<string, unknown>> // every object has members
  const names = [...partitionKey.properties, ...rowKey.properties, etag, timestamp]
  const others = names.filter((name) => name !== undefined)
  return withValues([
    ...others.map((name) => [name, plainOf(members[name])] as const),
    ...columns.map((column) => [column.property, plainColumn(column, model, members)] as const),
  ])
}

function plainColumn(
  { converter, property }: Column,
  { title, partitionKey, rowKey }: EntityModel<object>,
  members: Readonly<Record<string, unknown>>,
): PlainValue | undefined {
  const value = members[property]
  if (converter === undefined || value === undefined || isJsonValue(value)) return plainOf(value)
  const key = { partitionKey: partitionKey.print(members), rowKey: rowKey.print(members) }
  return plainOf(new ValueConversion(converter, `${title}.${property}`).toStored(value, key))
}

/** Tells whether a value is one of JSON's, so that it needs no other form. */
function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'object' && value !== null)
    return isPlainObject(value) || Array.isArray(value)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

/** Returns any value as JSON has it; `undefined` for what JSON leaves out. */
function plainOf(value: unknown): PlainValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : plainObject(value)
    default:
      return undefined
  }
}

function plainObject(value: object): PlainValue | undefined {
  if (value instanceof Uint8Array) return JSON.parse(edmCodecs.Binary.writeJson(value as never))
  const { toJSON }: { toJSON?: unknown } = value as object
  if (typeof toJSON === 'function') return plainOf(toJSON.call(value))
  if (Array.isArray(value)) return value.map((item) => plainOf(item) ?? null)
  return withValues(Object.entries(value).map(([name, member]) => [name, plainOf(member)]))
}

function withValues(
  members: readonly (readonly [name: string, value: PlainValue | undefined])[],
): PlainValue {
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
