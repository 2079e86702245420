import {
  checkEntityKey,
  compareKeys,
  DecodeError,
  type EntityKey,
  type KeyCheck,
  keyOfRaw,
  memberText,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import { ClassCodec } from '../codec/class-codec.ts'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { unknownType } from '../errors/compose-errors.ts'
import { ModelError } from '../errors/model-error.ts'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import { memberJson } from '../member/stored-member.ts'
import type { Column, EntityModel, ModelVersion } from '../model/entity-model.ts'
import { declaredNamesOfAll, marksOf } from '../model/marks-of.ts'
import { type Members, membersIn } from '../model/members-in.ts'
import { toModel } from '../model/to-model.ts'
import { checkNotLater } from '../model/to-model-version.ts'
import type { SchemaRule } from '../schema/schema-rule.ts'
import { isSelfMapped } from '../self-mapping/self-mapped.ts'
import { SelfMappedCodec } from '../self-mapping/self-mapped-codec.ts'
import {
  keepSnapshot,
  keyOfSnapshot,
  type RowOrigin,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'
import { Migration, type MigrationParts } from '../versions/migration.ts'
import { NextVersion } from '../versions/next-version.ts'
import { UnversionedCodec, VersionedCodec } from '../versions/versioned-codec.ts'

/**
 * Stores entities with their type and version.
 *
 * A merge never sends them: the row already has them, and a row with other values has another type or
 * version.
 */
class MarkedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>
  /** The marks as further members of a JSON object. */
  readonly #members: string

  /**
   * @param codec - writes and reads everything else
   * @param model - the model with the marks
   */
  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
    const texts = marksOf(model).map(({ name, type, value }) =>
      memberJson(memberText(name), type, value),
    )
    this.#members = texts.join('')
  }

  override write(entity: Entity): string {
    return this.#marked(super.write(entity))
  }

  override writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return this.#marked(super.writeShown(entity, snapshot))
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    this.#checkType(raw)
    return super.read(raw, etag, origin, isPart)
  }

  #marked(body: string): string {
    return `${body.slice(0, -1)}${this.#members}}`
  }

  #checkType(raw: RawEntity): void {
    const { discriminator, title } = this.#model
    if (discriminator === undefined || raw[discriminator.property] === discriminator.value) return
    const key = keyOfRaw(raw)
    const known = [`${title} (${discriminator.property} '${discriminator.value}')`]
    throw unknownType(key, known)
  }
}

/**
 * Checks entities against a schema: whole entities as a whole, and each property of a merge or projection
 * separately.
 */
class SchemaCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #rule: SchemaRule
  /** The properties by their stored names. */
  readonly #properties: ReadonlyMap<string, string>

  /**
   * @param codec - writes and reads the entities
   * @param rule - the schema, and the rule for stored entities that do not match it
   * @param columns - the stored properties
   */
  constructor(codec: RowCodec<Entity>, rule: SchemaRule, columns: readonly Column[]) {
    super(codec)
    this.#rule = rule
    this.#properties = new Map(columns.map(({ name, property }) => [name, property]))
  }

  /**
   * Assigns the output of the schema, including defaults, to the object, as a write does with the ETag.
   */
  override write(entity: Entity): string {
    return super.write(this.#checked(entity))
  }

  override writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return super.writeShown(this.#checked(entity), snapshot)
  }

  override writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    const text = super.writeChanges(entity, snapshot)
    if (text === undefined) return undefined
    const sent = Object.keys(parseEntityObject(text))
    // The stored entity keeps its key, even if the schema would now change it.
    const names = sent.filter((name) => name !== 'PartitionKey' && name !== 'RowKey')
    const outcome = this.#rule.schema.checkPart(membersIn(entity), this.#propertiesOf(names))
    if ('issues' in outcome) throw this.#invalid(entity, outcome.issues)
    const changes = this.#changesOf(entity, outcome.values)
    return changes.length === 0 ? text : super.writeChanges(withValues(entity, changes), snapshot)
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    const entity = super.read(raw, etag, origin, isPart)
    const { read, schema } = this.#rule
    if (read === 'lenient') return entity
    const members = membersIn(entity)
    const outcome = isPart
      ? schema.checkPart(members, this.#propertiesOf(Object.keys(raw)))
      : schema.check(members)
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  #propertiesOf(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.#properties.get(name) ?? [])
  }

  #checked(entity: Entity): Entity {
    const outcome = this.#rule.schema.check(membersIn(entity))
    if ('issues' in outcome) throw this.#invalid(entity, outcome.issues)
    const checked = withValues(entity, this.#changesOf(entity, outcome.values))
    if (checked !== entity) this.#checkSameKey(entity, checked)
    return checked
  }

  /** Returns what the schema changes. An untouched value stays as it is stored. */
  #changesOf(entity: Entity, values: Readonly<Members>): readonly Change[] {
    const members = membersIn(entity)
    const changes = Object.entries(values).filter(
      ([name, value]) => !Object.is(members[name], value),
    )
    const snapshot = snapshotOf(entity)
    if (snapshot === undefined || changes.length === 0) return changes
    const untouched = [...super.untouched(entity)]
    const kept = new Set(untouched.map((name) => this.#properties.get(name) ?? name))
    const columns = new Set(this.#properties.values())
    const isSameKey = compareKeys(this.keyOf(entity), keyOfSnapshot(snapshot)) === 0
    return changes.filter(([property]) => {
      // A default replaces a missing value, but not a value that was not selected.
      if (members[property] === undefined) return !snapshot.partial
      return columns.has(property) ? !kept.has(property) : !isSameKey
    })
  }

  /**
   * Rejects a frozen object whose key the schema changes: it would keep showing a key that is not stored.
   */
  #checkSameKey(frozen: Entity, copy: Entity): void {
    if (compareKeys(this.keyOf(frozen), this.keyOf(copy)) === 0) return
    const message = 'it changes the key, but the object is frozen'
    throw this.#invalid(frozen, [{ path: '', message }])
  }

  #drifted(entity: Entity, issues: readonly SchemaIssue[]): void {
    const { read, onDrift, schema } = this.#rule
    const key = this.keyOf(entity)
    if (read === 'strict') {
      const { message } = new SchemaError({ model: schema.title, action: 'read', issues, key })
      throw new DecodeError({ code: 'SchemaMismatch', message, details: { ...key } })
    }
    onDrift?.({ model: schema.title, key, issues })
  }

  #invalid(entity: Entity, issues: readonly SchemaIssue[]): SchemaError {
    const model = this.#rule.schema.title
    return new SchemaError({ model, action: 'written', issues, key: this.#keyIn(entity) })
  }

  #keyIn(entity: Entity): EntityKey | undefined {
    try {
      return this.keyOf(entity)
    } catch {
      // The invalid value may be a part of the key; the issues name it.
      return undefined
    }
  }
}

/** A property and its new value. */
type Change = readonly [property: string, value: unknown]

/** Changes an object or, when it is frozen, a copy with the same snapshot. */
function withValues<Entity extends object>(entity: Entity, changes: readonly Change[]): Entity {
  if (changes.length === 0) return entity
  if (!Object.isFrozen(entity)) {
    for (const [property, value] of changes) Reflect.set(entity, property, value)
    return entity
  }
  const prototype: object | null = Object.getPrototypeOf(entity)
  const copy: Entity = Object.assign(Object.create(prototype), entity, Object.fromEntries(changes))
  const snapshot = snapshotOf(entity)
  if (snapshot !== undefined) keepSnapshot(copy, snapshot)
  return copy
}

/** The codecs of all models, by how keys are checked. */
const codecs = new WeakMap<KeyCheck, WeakMap<object, RowCodec<object>>>()

