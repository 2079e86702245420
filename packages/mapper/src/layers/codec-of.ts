import { checkEntityKey, type KeyCheck } from '@rowkey/odata'
import { ClassCodec } from '../codec/class-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { ModelError } from '../errors/model-error.ts'
import { declaredNamesOfAll } from '../model/declared-names.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import { checkNotLater } from '../model/later-version.ts'
import { marksOf } from '../model/marks-of.ts'
import { toModel } from '../model/to-model.ts'
import { isSelfMapped } from '../self-mapping/self-mapped.ts'
import { SelfMappedCodec } from '../self-mapping/self-mapped-codec.ts'
import { Migration, type MigrationParts } from '../versions/migration.ts'
import { UnversionedCodec, VersionedCodec } from '../versions/versioned-codec.ts'
import { MarkedCodec } from './marked-codec.ts'
import { SchemaCodec } from './schema-codec.ts'

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
  const known = codecsWith(checkKey)
  let codec = known.get(model)
  if (codec === undefined) {
    codec = compileCodec(model, checkKey)
    known.set(model, codec)
  }
  return codec as RowCodec<Entity> // kept under the model it was compiled from
}

function compileCodec(model: EntityModel<object>, checkKey: KeyCheck): RowCodec<object> {
  if (isPlain(model)) {
    return new ClassCodec(model, checkKey, checkNotLater)
  }
  const written = mappedCodec(model, checkKey)
  const marked = marksOf(model).length === 0 ? written : new MarkedCodec(written, model)
  const codec = withSchema(model, marked)
  const { title, signing: keys } = model
  // Before the signature is verified, only the version is read.
  const signed = keys === undefined ? codec : keys.signedCodec(codec, title)
  return withVersions(model, signed, checkKey)
}

/** Whether a class codec alone writes and reads the entities of a model. */
function isPlain(model: EntityModel<object>): boolean {
  const { schema, signing, version } = model
  const isBare = [schema, signing, version].every((layer) => layer === undefined)
  return isBare && marksOf(model).length === 0 && !isSelfMapped(model)
}

function mappedCodec(model: EntityModel<object>, checkKey: KeyCheck): RowCodec<object> {
  if (!isSelfMapped(model)) return new ClassCodec(model, checkKey)
  return new SelfMappedCodec(new ClassCodec(model, checkKey), model)
}

function withVersions(
  model: EntityModel<object>,
  codec: RowCodec<object>,
  checkKey: KeyCheck,
): RowCodec<object> {
  const { version } = model
  if (version === undefined) return new UnversionedCodec(codec, model)
  const { previous, migrate, next, migrateBack } = version
  const declared = declaredNamesOfAll(model)
  const migration =
    previous &&
    migrate &&
    new Migration({
      model,
      codec,
      other: codecOf(previous, checkKey),
      declared,
      migrate,
      option: 'migrate',
    })
  // The class of the next version may be declared after this one, so it is resolved at the first use.
  let made: Migration<object> | undefined
  const fromNext =
    next &&
    migrateBack &&
    (() => {
      made ??= migrationBack({ model, codec, declared, migrate: migrateBack, next, checkKey })
      return made
    })
  return new VersionedCodec({ codec, model, version, migration, fromNext })
}

/** Converts rows of the next version to entities of a model. */
interface MigrationBack extends Omit<MigrationParts<object>, 'other' | 'option'> {
  readonly next: NonNullable<ModelVersion['next']>
  readonly checkKey: KeyCheck
}

function migrationBack({ next, checkKey, ...parts }: MigrationBack): Migration<object> {
  const model = toModel(next())
  const { number = 1, property } = model.version ?? {}
  const own = parts.model.version
  if (number !== (own?.number ?? 0) + 1 || property !== own?.property) {
    throw new ModelError({
      className: parts.model.title,
      problem: `next returned ${model.title}, which is version ${number} in '${property}', not the next version. Versions increase by 1 and use the same property.`,
    })
  }
  const declared = new Set([...parts.declared, ...declaredNamesOfAll(model)])
  // The next codec reads only its own version: it rejects later ones, and this one is read directly.
  const other = codecOf(model, checkKey)
  return new Migration({ ...parts, declared, other, option: 'migrateBack' })
}

function withSchema(
  { schema: rule, columns }: EntityModel<object>,
  codec: RowCodec<object>,
): RowCodec<object> {
  if (rule === undefined) return codec
  const properties = new Map(columns.map(({ name, property }) => [name, property]))
  return new SchemaCodec({ codec, rule, properties })
}

function codecsWith(checkKey: KeyCheck): WeakMap<object, RowCodec<object>> {
  let known = codecs.get(checkKey)
  if (known === undefined) {
    known = new WeakMap()
    codecs.set(checkKey, known)
  }
  return known
}
