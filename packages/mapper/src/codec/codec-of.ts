import { checkEntityKey, type EntityCodec, type KeyCheck } from '@rowkey/odata'
import { MarkedCodec } from '../marks/marked-codec.ts'
import { marksOf } from '../marks/marks-of.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { isSelfMapped } from '../self-mapping/self-mapped.ts'
import { SelfMappedCodec } from '../self-mapping/self-mapped-codec.ts'
import { SignedCodec } from '../signing/signed-codec.ts'
import { Migration } from '../versions/migration.ts'
import { VersionedCodec } from '../versions/versioned-codec.ts'
import { ClassCodec } from './class-codec.ts'
import { SchemaCodec } from './schema-codec.ts'

/** The codecs of all models, for each way to check a key. */
const codecs = new WeakMap<KeyCheck, WeakMap<object, EntityCodec<object>>>()

/**
 * The codec of a model, compiled at the first call: names, prefixes and types are made ready
 * once, so that writing and reading an entity are one loop over its columns.
 *
 * @param model - from {@link modelOf}
 * @param checkKey - what keys are checked by; `checkKeyText` leaves the rules to the service
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
): EntityCodec<Entity> {
  const known = codecsWith(checkKey)
  let codec = known.get(model)
  if (codec === undefined) {
    codec = compileCodec(model, checkKey)
    known.set(model, codec)
  }
  return codec as EntityCodec<Entity> // kept under the model it was compiled from
}

function compileCodec(model: EntityModel<object>, checkKey: KeyCheck): EntityCodec<object> {
  const written = mappedCodec(model, checkKey)
  const marked = marksOf(model).length === 0 ? written : new MarkedCodec(written, model)
  const codec = withSchema(model, marked)
  const { title, signing: keys } = model
  // Of what is not as it was signed, nothing but the version is looked at.
  const signed = keys === undefined ? codec : new SignedCodec({ codec, className: title, keys })
  return withVersions(model, signed, checkKey)
}

function mappedCodec(model: EntityModel<object>, checkKey: KeyCheck): EntityCodec<object> {
  if (!isSelfMapped(model)) return new ClassCodec(model, checkKey)
  return new SelfMappedCodec(new ClassCodec(model, checkKey), model)
}

function withVersions(
  model: EntityModel<object>,
  codec: EntityCodec<object>,
  checkKey: KeyCheck,
): EntityCodec<object> {
  const { version } = model
  if (version === undefined) return codec
  const { previous, migrate } = version
  const migration =
    previous &&
    migrate &&
    new Migration({ model, codec, earlier: codecOf(previous, checkKey), migrate })
  return new VersionedCodec({ codec, model, version, migration })
}

function withSchema(
  { schema: rule, columns }: EntityModel<object>,
  codec: EntityCodec<object>,
): EntityCodec<object> {
  if (rule === undefined) return codec
  const properties = new Map(columns.map(({ name, property }) => [name, property]))
  return new SchemaCodec({ codec, rule, properties })
}

function codecsWith(checkKey: KeyCheck): WeakMap<object, EntityCodec<object>> {
  let known = codecs.get(checkKey)
  if (known === undefined) {
    known = new WeakMap()
    codecs.set(checkKey, known)
  }
  return known
}
