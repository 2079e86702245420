import { checkPropertyName, describeKind, inferEdmType, systemPropertyNames } from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import { type KeyCodec, partsIn, wholeKeyOf } from '../keys/key-codec.ts'
import type { TemplatePart } from '../keys/template-part.ts'
import { storedNames } from '../member/stored-member.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { accessorPairs } from './accessor-pairs.ts'
import type { Column, EntityModel } from './entity-model.ts'
import { marksOf, shownType } from './marks-of.ts'

/**
 * The most properties of an entity, besides its three system properties.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
const MAX_COLUMNS = 252

/** What is wrong with a model: the rule and the fix, the property, and the error below. */
type Mistake = readonly [problem: string, property?: string, cause?: unknown]

/** The columns by each name that their values may use. */
type ColumnsByName = ReadonlyMap<string, Column>

/**
 * Checks the stored names of a model, and that the values of a fresh instance can be stored.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkModel(model: EntityModel<object>, sample: object): void {
  const [first] = mistakesIn(model, sample)
  if (first === undefined) return
  const [problem, property, cause] = first
  throw new ModelError({ className: model.title, property, problem, cause })
}

/** A part of a key that rises or falls with each write. */
const INSTANT = /:(?:inverted|time)$/

/**
 * Rejects a PartitionKey that is only a time: all writes of a moment meet one partition, and an inverted time only moves it from the
 * end of the table to its beginning.
 *
 * @throws {@link ModelError} that names the time
 */
export function checkSpread({ title, partitionKey }: EntityModel<object>): void {
  const { parts } = partitionKey
  if (parts.length === 0 || !parts.every(({ text }) => INSTANT.test(text))) return
  throw new ModelError({
    className: title,
    property: parts[0]?.property,
    problem:
      'The PartitionKey is only a time, so all writes of a moment meet one partition. An inverted time does not help. Add what ' +
      'varies, such as a tenant before it, or spread it over buckets. If a partition takes few writes, set allowHotPartition: true.',
  })
}

/**
 * Checks that each property of a strict model has a known stored type, so that no value decides it.
 *
 * @throws ModelError that names the first property without one
 */
export function checkTyped({ title, columns }: EntityModel<object>): void {
  const open = columns.find(({ type }) => type === undefined)
  if (open === undefined) return
  throw new ModelError({
    className: title,
    property: open.property,
    problem:
      'The model is strict, and the stored type of this property is unknown: its value would decide it. Declare it, as in ' +
      "@Property('String'), or give it a schema that allows one type.",
  })
}

function* mistakesIn(model: EntityModel<object>, sample: object): Iterable<Mistake> {
  const { columns } = model
  const total = columns.flatMap((each) => (each.series ? storedNames(each) : [each.name])).length
  if (total > MAX_COLUMNS) {
    yield [
      `The class stores ${total} properties, but an entity can have at most ` +
        `${MAX_COLUMNS} besides its keys and Timestamp. Put @Ignore() on some, or store some ` +
        'together.',
    ]
  }
  const byName = new Map<string, Column>()
  for (const column of columns) {
    yield* nameMistakes(column)
    yield* initialMistakes(column, sample)
    for (const name of storedNames(column)) {
      const twin = byName.get(name)
      if (twin) {
        yield [
          `It is stored as '${name}', and so is ${twin.property}. Give one of them another name with @StoreAs.`,
          column.property,
        ]
      }
      byName.set(name, column)
    }
  }
  yield* accessorMistakes(model, sample)
  yield* keyMistakes(model)
  yield* systemMistakes(model)
  yield* secretMistakes(model, byName)
  yield* markMistakes(model, byName)
  yield* versionMistakes(model)
}

function* nameMistakes({ property, name }: Column): Iterable<Mistake> {
  if (property === '__proto__') {
    // A read assigns the members, and an assignment to this one stores no value.
    yield [
      `A member of this name cannot be assigned. Rename it, and keep the stored name with @StoreAs('${name}').`,
      property,
    ]
  }
  if (systemPropertyNames.has(name)) {
    yield [
      `The stored name '${name}' is reserved for the service. Put @${name}() on the member that ` +
        'shows it, or give this one another name with @StoreAs.',
      property,
    ]
  }
  try {
    checkPropertyName(name)
  } catch (cause) {
    yield [
      `It cannot be stored as '${name}': ${cause instanceof Error ? cause.message : cause} ` +
        'Give it another name with @StoreAs, or put @Ignore() on it.',
      property,
      cause,
    ]
  }
}

function* initialMistakes({ property, type }: Column, sample: object): Iterable<Mistake> {
  const { value } = Object.getOwnPropertyDescriptor(sample, property) ?? {}
  if (type !== undefined || value === undefined || value === null) return
  if (inferEdmType(value) !== undefined) return
  yield [
    `A fresh instance has ${describeKind(value)} here, which no Edm type stores. Put ` +
      '@Ignore() on it, or store it as text or bytes.',
    property,
  ]
}

/** Finds stored values in the properties that show the ETag and the Timestamp, which would overwrite them. */
function* systemMistakes(model: EntityModel<object>): Iterable<Mistake> {
  const { columns, etag, timestamp } = model
  const stored = new Set([...columns, ...partsIn(model)].map(({ property }) => property))
  for (const [name, shown] of Object.entries({ ETag: etag, Timestamp: timestamp })) {
    if (shown === undefined || !stored.has(shown)) continue
    yield [
      `It is stored, but it also shows the ${name}. Show the ${name} in a property of its own.`,
      shown,
    ]
  }
  if (etag === undefined || etag !== timestamp) return
  yield ['It shows both the ETag and the Timestamp. Show one of them in another property.', etag]
}