/**
 * Returns the codec of a model and compiles it at the first call. Names, prefixes and types are prepared
 * once, so that writing and reading an entity are one loop over its columns.
 *
 * @param model - from `modelOf`
 * @param checkKey - checks keys; `checkKeyText` leaves the rules to the service
 *
 * @example
 * ```ts
 * const codec = codecOf(modelOf(Customer))
 * codec.write(customer)   // '{"PartitionKey":"Smith","RowKey":"Jeff","cea":"jeff@contoso.com"}'
 * ```
 */
export function codecOf<Entity extends object>(
  model: EntityModel<Entity>,
  checkKey: KeyCheck = checkEntityKey,
): RowCodec<Entity> {
  const known = codecs.get(checkKey) ?? new WeakMap<object, RowCodec<object>>()
  codecs.set(checkKey, known)
  const codec = known.get(model) ?? compileCodec(model, checkKey)
  known.set(model, codec)
  return codec as RowCodec<Entity> // kept under the model it was compiled from
}

function compileCodec(model: EntityModel<object>, checkKey: KeyCheck): RowCodec<object> {
  const { schema, signing, version, title, columns } = model
  const isSelf = isSelfMapped(model)
  const isMarked = marksOf(model).length > 0
  const isPlain = !(schema || signing || version || isMarked || isSelf)
  if (isPlain) return new ClassCodec(model, checkKey, checkNotLater)
  let codec: RowCodec<object> = isSelf
    ? new SelfMappedCodec(new ClassCodec(model, checkKey), model)
    : new ClassCodec(model, checkKey)
  if (isMarked) codec = new MarkedCodec(codec, model)
  if (schema) codec = new SchemaCodec(codec, schema, columns)
  // Before the signature is verified, only the version is read.
  if (signing) codec = signing.signedCodec(codec, title)
  if (version === undefined) return new UnversionedCodec(codec, model)
  return withVersions(model, version, codec, checkKey)
}

/**
 * Returns the model of the next version.
 *
 * @throws ModelError when `next` returns another one
 */
function nextOf(
  { title }: EntityModel<object>,
  own: ModelVersion,
  next: NonNullable<ModelVersion['next']>,
): EntityModel<object> {
  const model = toModel(next())
  const { number = 1, property } = model.version ?? {}
  if (number === own.number + 1 && property === own.property) return model
  throw new ModelError({
    className: title,
    problem: `next returned ${model.title}, which is version ${number} in '${property}', not the next version. Versions increase by 1 and use the same property.`,
  })
}

function withVersions(
  model: EntityModel<object>,
  version: ModelVersion,
  codec: RowCodec<object>,
  checkKey: KeyCheck,
): RowCodec<object> {
  const { previous, migrate, next, migrateBack } = version
  const declared = declaredNamesOfAll(model)
  const from = (
    other: EntityModel<object>,
    parts: Pick<MigrationParts<object>, 'migrate' | 'option'>,
  ) => {
    // The other codec reads only its own version: it rejects later ones, and this one is read directly.
    const names = new Set([...declared, ...declaredNamesOfAll(other)])
    const otherCodec = codecOf(other, checkKey)
    return new Migration({ model, codec, other: otherCodec, declared: names, ...parts })
  }
  const migration = previous && migrate && from(previous, { migrate, option: 'migrate' })
  // The class of the next version may be declared after this one, so it is resolved at the first use.
  let nextVersion: NextVersion<object> | undefined
  const fromNext =
    next &&
    migrateBack &&
    (() => {
      nextVersion ??= toNextVersion(nextOf(model, version, next), migrateBack)
      return nextVersion
    })
  const toNextVersion = (
    later: EntityModel<object>,
    migrate: NonNullable<ModelVersion['migrateBack']>,
  ) => {
    const nextCodec = codecOf(later, checkKey)
    const migration = from(later, { migrate, option: 'migrateBack' })
    return new NextVersion({ model, codec, migration, next: later, nextCodec })
  }
  return new VersionedCodec({ codec, model, version, migration, fromNext })
}
