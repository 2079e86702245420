import { describeKind, type EdmType } from '@rowkey/odata'
import { type RegisteredConverter, registeredConverter } from '../convert/registered-converter.ts'
import { ModelError } from '../errors/model-error.ts'
import { type KeyCodec, partsIn, wholeKey } from '../keys/key-codec.ts'
import { hasDefault } from '../place/place.ts'
import { formOf } from '../place/value-form.ts'
import { checkStorable } from '../schema/check-storable.ts'
import { type SchemaRule, toSchemaRule } from '../schema/schema-rule.ts'
import { type Storage, storageOf } from '../schema/storage-of.ts'
import { checkTyped } from './check-model.ts'
import { type ClassMetadata, readMetadata } from './class-record.ts'
import { completeModel } from './complete-model.ts'
import type { EntityClass } from './entity-class.ts'
import type { Column, EntityModel, KeyMembers } from './entity-model.ts'
import {
  type MemberDecoratorName,
  type MemberRule,
  storedDecorators,
  systemDecorators,
} from './member-rule.ts'
import { membersIn } from './members-in.ts'
import { onceForEach } from './once-for-each.ts'
import { ruleProblem } from './rule-problem.ts'
import type { VersionOptions } from './version-options.ts'

/**
 * Returns the model of a decorated class. It is made at the first call; later calls return the same
 * frozen object.
 *
 * It makes one instance to find the fields of the class.
 *
 * @param entityClass - a class with `@PartitionKey` and `@RowKey` on two of its members
 * @throws {@link ModelError} when the class cannot be mapped: the message names the member, the rule and
 * the fix
 *
 * @example
 * ```ts
 * modelOf(Customer).columns.map((column) => column.name)   // ['cea', 'points', 'since']
 * ```
 */
export function modelOf<Entity extends object>(
  entityClass: EntityClass<Entity>,
): EntityModel<Entity, Entity, KeyMembers<Entity>, KeyMembers<Entity>> {
  return built(entityClass) as EntityModel<Entity> // kept under the class it was built from
}

const built = onceForEach(buildModel)

function buildModel(entityClass: EntityClass<object>): EntityModel<object> {
  if (typeof entityClass !== 'function') {
    throw new ModelError({
      className: '',
      problem:
        `A table needs a class, a model from defineEntity or a name, but got ${describeKind(entityClass)}. ` +
        'A class that is undefined here is imported in a circle, or used above its declaration.',
    })
  }
  const { create, sample } = makerOf(entityClass, readMetadata(entityClass))
  // Read again: with some compilers, decorators know their class only after the first instance.
  const metadata = readMetadata(entityClass)
  checkDecorated(entityClass.name, metadata)
  checkRules(entityClass.name, metadata.members)
  const { versioned = {}, discriminator, lifetime, strict, allowHotPartition } = metadata
  const { createdAt, updatedAt } = metadata
  const previous = previousOf(versioned)
  const marks = { discriminator, lifetime, createdAt, updatedAt }
  const options = { ...versioned, ...marks, allowHotPartition, previous }
  const model = completeModel(modelFrom(entityClass, metadata, create, sample), options, sample)
  if (strict) checkTyped(model)
  return model
}

/** Decorators leave no trace in the type of a class, so the compiler accepts a class without them. */
function checkDecorated(
  className: string,
  { name, members, partitionKey, rowKey }: ClassMetadata,
): void {
  if (members.size > 0 || name !== undefined || partitionKey || rowKey) return
  throw new ModelError({
    className,
    problem:
      "The class has no decorators. Put @Entity('people') on it, and @PartitionKey() and @RowKey() on two of its " +
      'properties, or call decorate().',
  })
}

function previousOf({ previous }: VersionOptions): EntityModel<object> | undefined {
  return typeof previous === 'function' ? modelOf(previous) : previous
}

/** Makes instances of a class. */
interface Maker {
  readonly create: () => object
  readonly sample: object
}

/**
 * Finds a way to make instances of a class, and makes one.
 *
 * @throws {@link ModelError} when the class cannot be made without arguments
 */
