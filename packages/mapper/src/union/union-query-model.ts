import type { KeyTemplate, QueryColumn, QueryModel } from '@rowkey/query'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { queryModelOf } from '../table/read/query-model-of.ts'
import type { UnionTypes } from './entity-union.ts'

/**
 * Makes the query model of all types of a union: the properties that all of them have and store in the
 * same way.
 */
export function unionQueryModel({ title, types, unknown }: UnionTypes): QueryModel {
  const models = types.map(({ model }) => model)
  const all = models.map(queryModelOf)
  const partitionKey = commonTemplate(models, 'partitionKey')
  const rowKey = commonTemplate(models, 'rowKey')
  const columns = new Map<string, QueryColumn>()
  for (const property of all[0]?.properties ?? []) {
    const column = commonColumn(all, property)
    if (column?.inKey && !isPartOf(property, partitionKey, rowKey)) continue
    if (column !== undefined) columns.set(property, column)
  }
  const keys = Object.freeze({ partitionKey, rowKey, hasOthers: unknown === 'dynamic' })
  const wholeOnly = all.find((model) => model.wholeOnly !== undefined)?.wholeOnly
  const identity = [...new Set(all.flatMap((model) => model.identity ?? []))]
  return Object.freeze({
    name: title,
    properties: Object.freeze([...columns.keys()]),
    column: (property: string) => columns.get(property),
    ...(identity.length > 0 && { identity }),
    ...(wholeOnly !== undefined && { wholeOnly }),
    ...((partitionKey ?? rowKey) && { keys }),
  })
}

/** Returns the column of a property if it is the same in all models. */
function commonColumn(models: readonly QueryModel[], property: string): QueryColumn | undefined {
  const [first, ...others] = models.map((model) => model.column(property))
  const isSame = (other: QueryColumn | undefined) =>
    other?.name === first?.name &&
    other?.type === first?.type &&
    other?.inKey === first?.inKey &&
    other?.unfilterable === first?.unfilterable
  return others.every(isSame) ? first : undefined
}

/** Returns the template of a key if it is the same in all models. */
function commonTemplate(
  models: readonly EntityModel<object>[],
  half: 'partitionKey' | 'rowKey',
): KeyTemplate | undefined {
  const [first, ...others] = models
  if (first === undefined || others.some((other) => !isSameKey(other[half], first[half]))) {
    return undefined
  }
  return queryModelOf(first).keys?.[half]
}

function isSameKey(one: KeyCodec, other: KeyCodec): boolean {
  return String(one) === String(other)
}

function isPartOf(property: string, ...templates: readonly (KeyTemplate | undefined)[]): boolean {
  return templates.some((template) =>
    template?.segments.some((each) => typeof each === 'object' && each.property === property),
  )
}
