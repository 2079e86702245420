import type { EntityModel } from './entity-model.ts'

/**
 * Returns values as rows have them, for keys that are made of them: as the schema of the model makes them, and a Guid in lower case.
 *
 * @param model - the model of the rows
 * @param values - the values of some properties
 *
 * @example
 * ```ts
 * model.partitionKey.print(normalValues(model, { mail: 'Ann@x.com' })) // ann@x.com, by z.string().toLowerCase()
 * ```
 */
export function normalValues(model: EntityModel<object>, values: object): object {
  const { schema } = model.schema ?? {}
  const guids = new Set(
    model.columns.flatMap(({ property, type }) => (type === 'Guid' ? [property] : [])),
  )
  const normal = Object.entries(values).map(([property, value]: [string, unknown]) => {
    const made = schema?.normal(property, value) ?? value
    return [property, guids.has(property) && typeof made === 'string' ? made.toLowerCase() : made]
  })
  return { ...values, ...Object.fromEntries(normal) }
}
