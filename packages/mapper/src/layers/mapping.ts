import { checkEntityKey, type KeyCheck, type RawEntity } from '@rowkey/odata'
import { ClassCodec } from '../codec/class-codec.ts'
import { classShape, type EntityShape } from '../codec/entity-shape.ts'
import { over, type RowCodec, type WriteTimes } from '../codec/row-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { typeRule } from '../model/discriminator.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import { onceForEach } from '../model/once-for-each.ts'
import type { RowRule } from '../model/row-rule.ts'
import { toModel } from '../model/to-model.ts'
import { checkNotLater } from '../model/to-model-version.ts'
import { isSelfMapped } from '../self-mapping/self-mapped.ts'
import { SelfMappedCodec, selfMappedShape } from '../self-mapping/self-mapped-codec.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { WriteGuard } from '../snapshot/write-guard.ts'
import { Migration } from '../versions/migration.ts'
import { type LaterWrite, NextVersion } from '../versions/next-version.ts'
import { guardFromFirst, RowVersions } from '../versions/row-versions.ts'
import { withMarks } from './with-marks.ts'
import { withSchema } from './with-schema.ts'
import { withTimes } from './with-times.ts'

/** Everything that a table knows about the entities of its rows: how they are translated, how they look, what guards them. */
export interface Mapping<Entity extends object> {
  /** Translates between entities and rows. */
  readonly codec: RowCodec<Entity>
  /** Knows where entities show their key and their ETag. */
  readonly shape: EntityShape<Entity>
  /** Decides what must be true of a row before it is changed. */
  readonly guard: WriteGuard<Entity>
  /** The model of the entities; absent where any row may be an entity. */
  readonly model?: EntityModel<object> | undefined
  /** The rules that rows of these entities meet; empty where any row does. */
  readonly rules: readonly RowRule[]
  /**
   * Writes an entity whose row is of the next version in the shape of that version. It writes the changes
   * of the entity, and everything that only the next version has. Absent where rows of the next version are
   * not read.
   *
   * @param snapshot - the entity's snapshot of the row
   * @throws `InputError` (`LaterVersion`) when the row cannot hold the change without losing something
   */
  writeLater?(entity: Entity, snapshot: Snapshot, times?: WriteTimes): LaterWrite
}

/** Finds the mapping of what a table reads and writes. A write asks once, and passes the mapping on. */
export interface Types<Entity extends object> {
  /**
   * Returns the mapping of an object.
   *
   * @throws InputError (`UnknownEntityType`, `AmbiguousEntityType`) when it fits no type, or several
   */
  ofEntity(entity: object): Mapping<Entity>
  /**
   * Returns the mapping of a stored row.
   *
   * @throws DecodeError (`UnknownType`) when it does not belong to a type of the table
   */
  ofRow(raw: RawEntity): Mapping<Entity>
  /**
   * Returns the mapping of a target: an entity, or its key. A stored key may not tell the type, and then belongs to any row.
   *
   * @throws InputError as {@link Types.ofEntity}
   */
  ofKey(target: unknown): Mapping<Entity>
}

const typesOf = onceForEach((mapping: Mapping<object>): Types<object> => {
  const only = () => mapping
  return Object.freeze({ ofEntity: only, ofRow: only, ofKey: only })
})

/** Returns the types of a table whose entities all have one mapping. */
export function oneType<Entity extends object>(mapping: Mapping<Entity>): Types<Entity> {
  return typesOf(mapping as unknown as Mapping<object>) as unknown as Types<Entity> // of its entities
}

/** The mappings of all models, by how keys are checked. */
const mappingsOf = onceForEach((checkKey: KeyCheck) =>
  onceForEach((model: EntityModel<object>) => compile(model, checkKey)),
)

/**
 * Returns the mapping of a model and compiles it at the first call. Names, prefixes and types are prepared
 * once, so that writing and reading an entity are one loop over its columns.
 *
 * @param checkKey - checks keys; `checkKeyText` leaves the rules to the service
 */
