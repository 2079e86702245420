import type { ShownRow, TypeNames } from '../src/server/wire.ts'
import type { KnownProperty } from './complete-filter.ts'

/** A column of the list of rows. */
export interface TableColumn {
  /** The stored name. */
  readonly name: string
  /** The name in a model. */
  readonly property?: string | undefined
  /** The types of its values, in the order of the rows. */
  readonly types: readonly string[]
}

/** The types of models that rows of a table can have. */
export function typesOf(types: readonly TypeNames[], table: string): readonly TypeNames[] {
  return types.filter((type) => type.table === undefined || type.table === table)
}

/** Finds what models call a stored property; those that differ are all named. */
export function propertyOf(types: readonly TypeNames[], stored: string): string | undefined {
  const found = types.flatMap(({ partition, row, names }) => {
    if (stored === 'PartitionKey') return [partition.join(' ')]
    if (stored === 'RowKey') return [row.join(' ')]
    return names.filter(([name]) => name === stored).map(([, property]) => property)
  })
  const names = new Set(found.filter((name) => name !== '' && name !== stored))
  return names.size === 0 ? undefined : [...names].join(' / ')
}

/** A word of a filter that is not in a text. */
const WORDS = /'(?:[^']|'')*'|[A-Za-z_]\w*/g

/**
 * Says which names of a filter are of a model, and not of the service: its conditions match no row.
 *
 * @param types - the types of the table
 * @param filter - the filter
 */
export function namesOfModels(types: readonly TypeNames[], filter: string): readonly string[] {
  const words = new Set(filter.match(WORDS) ?? [])
  const stored = new Set(types.flatMap(({ names }) => names.map(([name]) => name)))
  const hints = types.flatMap(({ partition, row, names }) => [
    ...partition.map((name) => [name, `${name} is in the PartitionKey.`] as const),
    ...row.map((name) => [name, `${name} is in the RowKey.`] as const),
    ...names.map(([name, property]) => [property, `${property} is stored as ${name}.`] as const),
  ])
  const wrong = hints.filter(([name]) => words.has(name) && !stored.has(name))
  return [...new Set(wrong.map(([, hint]) => hint))]
}

/**
 * Lists the columns of rows: in the order that the reader chose, or in which the rows have them.
 *
 * @param rows - the rows
 * @param chosen - the chosen columns; all when empty
 * @param types - the types of the table
 */
export function columnsOf(
  rows: readonly ShownRow[],
  chosen: readonly string[],
  types: readonly TypeNames[],
): readonly TableColumn[] {
  const found = new Map<string, Set<string>>(chosen.map((name) => [name, new Set()]))
  for (const { values } of rows) {
    for (const [name, { type }] of values) {
      if (chosen.length > 0 && !chosen.includes(name)) continue
      found.set(name, (found.get(name) ?? new Set()).add(type))
    }
  }
  found.delete('PartitionKey')
  found.delete('RowKey')
  return Array.from(found, ([name, kinds]) => ({
    name,
    property: propertyOf(types, name),
    types: [...kinds],
  }))
}

/**
 * Lists the properties that a filter can name: the keys, those of the models, and those of all rows that the page has seen.
 *
 * @param all - the types of all models
 * @param table - the table
 * @param rows - the rows of the view
 * @param seen - the types of each property so far; the rows add theirs
 */
export function knownProperties(
  all: readonly TypeNames[],
  table: string,
  rows: readonly ShownRow[],
  seen: Map<string, Set<string>>,
): readonly KnownProperty[] {
  const types = typesOf(all, table)
  for (const { names } of types) {
    for (const [name] of names) if (!seen.has(name)) seen.set(name, new Set())
  }
  for (const { values } of rows) {
    for (const [name, { type }] of values) seen.set(name, (seen.get(name) ?? new Set()).add(type))
  }
  const others = [...seen].map(([name, kinds]) => ({ name, types: [...kinds] }))
  const system = [
    { name: 'PartitionKey', types: ['String'] },
    { name: 'RowKey', types: ['String'] },
    ...others,
    { name: 'Timestamp', types: ['DateTime'] },
  ]
  return system.map((each) => ({ ...each, property: propertyOf(types, each.name) }))
}