/** Finds other values under the names of the type and the version. */
function* markMistakes(model: EntityModel<object>, columns: ColumnsByName): Iterable<Mistake> {
  const taken = new Map(Array.from(columns, ([name, { property }]) => [name, property]))
  if (model.signing !== undefined) taken.set(model.signing.property, 'the signature')
  for (const { name } of marksOf(model)) {
    const other = taken.get(name)
    if (other !== undefined && shownType(model)?.name !== name) {
      yield [
        `'${name}' stores its type or version, but ${other} has that name, too. Give one of them ` +
          'another name.',
      ]
    }
    taken.set(name, 'its type')
  }
}

/**
 * Finds pairs of a getter and a setter, declared or inherited, without a decorator that stores or
 * ignores them. A getter without a setter is computed and needs no decorator.
 */
function* accessorMistakes(model: EntityModel<object>, sample: object): Iterable<Mistake> {
  const { columns, ignored, etag, timestamp, title } = model
  const declared = [...columns, ...partsIn(model)].map(({ property }) => property)
  const known = new Set([...declared, ...ignored, etag, timestamp])
  for (const [name, className] of accessorPairs(sample)) {
    if (known.has(name)) continue
    yield [
      `It is a getter and setter of ${className} without a decorator, so it would be neither stored nor ` +
        `read. Put @Property() or @Ignore() on one of them, or call decorate(${title}, { ${name}: Ignore() }).`,
      name,
    ]
  }
}

/** Finds parts of key templates that cannot be read back, or are declared as something else. */
function* keyMistakes(model: EntityModel<object>): Iterable<Mistake> {
  for (const key of [model.partitionKey, model.rowKey]) {
    if (wholeKeyOf(key) !== undefined) continue
    for (const part of key.parts) {
      const problem = partProblem(part, model)
      if (problem !== undefined) yield [problem, part.property]
    }
  }
}

function partProblem(
  { property, isReadable }: TemplatePart,
  { columns, ignored }: EntityModel<object>,
): string | undefined {
  if (ignored.includes(property)) {
    return 'It is a part of the key. Remove @Ignore().'
  }
  const isStored = columns.some((column) => column.property === property)
  if (!isReadable && !isStored) {
    return 'The key contains only its hash, so it could not be read back. Put @Property() on it.'
  }
  const namesake = columns.find(({ name }) => name === property)
  if (isStored || namesake === undefined) return undefined
  return (
    `It is a part of the key, but ${namesake.property} is stored as '${property}', too. Store ` +
    `${namesake.property} under another name.`
  )
}

/** Finds encrypted properties that are parts of a key, and properties with the name of the signature. */
function* secretMistakes(model: EntityModel<object>, byName: ColumnsByName): Iterable<Mistake> {
  const { columns, signing } = model
  if (signing !== undefined && !isSigningKeys(signing)) {
    yield ['signing must be signing keys: signingKeys({ current, keys }).']
  }
  const inKeys = new Set(partsIn(model).map(({ property }) => property))
  for (const { property, encryption } of columns) {
    if (encryption !== undefined && inKeys.has(property)) {
      yield [
        'It is encrypted, but also a part of the key, which is never encrypted. Remove it from ' +
          'the key, or use a hash of it there.',
        property,
      ]
    }
  }
  const namesake = signing && byName.get(signing.property)
  if (namesake !== undefined) {
    yield [
      `It is stored as '${signing?.property}', the name of the signature. Give it another name with @StoreAs, ` +
        'or the signature with signingKeys({ property }).',
      namesake.property,
    ]
  }
}

/**
 * Whether a value comes from `signingKeys`. It checks the methods, so that a program without signing does
 * not bundle the class.
 */
function isSigningKeys(value: unknown): value is SigningKeys {
  return typeof (Object(value) as Partial<SigningKeys>).signatureOf === 'function'
}

/**
 * Finds what would hide the rows of the previous version, or show hidden ones: queries send the conditions of this version, which
 * know only its own stored names.
 */
function* versionMistakes(model: EntityModel<object>): Iterable<Mistake> {
  const previous = model.version?.previous
  if (previous === undefined) return
  const { title, discriminator, lifetime } = previous
  const now = model.discriminator
  if (now && (now.property !== discriminator?.property || now.value !== discriminator.value)) {
    yield [
      `Its discriminator is { ${now.property}: '${now.value}' }, which rows of ${title} do not have, so its queries would not ` +
        'find them. Give both versions the same discriminator, or this one none.',
    ]
  }
  const lost = lifetime?.names.find((name) => model.lifetime?.names.includes(name) === false)
  if (lost !== undefined) {
    yield [
      `Rows of ${title} that '${lost}' hides would be shown again. Store ` +
        'the time under the same name in both versions.',
    ]
  }
  for (const half of ['partitionKey', 'rowKey'] as const) {
    const [before, after] = [fixedStart(previous[half]), fixedStart(model[half])]
    if (before.startsWith(after) || after.startsWith(before)) continue
    yield [
      `Its ${half} begins with '${after}', and that of ${title} with '${before}', but a migration cannot change the keys. ` +
        'Keep the beginning, or copy the rows to their new keys.',
    ]
  }
}

/** The fixed text that all keys of a template begin with. */
function fixedStart({ segments: [first] }: KeyCodec): string {
  return typeof first === 'string' ? first : ''
}
