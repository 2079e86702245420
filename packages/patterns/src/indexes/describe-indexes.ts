import type { KeyCodec } from '@rowkey/mapper'
import type { EntityIndex } from '../definitions/index-entry.ts'
import type { ModelTable } from '../rows/model-table.ts'

/** One question that the keys of a table or an index can answer, from {@link IndexedTable.describe}. */
export interface AccessPattern {
  /** What answers it: the keys of the entities, or the name of an index. */
  readonly by: string
  /** The properties that a query names, each with one value. */
  readonly named: readonly string[]
  /** The properties that the results are in the order of; a query may bound the first of them. */
  readonly order: readonly string[]
  /** The call, as a program writes it. */
  readonly call: string
  /** Whether the values are unique: then at most one entity is found. */
  readonly isUnique: boolean
  /** What it costs in requests. */
  readonly requests: AccessRequests
}

/** What an access pattern costs in requests, beside one for the catalogue in each lease. */
export interface AccessRequests {
  /** How many entities or entries one request reads. */
  readonly pageSize: number
  /** How many point reads each entity costs then. */
  readonly readsPerEntity: 0 | 1
}

/** The access patterns of a table, from {@link IndexedTable.describe}. */
export interface TableDescription {
  /** The name of the table. */
  readonly table: string
  /** The model of its entities. */
  readonly model: string
  /** What can be asked by a key or an index, and what each question costs. */
  readonly patterns: readonly AccessPattern[]
  /** How many rows an insert stores in its transaction: the entity, and an entry for each index of its partition. */
  readonly rowsPerInsert: number
  /** Prints it for people: one line for each pattern. */
  toString(): string
}

/** How many rows the service returns in one response. */
const ROWS_PER_PAGE = 1_000
/** How many entries a query by an index reads by one request. */
const ENTRIES_PER_PAGE = 100

/**
 * Describes which questions the keys and the indexes of a table answer, and what each costs.
 *
 * @param table - the table of the entities
 * @param indexes - its indexes
 */
export function describeIndexes(
  table: ModelTable,
  indexes: readonly EntityIndex[],
): TableDescription {
  const patterns = [...keyPatterns(table), ...indexes.flatMap(indexPatterns)]
  const entries = indexes.filter(({ isEventual }) => !isEventual).length
  const { name, model } = table
  const description = { table: name, model: model.title, patterns, rowsPerInsert: 1 + entries }
  return { ...description, toString: () => printed(description) }
}

function keyPatterns({ model, service }: ModelTable): readonly AccessPattern[] {
  const { partitionKey, rowKey } = model
  const named = partitionKey.properties
  const isSorted = service.endpoint.flavour !== 'cosmos'
  const whole = [...new Set([...named, ...rowKey.properties])]
  return [
    {
      by: 'keys',
      named: whole,
      order: [],
      call: `table.get({ ${whole.join(', ')} })`,
      isUnique: true,
      requests: { pageSize: 1, readsPerEntity: 0 },
    },
    {
      by: 'keys',
      named,
      order: isSorted ? orderIn(rowKey, named) : [],
      call: `table.query().where({ ${named.join(', ')} })`,
      isUnique: false,
      requests: { pageSize: ROWS_PER_PAGE, readsPerEntity: 0 },
    },
  ]
}

function indexPatterns(index: EntityIndex): readonly AccessPattern[] {
  const { name, isUnique, partitionKey, definition, model } = index
  const named = partitionKey.properties
  const own = isUnique ? [] : [...model.partitionKey.properties, ...model.rowKey.properties]
  const values = without(definition.rowKey.properties, [...named, ...own])
  const all = [...named, ...values]
  const common = { by: name, requests: { pageSize: ENTRIES_PER_PAGE, readsPerEntity: 1 } } as const
  const sorted: AccessPattern = {
    ...common,
    named,
    order: orderIn(definition.rowKey, named),
    call: `indexed.query('${name}', { ${named.join(', ')} })`,
    isUnique: false,
  }
  if (isUnique) {
    const call = `indexed.find('${name}', { ${all.join(', ')} })`
    const requests = { pageSize: 1, readsPerEntity: 1 } as const
    return [{ ...common, named: all, order: [], call, isUnique, requests }, sorted]
  }
  if (values.length === 0) return [sorted]
  const call = `indexed.query('${name}', { ${all.join(', ')} })`
  return [{ ...common, named: all, order: orderIn(definition.rowKey, all), call, isUnique }, sorted]
}

/** Returns the properties that rows are sorted by when others have one value each: a hash, for example, is in the order of nothing. */
function orderIn({ segments }: KeyCodec, named: readonly string[]): readonly string[] {
  const open = segments.flatMap((each) =>
    typeof each === 'object' && !named.includes(each.property) ? each : [],
  )
  const end = open.findIndex(({ order }) => order === undefined)
  return open.slice(0, end < 0 ? open.length : end).map(({ property }) => property)
}

function without(properties: readonly string[], others: readonly string[]): readonly string[] {
  return properties.filter((each) => !others.includes(each))
}

function printed({
  table,
  model,
  patterns,
  rowsPerInsert,
}: Omit<TableDescription, 'toString'>): string {
  const lines = patterns.map(({ named, order, call, by, isUnique, requests }) => {
    const sorted = order.length > 0 ? `, in the order of ${order.join(', ')}` : ''
    const who = isUnique ? 'the entity' : 'entities'
    return [`${who} by ${named.join(', ')}${sorted}`, by, call, costOf(requests)]
  })
  const widths = [0, 1, 2].map((at) => Math.max(...lines.map((line) => (line[at] ?? '').length)))
  const rows = lines.map((line) =>
    line
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${model} in table ${table}: an insert stores ${rowsPerInsert} rows`, ...rows].join('\n')
}

function costOf({ pageSize, readsPerEntity }: AccessRequests): string {
  if (pageSize === 1) return readsPerEntity === 0 ? '1 request' : '2 requests'
  const pages = `1 request for ${pageSize.toLocaleString('en-US')} ${readsPerEntity === 0 ? 'entities' : 'entries'}`
  return readsPerEntity === 0 ? pages : `${pages}, and 1 for each entity`
}
