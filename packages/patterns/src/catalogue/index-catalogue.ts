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
  updateEntity,
} from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import { storeTogether } from '../rows/changes.ts'
import { inPartition, isShared } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { differs, sharedTable } from './catalogue-errors.ts'

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
  /** Counts the changes of the state and the declaration, but not the ends of builds. */
  readonly generation: number
  /** When the last of them was made, in milliseconds since 1970, UTC. */
  readonly changedAt: number
  /** When a build or a verification last found it right, in milliseconds since 1970, UTC; absent before the first. */
  readonly verifiedAt?: number | undefined
}

/** What a program may do with one of its indexes. */
export interface Standing {
  /** `writeOnly` for an index that no program has registered yet. */
  readonly state: IndexState
  /** Its row; absent before a program registers it. */
  readonly row?: CatalogueRow | undefined
  /** Why the program must neither read nor keep it; absent when it may. */
  readonly trouble?: Error | undefined
}

/** The standings of the indexes of a model. */
type Standings = ReadonlyMap<string, Standing>

/** Tells whether a table has nothing that an index or a summary, which no program has registered yet, could lack. */
type StartsRight = (table: KeptTable, options: CallOptions) => Promise<boolean>

/** The rows of a catalogue, and the version of its head, which every change of the catalogue writes; `undefined` before the first. */
interface StoredCatalogue {
  readonly rows: readonly CatalogueRow[]
  readonly head: string | undefined
}

/** What was read of a catalogue, and until when it may be used without another read. */
interface Lease {
  readonly stored: StoredCatalogue
  readonly standings: Standings
  readonly endsAt: number
}

/**
 * Reads and changes the catalogue of the tables of a model, which says who made the entries of each index, and whether reads may trust
 * them. Each process keeps what it read for one lease. A change fails when another program has changed the catalogue that it
 * was planned with, so of two indexes that could have the same keys only one is registered.
 */
export class IndexCatalogue<Index extends CataloguedIndex = CataloguedIndex> {
  /** Milliseconds for which a state that was read may be used. */
  readonly lease: number
  readonly #indexes: readonly Index[]
  readonly #startsRight: StartsRight
  readonly #leases = new Map<string, Lease>()

  /**
   * @param indexes - the indexes of the model
   * @param lease - milliseconds for which a state that was read may be used
   * @param startsRight - tells whether what is kept is complete when a table gets it
   */
  constructor(
    indexes: readonly Index[],
    lease: number,
    startsRight: StartsRight = async () => false,
  ) {
    this.#indexes = indexes
    this.#startsRight = startsRight
    this.lease = lease
  }

  /** Returns the standing of an index, at most one lease old. Reads the catalogue when the lease has ended. */
  async standing(table: KeptTable, index: Index, options: CallOptions): Promise<Standing> {
    const { standings } = await this.#leased(table, options)
    return own(standings, index)
  }

  /** Returns the standing that this process read last, also when its lease has ended; `undefined` before the first read. Sends nothing. */
  lastKnown(table: KeptTable, index: Index): Standing | undefined {
    return this.#leases.get(leasePlace(table))?.standings.get(index.place)
  }

  /** Tells whether the lease of this process has not ended. Sends nothing. */
  isLeased(table: KeptTable): boolean {
    const lease = this.#leases.get(leasePlace(table))
    return lease !== undefined && table.service.now() < lease.endsAt
  }