export function makerOf(entityClass: EntityClass<object>, metadata: ClassMetadata): Maker {
  const className = entityClass.name
  if (metadata.inheritsCreate) {
    throw new ModelError({
      className,
      problem:
        '@Entity({ create }) of a base class would make instances of that class. Give this class an @Entity of ' +
        'its own.',
    })
  }
  // An abstract class, or one that needs arguments, fails below.
  const concrete = entityClass as unknown as new () => object
  const create = metadata.create ?? (() => new concrete())
  try {
    const sample = create()
    if (sample instanceof entityClass) return { create, sample }
  } catch (cause) {
    throw new ModelError({
      className,
      problem:
        'The constructor threw without arguments, which is how a read calls it. Make the ' +
        'arguments optional, or use @Entity({ name, create: () => … }).',
      cause,
    })
  }
  throw new ModelError({
    className,
    problem: 'create() must return an instance of the class.',
  })
}

function checkRules(className: string, members: ReadonlyMap<string, MemberRule>): void {
  for (const [property, rule] of members) {
    const problem = ruleProblem(rule)
    if (problem !== undefined) throw new ModelError({ className, property, problem })
  }
}

/**
 * Makes a model from a class's metadata and the fields of a fresh instance.
 *
 * @throws {@link ModelError} when the class lacks a key or has one twice
 */
export function modelFrom(
  entityClass: EntityClass<object>,
  metadata: ClassMetadata,
  create: () => object,
  sample: object,
): EntityModel<object> {
  const { name, members, signing } = metadata
  const schema = schemaOf(entityClass.name, metadata)
  const system = systemMembers(entityClass.name, metadata)
  const inKeys = new Set(partsIn(system).map(({ property }) => property))
  const named = schema?.schema.properties.keys() ?? []
  const properties = new Set([...fieldsOf(sample), ...members.keys(), ...named])
  const { converters = [] } = metadata
  const fields = membersIn(sample)
  const sources = { title: entityClass.name, members, inKeys, schema, converters, sample: fields }
  const ignored = [...members].filter(([, rule]) => rule.decorators.includes('Ignore'))
  return Object.freeze({
    name,
    title: entityClass.name,
    class: entityClass,
    create,
    ...system,
    columns: Object.freeze(columnsOf(properties, sources)),
    ignored: Object.freeze(ignored.map(([member]) => member)),
    computed: Object.freeze([...properties].filter((property) => isComputed(sample, property))),
    signing,
    schema,
    kept: {},
  })
}

/** The sources of columns. */
interface ColumnSources {
  /** The name of the class. */
  readonly title: string
  readonly members: ReadonlyMap<string, MemberRule>
  /** The properties in the keys. */
  readonly inKeys: ReadonlySet<string>
  readonly schema: SchemaRule | undefined
  /** A fresh instance. */
  readonly sample: Readonly<Record<string, unknown>>
  /** The converters of classes of values. */
  readonly converters: readonly RegisteredConverter[]
}

function schemaOf(title: string, { schema: said }: ClassMetadata): SchemaRule | undefined {
  return said?.schema && toSchemaRule(title, said.schema, said)
}

function columnsOf(properties: Iterable<string>, sources: ColumnSources): Column[] {
  const columns: Column[] = []
  for (const property of properties) {
    const rule = sources.members.get(property) ?? { decorators: [] }
    if (systemDecorators(rule).length > 0) continue
    // The key already contains it; only a decorator stores it as a property, too.
    if (sources.inKeys.has(property) && storedDecorators(rule).length === 0) continue
    columns.push(Object.freeze(columnOf(property, rule, sources)))
  }
  return columns
}

function columnOf(property: string, rule: MemberRule, sources: ColumnSources): Column {
  const { title, schema, sample, converters } = sources
  const { storedName: name = property, chunkType, encryption, plain, designType } = rule
  const own =
    rule.converter ??
    (rule.type ? undefined : registeredConverter(converters, sample[property], designType))
  const declared = rule.type ?? chunkType ?? designEdmType(designType)
  const place = schema?.schema.properties.get(property)
  if (place !== undefined) checkStorable(title, property, place, own)
  const { converter, steps }: Storage =
    place === undefined ? { converter: own } : storageOf(place, declared, own)
  const type = converter?.type ?? declared ?? (place && formOf(place).type)
  const kind = type === undefined ? VALUE_KINDS.get(designType) : undefined
  return {
    property,
    name,
    type,
    ...(kind && { kind }),
    encryption,
    ...(plain && { plain }),
    ...(converter && { converter }),
    ...(steps && { steps }),
    ...(chunkType && { chunked: true }),
    ...(place && hasDefault(place) && { hasDefault: true }),
  }
}

