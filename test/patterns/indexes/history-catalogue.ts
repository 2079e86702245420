import type { Account } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import type { EventualIndexDefinition, IndexDefinition } from '@rowkey/patterns'
import type { Program, Values } from './history-programs.ts'

/** Where the rows of an index are, as its row in a catalogue says. */
interface EntryPlace {
  readonly beginning: string
  readonly table?: string
}

/** A row of a catalogue, as it is stored. */
interface CatalogueRow {
  /** Tells the index from all others of the table. */
  readonly place: string
  readonly state: unknown
  readonly declaration: string
  readonly entries?: EntryPlace
  readonly replaced: readonly EntryPlace[]
}

/** An index of a program: where the catalogue has it, and how the program declares it. */
interface DeclaredIndex {
  readonly place: string
  readonly definition: IndexDefinition<Values> & Partial<EventualIndexDefinition<Values>>
  readonly version: number
}

/** Tells whether a program is right to reject a read or a write because of its indexes, by what is stored. */
export async function isRejectedRightly(
  code: string,
  program: Program,
  plain: Account,
): Promise<boolean> {
  const rows = catalogueIn(
    await plain.table('staff').query().where({ partitionKey: CATALOGUE }).toArray(),
  )
  const standings = indexesOf(program).map((index) => {
    const row = rows.find(({ place }) => place === index.place)
    const isOwn = row !== undefined && isDeclaredBy(index, row)
    return { isOther: row !== undefined && !isOwn, state: row?.state, isOwn }
  })
  if (code === 'IndexDeclarationDiffers') {
    return standings.some(({ isOther, state }) => isOther && state !== 'disabled')
  }
  return standings.some(({ isOwn, state }) => !isOwn || state !== 'readable')
}

/**
 * Returns the keys of the entries that no index has: those that a removal or a replacement should have deleted.
 *
 * @param name - the name of a table
 * @param stored - its rows
 */
export function strayEntries(name: string, stored: readonly DynamicEntity[]): readonly string[] {
  const places = catalogueIn(stored)
    .flatMap(({ entries, replaced }) => [...(entries ? [entries] : []), ...replaced])
    .filter(({ table = name }) => table === name)
  const isKept = ({ rowKey }: DynamicEntity) =>
    places.some(({ beginning }) => rowKey.startsWith(beginning))
  return stored
    .filter((row) => row.has('IndexedRowKey') && !isKept(row))
    .map(({ partitionKey, rowKey }) => `${partitionKey} ${rowKey}`)
}

export async function allRows(plain: Account, name: string): Promise<readonly DynamicEntity[]> {
  return plain.table(name).query().allowTableScan().toArray()
}

const CATALOGUE = 'rowkeyindex_'

function catalogueIn(stored: readonly DynamicEntity[]): readonly CatalogueRow[] {
  const own = stored.filter(({ partitionKey }) => partitionKey === CATALOGUE)
  return own.flatMap((row) => {
    const text = row.get('Index')?.value
    if (typeof text !== 'string') return []
    const place = row.rowKey.slice(CATALOGUE.length)
    return [{ ...JSON.parse(text), place, state: row.get('State')?.value }]
  })
}

function indexesOf(program: Program): readonly DeclaredIndex[] {
  const { indexes, eventual, choices, far, billing, version } = program
  const near = indexes === undefined ? [] : (['one', 'two'] as const)
  return [
    ...near.map((name) => {
      return { place: `${name}.empid_`, definition: choices[name].definition, version }
    }),
    ...(eventual
      ? [{ place: 'eventual.far.empid_', definition: far.definition as never, version }]
      : []),
    { place: 'one.inv_', definition: billing, version: 1 },
  ]
}

/** Compares a declaration part by part, by other code than programs do. */
function isDeclaredBy({ definition, version }: DeclaredIndex, { declaration }: CatalogueRow) {
  const { partitionKey, rowKey, project = [], unique = false, sameSince = version } = definition
  const templates = partitionKey === undefined ? [rowKey] : [partitionKey, rowKey]
  const keys = templates.map(({ segments }) =>
    segments.map((each) => (typeof each === 'string' ? each : [each.text])),
  )
  const stored = JSON.parse(declaration)
  const wanted = [keys, project, unique, definition.where !== undefined, sameSince]
  const known = [stored.keys, stored.project, stored.unique, stored.where, stored.version]
  return (
    JSON.stringify(wanted) === JSON.stringify(known) &&
    definition.table === (stored.table as unknown)
  )
}
