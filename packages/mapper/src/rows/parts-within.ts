import { type InputError, invalidOption } from '@rowkey/odata'
import { over } from '../codec/row-codec.ts'
import { type Mapping, oneType } from '../layers/mapping.ts'
import type { TableParts } from './table-parts.ts'
import { Within } from './within.ts'

/**
 * Returns the parts of a table that is restricted to the rows with some fixed properties. Its objects and keys get these properties,
 * its queries the condition, and a key of another row is rejected wherever it comes from.
 *
 * @param parts - the whole table
 * @param values - the first properties of the PartitionKey
 * @throws InputError (`InvalidOptionValue`) for a table without a model, and for other properties
 */
export function partsWithin<Entity extends object>(
  parts: TableParts<Entity>,
  values: object,
): TableParts<Entity> {
  const { types, queryModel, rows } = parts
  const mapping = types.ofKey(undefined)
  const { model } = mapping
  if (model === undefined || parts.within !== undefined) throw notFixable(parts.name)
  const within = new Within({ title: model.title, models: [model], queryModel }, values)
  return {
    ...parts,
    within,
    rows: rows.with(within),
    types: oneType(mappingWithin(mapping, within)),
  }
}

/** Makes the error of a table that cannot be restricted. */
export function notFixable(table: string): InputError {
  return invalidOption(
    `within of table ${table} needs a table of models, whose keys have no fixed properties yet.`,
  )
}

/** Returns the mapping of entities and keys that may lack fixed properties. */
export function mappingWithin<Entity extends object>(
  mapping: Mapping<Entity>,
  within: Within,
): Mapping<Entity> {
  const { codec, shape } = mapping
  const { shownKeyOf } = codec
  return {
    ...mapping,
    codec: over(codec, {
      keyOf: (entity) => codec.keyOf(within.shown(entity)),
      ...(shownKeyOf && { shownKeyOf: (entity) => shownKeyOf(within.shown(entity)) }),
    }),
    shape: {
      ...shape,
      toEntity: (given) => completed((shape.toEntity?.(given) ?? given) as Entity, within),
    },
  }
}

/** Gives an object the fixed properties that it lacks; a frozen object is copied. */
function completed<Entity extends object>(entity: Entity, within: Within): Entity {
  const missing = within.missingIn(entity)
  if (missing === undefined) return entity
  if (Object.isExtensible(entity)) return Object.assign(entity, missing)
  return Object.assign(Object.create(Object.getPrototypeOf(entity)), entity, missing)
}
