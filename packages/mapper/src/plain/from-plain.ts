import {
  declareOptions,
  describeKind,
  type EdmType,
  type EdmValue,
  edmCodecs,
  InputError,
  inferEdmType,
  rule,
} from '@rowkey/odata'
import { checkKind } from '../codec/write-column.ts'
import { isSchemaConverter } from '../convert/converter.ts'
import { ValueConversion } from '../convert/value-conversion.ts'
import { mapperInputError } from '../errors/codes.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import type { MemberEntity, UnionMember } from '../model/entity-of.ts'
import { membersIn } from '../model/members-in.ts'
import { toModel } from '../model/to-model.ts'
import { isSameJson } from '../place/same-value.ts'

/** What a member may be in a plain object, by its type, for messages. */
const FORMS: Readonly<Record<EdmType, string>> = {
  Binary: 'base64 text',
  Boolean: 'true or false',
  DateTime: 'text such as "2026-11-23T06:17:14Z"',
  Double: 'a number, or "NaN", "Infinity" or "-Infinity"',
  Guid: 'the text of a Guid',
  Int32: 'a whole number of 32 bits',
  Int64: 'the digits of a whole number of 64 bits as text, or a safe integer',
  String: 'text',
}

/** The options of {@link fromPlain}. */
export interface FromPlainOptions<Name extends string = string> {
  /**
   * The members that the object may have, such as those that a client may set. Others are rejected with `MemberNotAllowed`; the
   * members of the service are left out unless they are named here.
   *
   * @defaultValue all members that the model declares, but those of the service
   */
  readonly only?: readonly Name[] | undefined
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const fromPlainOptions = declareOptions<FromPlainOptions>({
  only: rule('an array of names of members', isNames),
})

/** A converter without a key: a plain object may have none yet. */
const NO_KEY = Object.freeze({ partitionKey: '', rowKey: '' })

/**
 * Makes an entity of a plain object, such as one that {@link toPlain} made, or the body of a request. Each member is checked by
 * the type that the model declares: an Int64 is read from its digits, a DateTime from its text, bytes from base64. A member
 * without a declared type takes the type of its value in a fresh entity, or that of the JSON.
 *
 * Members that are missing keep the value of a fresh entity; `null` clears them. A computed member is not assigned. What the
 * model does not declare is rejected. The schema of the model, and whether the key is whole, are checked when the entity is
 * written.
 *
 * The ETag, the Timestamp, `createdAt`, `updatedAt` and the `deletedAt` of a lifetime are the service's and the program's to set, so they
 * are left out.
 * To take the caller's ETag as the condition of the next write, name it in `only`; `'*'`, which overwrites any version, is
 * rejected.
 *
 * @param model - a mapped class, or a model from `defineEntity`
 * @param plain - the object, of any origin
 * @param options - `only`: the members that the object may have
 * @throws InputError (`InvalidEntity`, `UndeclaredProperty`, `InvalidPropertyValue`, `InvalidKeyPart`, `ConversionFailed`,
 * `MemberNotAllowed`) naming the member and what it must be
 *
 * @example
 * ```ts
 * const wallet = fromPlain(Wallet, await request.json(), { only: ['owner', 'id', 'balance'] })
 * await wallets.insert(wallet)
 * ```
 */
export function fromPlain<Model extends UnionMember>(
  model: Model,
  plain: unknown,
  options?: FromPlainOptions<keyof MemberEntity<Model> & string>,
): MemberEntity<Model>
export function fromPlain(
  given: UnionMember,
  plain: unknown,
  options: FromPlainOptions = {},
): object {
  const model = toModel(given)
  fromPlainOptions.check(options, `fromPlain of ${model.title}`)
  const { only } = options
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    const message = `A plain object of ${model.title} must be an object; got ${describeKind(plain)}.`
    throw mapperInputError({ code: 'InvalidEntity', message })
  }
  const entity = model.create()
  // A copy would lack what the class reads by accessors.
  const fresh = membersIn(model.create())
  const readers = readersOf(model, fresh)
  for (const name of only ?? []) {
    if (!readers.has(name)) throw undeclared(model, name)
  }
  const { createdAt, updatedAt } = model.times ?? {}
  const kept = [createdAt?.property, updatedAt?.property, model.lifetime?.deletedAt]
  const system = [model.etag, model.timestamp, ...kept]
  for (const [name, value] of Object.entries(plain)) {
    const read = readers.get(name)
    if (read === undefined) throw undeclared(model, name)
    if (value === undefined || model.computed.includes(name)) continue
    if (only?.includes(name) !== true) {
      if (system.includes(name)) continue
      if (only !== undefined) throw notAllowed(model, name, only)
    }
    // A schema that requires null begins with it.
    const none = fresh[name] === null ? null : undefined
    Reflect.set(entity, name, value === null ? none : read(value))
  }
  return entity
}