  /**
   * Returns the states by which a write keeps the indexes, at most one lease old. It registers indexes that the catalogue lacks, so that a
   * program with another declaration learns of this one.
   *
   * @throws InputError (`IndexDeclarationDiffers`, `IndexKeysShared`) when the write would leave entries of another program stale
   */
  async kept(table: KeptTable, options: CallOptions): Promise<ReadonlyMap<Index, IndexState>> {
    let lease = await this.#leased(table, options)
    for (;;) {
      const { standings, stored } = lease
      const all = [...standings.values()]
      const wrong = all.find(({ trouble }) => trouble !== undefined)
      if (wrong !== undefined) throw wrong.trouble
      const absent = this.#indexes.filter((index) => own(standings, index).row === undefined)
      if (absent.length === 0) {
        return new Map(this.#indexes.map((index) => [index, own(standings, index).state]))
      }
      const state = (await this.#startsRight(table, options)) ? 'readable' : 'writeOnly'
      const rows = absent.map(
        (index) => ({ ...newRow(index, table.service.now()), state }) as const,
      )
      await storeClaimed(table, stored, rows, options)
      lease = await this.#read(table, options)
    }
  }

  /** Reads the standings of all indexes as they are stored now. */
  async read(table: KeptTable, options: CallOptions): Promise<Standings> {
    return (await this.#read(table, options)).standings
  }

  /** Reads all rows of indexes of a table, those of other models included. */
  async rows(table: KeptTable, options: CallOptions): Promise<readonly CatalogueRow[]> {
    return (await this.#read(table, options)).stored.rows
  }

  /**
   * Changes rows of indexes together, or makes them.
   *
   * @param change - returns the rows that change, for those that are stored. It runs again when another program was faster
   * @returns the rows that changed
   */
  async change(
    table: KeptTable,
    change: (rows: readonly CatalogueRow[]) => readonly CatalogueRow[],
    options: CallOptions,
  ): Promise<readonly CatalogueRow[]> {
    for (;;) {
      const { stored } = await this.#read(table, options)
      const rows = change(stored.rows)
      if (rows.length === 0) return rows
      const isStored = await storeClaimed(table, stored, rows, options)
      this.#leases.delete(leasePlace(table))
      if (isStored) return rows
    }
  }

  async #leased(table: KeptTable, options: CallOptions): Promise<Lease> {
    const lease = this.#leases.get(leasePlace(table))
    return lease !== undefined && this.isLeased(table) ? lease : this.#read(table, options)
  }

  async #read(table: KeptTable, options: CallOptions): Promise<Lease> {
    const now = table.service.now()
    const stored = await readCatalogue(table, options)
    const standings = new Map(
      this.#indexes.map((index) => [index.place, standingOf(table, index, stored.rows)]),
    )
    const isSettled = [...standings.values()].every(({ row, trouble }) => row && !trouble)
    // What is wrong or not yet registered is read again by the next call.
    const lease = { stored, standings, endsAt: isSettled ? now + this.lease : 0 }
    this.#leases.set(leasePlace(table), lease)
    return lease
  }
}

/** Returns the first row of an index: it is kept, and not read before it is built. */
export function newRow(index: CataloguedIndex, changedAt: number): CatalogueRow {
  const { place, declaration } = index
  const row = { place, declaration, entries: entriesOf(index), replaced: [], changedAt }
  return { ...row, state: 'writeOnly', generation: 1 }
}

/** Returns where the entries of an index are. */
export function entriesOf({ beginning, entryTable }: CataloguedIndex): EntryPlace {
  return { beginning, table: entryTable }
}

function own(standings: Standings, index: CataloguedIndex): Standing {
  return standings.get(index.place) ?? { state: 'writeOnly' }
}

function standingOf(
  table: KeptTable,
  index: CataloguedIndex,
  rows: readonly CatalogueRow[],
): Standing {
  const row = rows.find(({ place }) => place === index.place)
  const trouble = sharedKeys(table, index, rows)
  if (trouble !== undefined) return { state: 'writeOnly', row, trouble }
  if (row === undefined) return { state: 'writeOnly' }
  if (row.declaration === index.declaration || row.state === 'disabled') {
    return { state: row.state, row }
  }
  return { state: 'writeOnly', row, trouble: differs(table.name, index, row) }
}

/** Returns why an index cannot be kept beside another one, when a row could be an entry of both. */
export function sharedKeys(
  table: KeptTable,
  index: CataloguedIndex,
  rows: readonly CatalogueRow[],
): Error | undefined {
  const { kind, name, model, beginning, place, entryTable } = index
  const rival = rivalOf(table, { place, beginning, table: entryTable }, rows)
  if (rival === undefined) return undefined
  const isIndex = kind === 'index'
  return patternsInputError({
    code: isIndex ? 'IndexKeysShared' : 'KeptRowClash',
    message:
      `${isIndex ? 'Index' : 'Summary'} ${name} of ${model.title} has rows that begin with '${beginning}', and in table ${table.name} those of ${rival.place} may, too. ` +
      'Choose another beginning; if the other is an index that is no longer declared, remove it first with remove(), or finish its ensure() if it had this beginning before.',
  })
}

/** Returns the row of another index that could have a row of a place as its entry. */
function rivalOf(
  { name: own }: KeptTable,
  { place, beginning, table = own }: EntryPlace & Pick<CatalogueRow, 'place'>,
  rows: readonly CatalogueRow[],
): CatalogueRow | undefined {
  const isTaken = (entries: EntryPlace) =>
    (entries.table ?? own) === table && isShared(beginning, entries.beginning)
  // A program that takes over an index removes the entries of its earlier declarations, and would remove these with them.
  return rows.find((row) => row.place !== place && placesOf(row).some(isTaken))
}

/** Returns where rows are that may be entries of an index: of its declaration, and of those that it replaced. */
function placesOf({ entries, replaced }: CatalogueRow): readonly EntryPlace[] {
  return entries === undefined ? replaced : [entries, ...replaced]
}

/** Returns where entries are that no program keeps any more. */
export function abandonedPlaces({ state, entries, replaced }: CatalogueRow): readonly EntryPlace[] {
  return state === 'disabled' && entries !== undefined ? [entries, ...replaced] : replaced
}

async function readCatalogue(table: KeptTable, options: CallOptions): Promise<StoredCatalogue> {
  const rows: CatalogueRow[] = []
  let head: string | undefined
  for await (const raw of scanRows(table, inPartition(CATALOGUE), options)) {
    const row = toRow(raw)
    if (row !== undefined) rows.push(row)
    if (keyOfRaw(raw).rowKey === CATALOGUE) head = etagOf(raw)
  }
  return { rows, head }
}

/** Reads a row; `undefined` for the row of a build, and for the head. */
function toRow(raw: RawEntity): CatalogueRow | undefined {
  const { RowKey: rowKey, State: state, Index: text } = raw
  if (typeof rowKey !== 'string' || typeof text !== 'string' || !isState(state)) return undefined
  return { ...JSON.parse(text), place: rowKey.slice(CATALOGUE.length), state }
}

/** Stores rows as {@link store} does, when the tables of their entries know whose these are. */
async function storeClaimed(
  table: KeptTable,
  stored: StoredCatalogue,
  rows: readonly CatalogueRow[],
  options: CallOptions,
): Promise<boolean> {
  for (const row of rows) {
    const known = stored.rows.find(({ place }) => place === row.place)
    const before = known === undefined ? [] : placesOf(known)
    if (JSON.stringify(before) === JSON.stringify(placesOf(row))) continue
    const tables = [...before, ...placesOf(row)].flatMap((each) => each.table ?? [])
    for (const name of new Set(tables)) await claim(table, row, name, options)
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
  const place = `from=${source.name.toLowerCase()}.${row.place}`
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

/** Stores rows beside the next version of the head; returns whether the catalogue was still the one that was read. */
async function store(
  catalogued: KeptTable,
  { head }: StoredCatalogue,
  rows: readonly CatalogueRow[],
  options: CallOptions,
): Promise<boolean> {
  const { name: table } = catalogued
  const key = { partitionKey: CATALOGUE, rowKey: CATALOGUE }
  const input = { table, key, body: bodyOf(key, {}) }
  const changes: readonly Change[] = [
    head === undefined
      ? { operation: insertEntity, input }
      : { operation: updateEntity, input: { ...input, etag: head } },
    ...rows.map(({ place, state, ...rest }): Change => {
      const own = { partitionKey: CATALOGUE, rowKey: `${CATALOGUE}${place}` }
      const body = bodyOf(own, { State: state, Index: JSON.stringify(rest) })
      return { operation: insertOrReplaceEntity, input: { table, key: own, body } }
    }),
  ]
  return (await storeTogether(catalogued, changes, options)) !== undefined
}

function bodyOf(
  { partitionKey, rowKey }: EntityKey,
  properties: Readonly<Record<string, string>>,
): string {
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, properties))
}

function leasePlace({ service, name }: KeptTable): string {
  return `${service.accountId} ${name}`
}

function isState(state: unknown): state is IndexState {
  return STATES.includes(state)
}
