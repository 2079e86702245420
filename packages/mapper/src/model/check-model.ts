import { checkPropertyName, inferEdmType, systemPropertyNames } from '@rowkey/odata'
import { describeKind } from '../errors/describe-kind.ts'
import { ModelError } from '../errors/model-error.ts'
import { partsIn, wholeKeyOf } from '../keys/key-codec.ts'
import { storedNames } from '../member/stored-member.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { Column, EntityModel } from './entity-model.ts'
import { marksOf } from './marks-of.ts'

/**
 * The most properties of an entity, besides its three system properties.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
const MAX_COLUMNS = 252

/**
 * Checks the stored names of a model, and that the values of a fresh instance can be stored.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkModel(model: EntityModel<object>, sample: object): void {
  const { title: className, columns } = model
  if (columns.length > MAX_COLUMNS) {
    throw new ModelError({
      className,
      problem:
        `The class stores ${columns.length} properties, but an entity can have at most ` +
        `${MAX_COLUMNS} besides its keys and Timestamp. Put @Ignore() on some, or store some ` +
        'together.',
    })
  }
  const byName = new Map<string, Column>()
  for (const column of columns) {
    checkStoredName(className, column)
    checkInitialValue(className, column, sample)
    for (const name of storedNames(column)) {
      const twin = byName.get(name)
      if (twin) throw sharedName(className, { column, twin, name })
      byName.set(name, column)
    }
  }
  checkAccessors(model, sample)
  checkKeyParts(model)
  checkSecrets(model)
  checkMarks(model)
}

function sharedName(
  className: string,
  { column, twin, name }: { column: Column; twin: Column; name: string },
): ModelError {
  const problem = `It is stored as '${name}', and so is ${twin.property}. Give one of them another name with @StoreAs.`
  return new ModelError({ className, property: column.property, problem })
}

function checkStoredName(className: string, { property, name }: Column): void {
  if (systemPropertyNames.has(name)) {
    throw new ModelError({
      className,
      property,
      problem:
        `The stored name '${name}' is reserved for the service. Put @${name}() on the member that ` +
        'shows it, or give this one another name with @StoreAs.',
    })
  }
  try {
    checkPropertyName(name)
  } catch (cause) {
    throw new ModelError({
      className,
      property,
      problem:
        `It cannot be stored as '${name}': ${cause instanceof Error ? cause.message : cause} ` +
        'Give it another name with @StoreAs, or put @Ignore() on it.',
      cause,
    })
  }
}

function checkInitialValue(className: string, { property, type }: Column, sample: object): void {
  const { value } = Object.getOwnPropertyDescriptor(sample, property) ?? {}
  if (type !== undefined || value === undefined || value === null) return
  if (inferEdmType(value) !== undefined) return
  throw new ModelError({
    className,
    property,
    problem:
      `A fresh instance has ${describeKind(value)} here, which no Edm type stores. Put ` +
      '@Ignore() on it, or store it as text or bytes.',
  })
}

/**
 * Checks that no other value is stored under the names of the type and the version.
 *
 * @throws {@link ModelError} for the first conflict
 */
function checkMarks(model: EntityModel<object>): void {
  const taken = new Map(model.columns.map(({ name, property }) => [name, property]))
  if (model.signing !== undefined) taken.set(model.signing.property, 'the signature')
  for (const { name } of marksOf(model)) {
    const other = taken.get(name)
    if (other !== undefined) {
      throw new ModelError({
        className: model.title,
        problem:
          `'${name}' stores its type or version, but ${other} has that name, too. Give one of them ` +
          'another name.',
      })
    }
    taken.set(name, 'its type')
  }
}

/** A getter and its setter. */
interface AccessorPair {
  readonly name: string
  /** The class that declares them. */
  readonly className: string
}

/**
 * Checks that every pair of a getter and a setter, declared or inherited, has a decorator that stores or
 * ignores it. A getter without a setter is computed and needs no decorator.
 *
 * @param model - the model
 * @param sample - a fresh instance
 * @throws {@link ModelError} naming the first pair without a decorator
 */
function checkAccessors(model: EntityModel<object>, sample: object): void {
  const { columns, ignored, etag, timestamp, title } = model
  const inKeys = partsIn(model).map(({ property }) => property)
  const declared = [...columns.map(({ property }) => property), ...inKeys, ...ignored]
  const known = new Set<string | undefined>([...declared, etag, timestamp])
  const pair = accessorPairs(sample).find(({ name }) => !known.has(name))
  if (pair === undefined) return
  const isInherited = pair.className !== title
  throw new ModelError({
    className: title,
    property: pair.name,
    problem:
      `It is a getter and setter${isInherited ? ` of ${pair.className}` : ''} without a decorator, so it ` +
      'would be neither stored nor read. Put @Property() on one of them to store it, or @Ignore() to leave it out' +
      `${isInherited ? `; decorate(${title}, { ${pair.name}: Ignore() }) does so from outside` : ''}.`,
  })
}

/** Finds the getters of an object that have a setter, each as the nearest class declares it. */
function accessorPairs(sample: object): AccessorPair[] {
  const pairs: AccessorPair[] = []
  const seen = new Set<string>()
  let owner: object | null = Object.getPrototypeOf(sample)
  while (owner !== null && owner !== Object.prototype) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isPair = get !== undefined && set !== undefined
      if (isPair && !seen.has(name)) pairs.push({ name, className: owner.constructor.name })
      seen.add(name)
    }
    owner = Object.getPrototypeOf(owner)
  }
  return pairs
}

/**
 * Rejects parts of key templates that cannot be read back, or are declared as something else.
 *
 * @throws ModelError that names the property
 */
function checkKeyParts(model: EntityModel<object>): void {
  for (const key of [model.partitionKey, model.rowKey]) {
    if (wholeKeyOf(key) !== undefined) continue
    for (const part of key.parts) {
      const problem = part.problemIn(model)
      if (problem === undefined) continue
      throw new ModelError({ className: model.title, property: part.property, problem })
    }
  }
}

/**
 * Checks that no encrypted property is a part of a key, and that no property has the name of the
 * signature.
 *
 * @throws {@link ModelError} for the first mistake
 */
function checkSecrets(model: EntityModel<object>): void {
  checkSigning(model)
  const inKeys = new Set(partsIn(model).map(({ property }) => property))
  for (const column of model.columns) {
    const { property, encryption } = column
    if (encryption !== undefined && inKeys.has(property)) {
      throw new ModelError({
        className: model.title,
        property,
        problem:
          'It is encrypted, but also a part of the key, which is never encrypted. Remove it from ' +
          'the key, or use a hash of it there.',
      })
    }
    const name = storedNames(column).find((each) => each === model.signing?.property)
    if (name !== undefined) {
      throw new ModelError({
        className: model.title,
        property,
        problem:
          `It is stored as '${name}', the name of the signature. Give it another name with @StoreAs, ` +
          'or the signature with signingKeys({ property }).',
      })
    }
  }
}

function checkSigning({ title, signing }: EntityModel<object>): void {
  if (signing === undefined || isSigningKeys(signing)) return
  throw new ModelError({
    className: title,
    problem: 'signing must be signing keys: signingKeys({ current, keys }).',
  })
}

/**
 * Whether a value comes from `signingKeys`. It checks the methods, so that a program without signing does
 * not bundle the class.
 */
function isSigningKeys(value: unknown): value is SigningKeys {
  const { sign, findFault } = Object(value) as Partial<SigningKeys>
  return typeof sign === 'function' && typeof findFault === 'function'
}