type Reader = (json: unknown) => unknown

/** How each member of a model is read. */
function readersOf(
  model: EntityModel<object>,
  fresh: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Reader> {
  const { title, partitionKey, rowKey, etag, timestamp, columns } = model
  const readers = new Map<string, Reader>()
  for (const column of columns) {
    const label = `${title}.${column.property}`
    readers.set(column.property, (json) => readColumn(column, label, json, fresh[column.property]))
  }
  for (const part of [...partitionKey.parts, ...rowKey.parts]) {
    readers.set(part.property, (json) => {
      const value = readTyped(part.format.type, `${title}.${part.property}`, json)
      part.print(value)
      return value
    })
  }
  if (etag !== undefined) readers.set(etag, (json) => readEtag(`${title}.${etag}`, json))
  if (timestamp !== undefined) {
    readers.set(timestamp, (json) => readTyped('DateTime', `${title}.${timestamp}`, json))
  }
  return readers
}

function readColumn(
  { converter, type, kind, series }: Column,
  label: string,
  json: unknown,
  initial: unknown,
): unknown {
  if (series !== undefined && Array.isArray(json)) {
    const readSlot = (value: unknown, at: number) =>
      readTyped(series.type, `${label}[${at}]`, value)
    return json.map((each, at) => (each === null ? undefined : readSlot(each, at)))
  }
  if (kind !== undefined) checkKind(label, kind, json)
  if (converter === undefined) return readTyped(type ?? shownType(initial, json), label, json)
  const conversion = new ValueConversion(converter, label)
  try {
    // A value of JSON stands for itself, where the converter gives it back.
    const again = conversion.fromStored(conversion.toStored(json, NO_KEY), NO_KEY)
    // A schema decodes what is inside.
    const isDecoded = isSchemaConverter(converter) && typeof json === 'object'
    if (isDecoded || isSameJson(again, json)) return again
  } catch {
    // Otherwise it is what the converter stores.
  }
  return conversion.fromStored(readTyped(converter.type, label, json), NO_KEY)
}

/** The type of a member that declares none: that of its value in a fresh entity, else of the JSON. */
function shownType(initial: unknown, json: unknown): EdmType {
  if (typeof initial === 'number') return 'Double' // each number, whatever type it will be stored as
  return inferEdmType(initial) ?? inferEdmType(json) ?? 'String'
}

function readTyped(type: EdmType, label: string, json: unknown): EdmValue {
  try {
    return edmCodecs[type].readJson(json, label)
  } catch {
    throw new InputError({
      code: 'InvalidPropertyValue',
      message: `${label} is ${describeKind(json)}, which is not a valid ${type}. Give ${FORMS[type]}.`,
      details: { property: label, type },
    })
  }
}

function readEtag(label: string, json: unknown): EdmValue {
  if (json !== '*') return readTyped('String', label, json)
  throw new InputError({
    code: 'InvalidPropertyValue',
    message: `${label} is '*', which is the ETag of no row. Leave it out; the write itself takes { etag: '*' }.`,
    details: { property: label },
  })
}

function notAllowed(
  { title }: EntityModel<object>,
  name: string,
  only: readonly string[],
): InputError {
  return mapperInputError({
    code: 'MemberNotAllowed',
    message: `${title}.${name} may not be set here: only ${only.join(', ') || 'nothing'} may. Leave it out.`,
    details: { property: `${title}.${name}` },
  })
}

function undeclared({ title, ignored }: EntityModel<object>, name: string): InputError {
  const rule = ignored.includes(name)
    ? 'it is not stored (@Ignore). Leave it out.'
    : 'the model does not declare it. Declare it, or leave it out.'
  return mapperInputError({
    code: 'UndeclaredProperty',
    message: `${title}.${name} has a value, but ${rule}`,
    details: { property: `${title}.${name}` },
  })
}
