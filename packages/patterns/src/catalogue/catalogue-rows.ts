import type { KeptTable } from '@rowkey/mapper'
import {
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  insertEntity,
  insertOrReplaceEntity,
  tableIdOf,
  updateEntity,
} from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import { storeTogether } from '../rows/changes.ts'
import { inPartition, isShared } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'

/**
 * How far an index is:
 *
 * - `disabled`: it was removed. Programs neither write its entries nor read them
 * - `writeOnly`: programs keep its entries and do not read them, because rows from before may have none
 * - `uniquenessPending`: as `writeOnly`, after a build that found values that several entities share
 * - `readable`: it is complete, and reads use it
 */
export type IndexState = 'disabled' | 'writeOnly' | 'uniquenessPending' | 'readable'

const STATES: readonly unknown[] = [
  'disabled',
  'writeOnly',
  'uniquenessPending',
  'readable',
] satisfies IndexState[]

/** The PartitionKey of catalogue rows, and what their RowKeys begin with. */
export const CATALOGUE = 'rowkeyindex_'

/** Milliseconds for which a process may use what it read of a catalogue, if its program does not say. */
export const DEFAULT_LEASE = 10_000

/** An index or a summary as the catalogue knows it. */
export interface CataloguedIndex {
  readonly kind: 'index' | 'summary'
  readonly name: string
  readonly model: { readonly title: string }
  /** Tells it from all other indexes of its table, those of other models included. */
  readonly place: string
  /** Everything in its declaration that its entries depend on. A program with another declaration does not trust them. */
  readonly declaration: string
  /** The beginning of the RowKeys of its entries. */
  readonly beginning: string
  /** The table of its entries, when it is another than that of the rows. */
  readonly entryTable?: string | undefined
}

/** Rows that may be entries: those of an index, or of one that it replaced. */
export interface EntryPlace {
  readonly beginning: string
  readonly table?: string | undefined
}

/** The row of an index in the catalogue. */
export interface CatalogueRow {
  readonly place: string
  readonly state: IndexState
  /** The declaration that its entries are made by. */
  readonly declaration: string
  /** Where its entries are; absent when it was removed and has none. */
  readonly entries?: EntryPlace | undefined
  /** Where entries of earlier declarations may still be. */
  readonly replaced: readonly EntryPlace[]
  /** Milliseconds for which a process may use the row: the longest lease of the programs that made or opened it. */
  readonly lease: number
  /** Counts the changes of the state and the declaration, but not the ends of builds. */
  readonly generation: number
  /** When the last of them was made, in milliseconds since 1970, UTC. */
  readonly changedAt: number
  /** When a build or a verification last found it right, in milliseconds since 1970, UTC; absent before the first. */
  readonly verifiedAt?: number | undefined
}

/** The rows of a catalogue, and the version of its head, which every change of the catalogue writes; `undefined` before the first. */
export interface StoredCatalogue {
  readonly rows: readonly CatalogueRow[]
  readonly head: string | undefined
}

/** Returns the first row of an index: it is kept, and not read before it is built. */
export function newRow(index: CataloguedIndex, lease: number, changedAt: number): CatalogueRow {
  const { place, declaration } = index
  const row = { place, declaration, entries: entriesOf(index), replaced: [], lease, changedAt }
  return { ...row, state: 'writeOnly', generation: 1 }
}

/** Returns where the entries of an index are. */
export function entriesOf({ beginning, entryTable }: CataloguedIndex): EntryPlace {
  return { beginning, table: entryTable }
}

/** Returns where entries are that no program keeps any more. */
export function abandonedPlaces({ state, entries, replaced }: CatalogueRow): readonly EntryPlace[] {
  return state === 'disabled' && entries !== undefined ? [entries, ...replaced] : replaced
}

/** Returns the row of another index that could have a row of a place as its entry. */
export function rivalOf(
  catalogued: KeptTable,
  { place, beginning, table = catalogued.name }: EntryPlace & Pick<CatalogueRow, 'place'>,
  rows: readonly CatalogueRow[],
): CatalogueRow | undefined {
  const isTaken = (entries: EntryPlace) =>
    isOf({ ...catalogued, name: table }, entries.table ?? catalogued.name) &&
    isShared(beginning, entries.beginning)
  // A program that takes over an index removes the entries of its earlier declarations, and would remove these with them.
  return rows.find((row) => row.place !== place && placesOf(row).some(isTaken))
}

/** Tells whether a name is that of a table. */
export function isOf({ service: { endpoint }, name }: KeptTable, other: string): boolean {
  return tableIdOf(name, endpoint) === tableIdOf(other, endpoint)
}

/** Returns where rows are that may be entries of an index: of its declaration, and of those that it replaced. */
function placesOf({ entries, replaced }: CatalogueRow): readonly EntryPlace[] {
  return entries === undefined ? replaced : [entries, ...replaced]
}

export async function readCatalogue(
  table: KeptTable,
  options: CallOptions,
): Promise<StoredCatalogue> {
  const rows: CatalogueRow[] = []
  let head: string | undefined
  for await (const raw of scanRows(table, inPartition(CATALOGUE), options)) {
    const row = toRow(table, raw)
    if (row !== undefined) rows.push(row)
    if (keyOfRaw(raw).rowKey === CATALOGUE) head = etagOf(raw)
  }
  return { rows, head }
}

