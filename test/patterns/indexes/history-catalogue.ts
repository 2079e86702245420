import type { Account } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import type { EventualIndexDefinition, IndexDefinition } from '@rowkey/patterns'
import { SummaryRule } from '../../../packages/patterns/src/summaries/summary.ts'
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

/** An index or a sum of a program: where the catalogue has it, and whether the program declares it so. */
interface DeclaredIndex {
  readonly place: string
  isDeclared(row: CatalogueRow): boolean
}

/** An error that says that a program cannot use an index or a sum. */
export interface Rejection {
  readonly code: string
  /** Names it. */
  readonly message: string
}

/** Tells whether a program is right to reject a read or a write because of an index or a sum, by what is stored. */
export async function isRejectedRightly(
  { code, message }: Rejection,
  program: Program,
  plain: Account,
): Promise<boolean> {
  const [, kind = '', name] = /\b(index|summary) (\w+)/i.exec(message) ?? []
  const isNamed = ({ place }: DeclaredIndex) => {
    if (kind.toLowerCase() === 'summary') return place.startsWith('sum.')
    // No program reads the index of invoices.
    return (
      place === `eventual.${name}.empid_` ||
      place === `${name}.empid_` ||
      (code !== 'IndexNotReadable' && place === `${name}.inv_`)
    )
  }
  const rows = catalogueIn(
    await plain.table('staff').query().where({ partitionKey: CATALOGUE }).toArray(),
  )
  const standings = indexesOf(program)
    .filter(isNamed)
    .map((index) => {
      const row = rows.find(({ place }) => place === index.place)
      const isOwn = row !== undefined && index.isDeclared(row)
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
  const { Employee, indexes, eventual, summaries, choices, far, sum, billing, version } = program
  const declared = (place: string, definition: AnyDefinition, number = version): DeclaredIndex => ({
    place,
    isDeclared: (row) => isDeclaredBy(definition, number, row),
  })
  const near = indexes === undefined ? [] : (['one', 'two'] as const)
  const { declaration } = new SummaryRule('all', Employee as never, sum as never)
  return [
    ...near.map((name) => declared(`${name}.empid_`, choices[name].definition)),
    ...(eventual ? [declared('eventual.far.empid_', far.definition as never)] : []),
    declared('one.inv_', billing, 1),
    ...(summaries
      ? [
          {
            place: 'sum.sum_all.empid_',
            isDeclared: (row: CatalogueRow) => row.declaration === declaration,
          },
        ]
      : []),
  ]
}

type AnyDefinition = IndexDefinition<Values> & Partial<EventualIndexDefinition<Values>>

/** Compares a declaration part by part, by other code than programs do. */
function isDeclaredBy(definition: AnyDefinition, version: number, { declaration }: CatalogueRow) {
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
