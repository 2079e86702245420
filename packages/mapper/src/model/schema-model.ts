import { ModelError } from '../errors/model-error.ts'
import { KeyCodec, partsIn } from '../keys/key-codec.ts'
import { checkColumnRules } from '../schema/check-column-rules.ts'
import type { EntitySchema } from '../schema/entity-schema.ts'
import { type SchemaOptions, toSchemaRule } from '../schema/to-schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { checkModel } from './check-model.ts'
import type { EntityModel } from './entity-model.ts'
import { bindLifetime, type Lifetime } from './row-lifetime.ts'
import { type ColumnOptions, schemaColumns } from './schema-columns.ts'
import { type TypeMark, toDiscriminator } from './to-discriminator.ts'
import { toModel } from './to-model.ts'
import { toModelVersion } from './to-model-version.ts'
import type { VersionOptions } from './version-options.ts'

/** The parts of a model without a class. */
export interface SchemaModelParts extends SchemaOptions, ColumnOptions, VersionOptions {
  readonly name: string
  readonly partitionKey: KeyCodec
  readonly rowKey: KeyCodec
  readonly schema: StandardSchema
  readonly etag?: string | undefined
  readonly timestamp?: string | undefined
  readonly signing?: SigningKeys | undefined
  readonly discriminator?: TypeMark | undefined
  readonly lifetime?: Lifetime | undefined
}

/**
 * Makes the model of entities that a schema describes.
 *
 * @throws {@link ModelError} when the model is invalid
 */
export function schemaModel(parts: SchemaModelParts): EntityModel<object> {
  const { name: title, partitionKey, rowKey, etag, timestamp, signing } = parts
  const rule = toSchemaRule(title, parts)
  const { schema } = rule
  checkKeys(parts, schema)
  const inKeys = new Set(partsIn(parts).map(({ property }) => property))
  checkColumnRules(parts.columns ?? {}, { title, properties: schema.properties, inKeys })
  const create = maker(schema)
  const previous = parts.previous && toModel(parts.previous)
  const unbound: EntityModel<object> = {
    name: title,
    title,
    class: undefined,
    create,
    partitionKey,
    rowKey,
    etag,
    timestamp,
    columns: Object.freeze(schemaColumns(schema, inKeys, parts)),
    ignored: Object.freeze([]),
    computed: Object.freeze([]),
    signing,
    schema: rule,
    discriminator: toDiscriminator(title, parts.discriminator),
    version: toModelVersion(title, parts, previous),
  }
  const model = Object.freeze({ ...unbound, lifetime: bindLifetime(parts.lifetime, unbound) })
  checkModel(model, create())
  return model
}

function checkKeys({ name, partitionKey, rowKey }: SchemaModelParts, schema: EntitySchema): void {
  for (const [half, codec] of Object.entries({ partitionKey, rowKey })) {
    if (!(codec instanceof KeyCodec)) {
      const problem = `The ${half} must be a key template, such as key\`\${'id'}\`.`
      throw new ModelError({ className: name, problem })
    }
    const property = codec.properties.find((each) => !schema.properties.has(each))
    if (property === undefined) continue
    const problem = `It is a part of the ${half}, but missing in the schema. Add it to the schema.`
    throw new ModelError({ className: name, property, problem })
  }
}

/** Makes plain objects with the initial value of each property. */
function maker({ properties }: EntitySchema): () => object {
  return () => {
    const entity: Record<string, unknown> = {}
    for (const [property, schema] of properties) {
      const initial = schema.initial()
      if (initial !== undefined) entity[property] = initial
    }
    return entity
  }
}