/** Returns the fields of a fresh instance, without functions. */
function fieldsOf(sample: object): string[] {
  return Object.entries(sample)
    .filter(([, value]) => typeof value !== 'function')
    .map(([field]) => field)
}

/** Whether a member is a getter without a setter, own or inherited. */
function isComputed(sample: object, property: string): boolean {
  for (let each: object | null = sample; each !== null; each = Object.getPrototypeOf(each)) {
    const descriptor = Object.getOwnPropertyDescriptor(each, property)
    if (descriptor) return descriptor.get !== undefined && descriptor.set === undefined
  }
  return false
}

/** The members of a class for the system properties of its entities. */
type SystemMembers = Pick<EntityModel<object>, 'partitionKey' | 'rowKey' | 'etag' | 'timestamp'>

/**
 * Finds the members for keys, ETag and Timestamp.
 *
 * @throws {@link ModelError} when the class lacks a key or has a system property twice
 */
export function systemMembers(
  className: string,
  { members, partitionKey, rowKey }: Pick<ClassMetadata, 'members' | 'partitionKey' | 'rowKey'>,
): SystemMembers {
  return {
    partitionKey: keyOf(className, members, 'PartitionKey', partitionKey),
    rowKey: keyOf(className, members, 'RowKey', rowKey),
    etag: findOne(className, members, 'ETag'),
    timestamp: findOne(className, members, 'Timestamp'),
  }
}

/** Returns the template of a key, from `@Entity` or from the decorated member. */
function keyOf(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
  decorator: 'PartitionKey' | 'RowKey',
  template: KeyCodec | undefined,
): KeyCodec {
  const member = findOne(className, members, decorator)
  if (template === undefined && member !== undefined) return wholeKey(member)
  if (template !== undefined && member === undefined) return template
  const option = decorator === 'RowKey' ? 'rowKey' : 'partitionKey'
  throw new ModelError({
    className,
    property: member,
    problem:
      member === undefined
        ? `The ${decorator} is missing; every entity needs one. Put @${decorator}() on a ` +
          `string property, or give a template in @Entity({ ${option}: key\`…\` }).`
        : `@${decorator} is on this member, but @Entity also has a template of the ${decorator}. Keep one.`,
  })
}

function findOne(
  className: string,
  members: ReadonlyMap<string, MemberRule>,
  decorator: MemberDecoratorName,
): string | undefined {
  const found = [...members].filter(([, rule]) => rule.decorators.includes(decorator))
  const [one, other] = found.map(([member]) => member)
  if (other === undefined) return one
  throw new ModelError({
    className,
    property: other,
    problem:
      `@${decorator} is on ${one} and ${other}. Keep one, and in a subclass put @Ignore() on the ` +
      'replaced member.',
  })
}

/** Declared types that are stored as one of several Edm types. */
const VALUE_KINDS: ReadonlyMap<unknown, 'number' | 'string'> = new Map<
  unknown,
  'number' | 'string'
>([
  [Number, 'number'],
  [String, 'string'],
])

/**
 * Returns the Edm type of a declared type, from the compiler's `design:type`.
 *
 * `Number` may be one of three types and `String` may be a Guid, so both are ignored. A class then means
 * the same with and without compiler metadata.
 */
export function designEdmType(designType: unknown): EdmType | undefined {
  if (typeof designType !== 'function') return undefined
  if (designType === Boolean) return 'Boolean'
  if (designType === BigInt) return 'Int64'
  if (isKindOf(designType, Date)) return 'DateTime'
  if (isKindOf(designType, Uint8Array)) return 'Binary'
  return undefined
}

function isKindOf(declared: { prototype?: unknown }, base: abstract new () => object): boolean {
  return declared === base || declared.prototype instanceof base
}