/** Reads a row; `undefined` for the row of a build, for the head, and, in a copy of another table, for a row whose entries lie in a third one. */
function toRow(table: KeptTable, raw: RawEntity): CatalogueRow | undefined {
  const { RowKey: rowKey, State: state, Index: text } = raw
  if (typeof rowKey !== 'string' || typeof text !== 'string' || !isState(state)) return undefined
  const place = rowKey.slice(CATALOGUE.length)
  const { of = table.name, ...row } = JSON.parse(text)
  return isOf(table, of) ? { lease: DEFAULT_LEASE, ...row, place, state } : undefined
}

/** Stores rows as {@link store} does, when the tables of their entries know whose these are. */
export async function storeClaimed(
  table: KeptTable,
  stored: StoredCatalogue,
  rows: readonly CatalogueRow[],
  options: CallOptions,
): Promise<boolean> {
  for (const row of rows) {
    const known = stored.rows.find(({ place }) => place === row.place)
    const before = known === undefined ? [] : placesOf(known)
    // A removal that died may have given up the places of a row that is disabled.
    const isSame = known?.generation === row.generation
    const isHeld = known !== undefined && (isSame || known.state !== 'disabled')
    if (isHeld && JSON.stringify(before) === JSON.stringify(placesOf(row))) continue
    const tables = [...before, ...placesOf(row)].flatMap((each) => each.table ?? [])
    for (const name of new Set(tables)) {
      // What is stored in the table itself is claimed by the row.
      if (!isOf(table, name)) await claim(table, row, name, options)
    }
  }
  return store(table, stored, rows, options)
}

/**
 * Records in the table of entries which other table they are of: the catalogue of that one does not show what a third table keeps here.
 *
 * @throws InputError (`IndexKeysShared`) when entries of another table could have the same keys
 */
async function claim(
  source: KeptTable,
  row: CatalogueRow,
  name: string,
  options: CallOptions,
): Promise<void> {
  const table = { service: source.service, name }
  const place = claimedPlace(source, row)
  const own = placesOf(row).filter((each) => each.table === name)
  const [entries, ...replaced] = own.map(({ beginning }): EntryPlace => ({ beginning }))
  for (;;) {
    const stored = await readCatalogue(table, options)
    const rival = own.flatMap((each) => rivalOf(table, { ...each, place }, stored.rows) ?? [])[0]
    if (rival !== undefined) throw sharedTable(source, row, name, rival)
    const claimed = { ...row, place, state: 'writeOnly', entries, replaced } as const
    if (await store(table, stored, [claimed], options)) return
  }
}

/** Tells whether a row still claims its entries in another table: it gives them up when they are removed, and others may use their keys then. */
export async function isClaimed(
  source: KeptTable,
  row: CatalogueRow,
  { table: name, beginning }: EntryPlace,
  options: CallOptions,
): Promise<boolean> {
  if (name === undefined || isOf(source, name)) return true
  const { rows } = await readCatalogue({ service: source.service, name }, options)
  const claimed = rows.find(({ place }) => place === claimedPlace(source, row))
  return claimed !== undefined && placesOf(claimed).some((each) => each.beginning === beginning)
}

function claimedPlace({ service, name }: KeptTable, { place }: CatalogueRow): string {
  return `from=${tableIdOf(name, service.endpoint)}.${place}`
}

function sharedTable(
  { name: source }: KeptTable,
  row: CatalogueRow,
  table: string,
  rival: CatalogueRow,
): Error {
  return patternsInputError({
    code: 'IndexKeysShared',
    message: `Entries of ${row.place} of table ${source} and of ${rival.place} could have the same keys in table ${table}. Choose another beginning, or another table for the entries.`,
  })
}

/** Stores rows beside the next version of the head; returns whether the catalogue is known to have been the one that was read. */
async function store(
  catalogued: KeptTable,
  { head }: StoredCatalogue,
  rows: readonly CatalogueRow[],
  options: CallOptions,
): Promise<boolean> {
  const { service, name: table } = catalogued
  const key = { partitionKey: CATALOGUE, rowKey: CATALOGUE }
  // The head of another program has other content, so after a lost response this one shows whose rows are stored.
  const input = { table, key, body: bodyOf(key, { Change: service.defaults.newId() }) }
  const changes: readonly Change[] = [
    head === undefined
      ? { operation: insertEntity, input }
      : { operation: updateEntity, input: { ...input, etag: head } },
    ...rows.map((row): Change => {
      const { place, state, ...rest } = row
      const own = { partitionKey: CATALOGUE, rowKey: `${CATALOGUE}${place}` }
      const of = placesOf(row).some((each) => each.table) ? table : undefined
      const body = bodyOf(own, { State: state, Index: JSON.stringify({ ...rest, of }) })
      return { operation: insertOrReplaceEntity, input: { table, key: own, body } }
    }),
  ]
  // The key names the write that needs the catalogue, not this one.
  const unnamed = { ...options, idempotencyKey: undefined }
  return (await storeTogether(catalogued, changes, unnamed)) !== undefined
}

function bodyOf(
  { partitionKey, rowKey }: EntityKey,
  properties: Readonly<Record<string, string>>,
): string {
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, properties))
}

function isState(state: unknown): state is IndexState {
  return STATES.includes(state)
}
