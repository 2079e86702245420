import { EntityProperty, InputError } from '@rowkey/odata'
import type { KeyTemplate, QueryColumn, QueryModel } from '@rowkey/query'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { queryModelOf } from '../rows/query-model-of.ts'
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
  // Rows of unknown types show no defaults.
  const others = unknown === 'dynamic' ? [undefined] : []
  for (const property of all[0]?.properties ?? []) {
    const column = commonColumn(all, property, title, others)
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
function commonColumn(
  models: readonly QueryModel[],
  property: string,
  title: string,
  furtherDefaults: readonly undefined[],
): QueryColumn | undefined {
  const columns = models.flatMap((model) => model.column(property) ?? [])
  const [first, ...others] = columns
  const isSame = (other: QueryColumn) =>
    other.name === first?.name &&
    other.type === first.type &&
    other.inKey === first.inKey &&
    other.unfilterable === first.unfilterable
  if (first === undefined || columns.length < models.length || !others.every(isSame)) {
    return undefined
  }
  const common = columns.some(({ defaults }) => defaults !== undefined)
    ? { ...first, defaults: () => [...defaultsOf(columns), ...furtherDefaults] }
    : first
  if (columns.every(({ toStored }) => toStored === undefined)) return common
  return { ...common, toStored: (operand) => commonValue(first, others, operand, title) }
}

/** What each type shows where a property is not stored. */
function defaultsOf(columns: readonly QueryColumn[]): readonly unknown[] {
  return columns.flatMap(({ defaults }) => defaults?.() ?? [undefined])
}

/**
 * Returns what all types store for an operand. A type whose converter rejects it has no row with this value.
 *
 * @throws InputError (`InvalidQuery`) when they store different values: a filter would find rows of one type only
 */
function commonValue(
  first: QueryColumn,
  others: readonly QueryColumn[],
  operand: unknown,
  title: string,
): unknown {
  const stored = storedBy(first, operand)
  const isDifferent = (other: QueryColumn) => {
    try {
      return !storedBy(other, operand).equals(stored)
    } catch {
      return false
    }
  }
  if (!others.some(isDifferent)) return stored.value
  const { property } = first
  throw new InputError({
    code: 'InvalidQuery',
    message: `Conditions cannot use ${title}.${property}: its types store this value in different ways. Query each type with ofType.`,
    details: { model: title, property },
  })
}

function storedBy({ property, toStored, type }: QueryColumn, operand: unknown): EntityProperty {
  const stored = toStored === undefined ? operand : toStored(operand)
  return EntityProperty.of(stored, type, property)
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