export function mappingOf<Entity extends object>(
  model: EntityModel<Entity>,
  checkKey: KeyCheck = checkEntityKey,
): Mapping<Entity> {
  const mapping = mappingsOf(checkKey)(model as unknown as EntityModel<object>)
  return mapping as unknown as Mapping<Entity> // kept under the model it was compiled from
}

/** The signature is outside of everything that it covers. Before it is verified, only the version is read. */
function compile(model: EntityModel<object>, checkKey: KeyCheck): Mapping<object> {
  const { signing, version, title } = model
  const { codec: inner, shape } = membersMapping(model, checkKey)
  const checked = withTimes(withSchema(withMarks(inner, model), model), model)
  const signature = signing?.signatureOf(title)
  const codec = signature?.codec(checked) ?? checked
  const type = typeRule(model)
  const guard = signature?.guard ?? {}
  const own = {
    codec,
    shape,
    guard,
    model,
    rules: [keyRule(model), ...(type ? [type] : [])],
  }
  if (version !== undefined) return withVersions(model, version, own, checkKey)
  const current = over(codec, {
    read(raw, etag, isPart) {
      checkNotLater(model, raw)
      return codec.read(raw, etag, isPart)
    },
  })
  return { ...own, codec: current, guard: guardFromFirst(model, guard) }
}

/** Makes the rule that keys begin with the texts that all keys of a model begin with. */
function keyRule({ partitionKey, rowKey }: EntityModel<object>): RowRule {
  const checkPartition = checkOf(partitionKey)
  const checkRow = checkOf(rowKey)
  return {
    names: [],
    checkKey(key) {
      checkPartition(key.partitionKey)
      checkRow(key.rowKey)
    },
  }
}

/** Only the beginning tells the type, so that a malformed row of the model can be deleted. */
function checkOf(codec: KeyCodec): (text: string) => void {
  const beginning = codec.prefix({})
  return (text) => {
    if (!codec.parts[0] || !text.startsWith(beginning)) codec.parse(text)
  }
}

/** Maps the members of a class as its decorators say, or as it does itself. */
function membersMapping(
  model: EntityModel<object>,
  checkKey: KeyCheck,
): Pick<Mapping<object>, 'codec' | 'shape'> {
  if (!isSelfMapped(model)) {
    return { codec: new ClassCodec(model, checkKey), shape: classShape(model) }
  }
  return {
    codec: new SelfMappedCodec(new ClassCodec(model, checkKey), model),
    shape: selfMappedShape(classShape(model)),
  } as unknown as Pick<Mapping<object>, 'codec' | 'shape'> // of the entities of this model
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
  own: Mapping<object>,
  checkKey: KeyCheck,
): Mapping<object> {
  const { previous, migrate, next, migrateBack } = version
  const { codec, shape } = own
  const from = (
    other: EntityModel<object>,
    option: 'migrate' | 'migrateBack',
    convert: (other: object) => object,
  ) =>
    // The other codec reads only its own version: it rejects later ones, and this one is read directly.
    new Migration({
      model,
      codec,
      shape,
      otherModel: other,
      other: mappingOf(other, checkKey).codec,
      migrate: convert,
      option,
    })
  const migration = previous && migrate && from(previous, 'migrate', migrate)
  // The class of the next version may be declared after this one, so it is resolved at the first use.
  let nextVersion: NextVersion<object> | undefined
  const fromNext =
    next &&
    migrateBack &&
    (() => {
      if (nextVersion !== undefined) return nextVersion
      const later = nextOf(model, version, next)
      nextVersion = new NextVersion(from(later, 'migrateBack', migrateBack), later)
      return nextVersion
    })
  const guard = new RowVersions({ model, version, migration, fromNext }, own.guard)
  return {
    ...own,
    codec: guard.codec(codec),
    guard,
    ...(fromNext && { writeLater: (...parts) => fromNext().write(...parts) }),
  }
}
