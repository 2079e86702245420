import { checkEntityKey, type EntityCodec, type KeyCheck } from '@rowkey/odata'
import type { EntityModel } from '../model/entity-model.ts'
import { SignedCodec } from '../signing/signed-codec.ts'
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
  const codec = withSchema(model, new ClassCodec(model, checkKey))
  const { title, signing: keys } = model
  // Outermost: what is not as it was signed is looked at by nobody.
  return keys === undefined ? codec : new SignedCodec({ codec, className: title, keys })
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
