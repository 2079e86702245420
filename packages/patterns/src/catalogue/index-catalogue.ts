import { type EntityModel, type KeptTable, keepersOf, type RowKeeper } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import {
  CATALOGUE,
  type CataloguedIndex,
  type CatalogueRow,
  type IndexState,
  newRow,
  readCatalogue,
  rivalOf,
  type StoredCatalogue,
  storeClaimed,
} from './catalogue-rows.ts'

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

/** What was read of a catalogue, and until when it may be used without another read. */
interface Lease {
  readonly stored: StoredCatalogue
  readonly standings: Standings
  /** A clock that shows an earlier time was set back. */
  readonly readAt: number
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
    const now = table.service.now()
    return lease !== undefined && lease.readAt <= now && now < lease.endsAt
  }

  /**
   * Returns the states by which a write keeps the indexes, at most one lease old. It registers indexes that the catalogue lacks, so that a
   * program with another declaration learns of this one.
   *
   * @throws InputError (`IndexDeclarationDiffers`, `IndexKeysShared`) when the write would leave entries of another program stale
   */
  async kept(table: KeptTable, options: CallOptions): Promise<ReadonlyMap<Index, IndexState>> {
    const standings = await this.register(table, this.#indexes, options)
    return new Map(this.#indexes.map((index) => [index, own(standings, index).state]))
  }

  /**
   * Registers those of some indexes that the catalogue lacks.
   *
   * @returns the standings of all, at most one lease old
   * @throws InputError (`IndexDeclarationDiffers`, `IndexKeysShared`) when another program keeps one of them, or has its keys
   */
  async register(
    table: KeptTable,
    indexes: readonly Index[],
    options: CallOptions,
  ): Promise<Standings> {
    let lease = await this.#leased(table, options)
    for (;;) {
      const { standings, stored } = lease
      const wrong = indexes.find((index) => own(standings, index).trouble !== undefined)
      if (wrong !== undefined) throw own(standings, wrong).trouble
      const wanting = indexes.filter((index) => !this.#isRegistered(own(standings, index)))
      if (wanting.length === 0) return standings
      const state = (await this.#startsRight(table, options)) ? 'readable' : 'writeOnly'
      const rows = wanting.map((index) => {
        const { row } = own(standings, index)
        const fresh = { ...newRow(index, this.lease, table.service.now()), state } as const
        return row === undefined ? fresh : { ...row, lease: this.lease }
      })
      await storeClaimed(table, stored, rows, options)
      lease = await this.#read(table, options)
    }
  }

  /** Reads the standings of all indexes as they are stored now. */
  async read(table: KeptTable, options: CallOptions): Promise<Standings> {
    return (await this.#read(table, options)).standings
  }

  /** Reads the row of an index as it is stored now, also of one that the model does not declare. */
  async row(
    table: KeptTable,
    place: string,
    options: CallOptions,
  ): Promise<CatalogueRow | undefined> {
    const { rows } = (await this.#read(table, options)).stored
    return rows.find((row) => row.place === place)
  }

  /**
   * Changes rows of indexes together, or makes them.
   *
   * @param change - returns the rows that change, for those that are stored. It runs again when another program was faster, and when a
   * response was lost: then its own change may be stored already
   * @returns all rows as they are stored then
   */
  async change(
    table: KeptTable,
    change: (rows: readonly CatalogueRow[]) => readonly CatalogueRow[],
    options: CallOptions,
  ): Promise<readonly CatalogueRow[]> {
    for (;;) {
      const { stored } = await this.#read(table, options)
      const rows = change(stored.rows)
      if (rows.length === 0) return stored.rows
      const isStored = await storeClaimed(table, stored, rows, options)
      this.#leases.delete(leasePlace(table))
      const isLeft = ({ place }: CatalogueRow) => rows.every((row) => row.place !== place)
      if (isStored) return [...stored.rows.filter(isLeft), ...rows]
    }
  }

  /** Tells whether others know of an index, and for how long this process may use what it read. */
  #isRegistered({ row }: Standing): boolean {
    return row !== undefined && row.lease >= this.lease
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
    const leases = Array.from(standings.values(), ({ row, trouble }) =>
      row === undefined || trouble ? 0 : row.lease,
    )
    // What is wrong or not yet registered is read again by the next call.
    const endsAt = now + Math.min(this.lease, ...leases)
    const lease = { stored, standings, readAt: now, endsAt }
    this.#leases.set(leasePlace(table), lease)
    return lease
  }
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

function differs(
  table: string,
  { kind, name, model: { title } }: CataloguedIndex,
  { state }: CatalogueRow,
): Error {
  const isIndex = kind === 'index'
  const parts = isIndex
    ? 'its key, project, unique, where, revision, table'
    : 'its key, sums, where, spread, revision'
  return patternsInputError({
    code: isIndex ? 'IndexDeclarationDiffers' : 'SummaryDiffers',
    message:
      `${isIndex ? 'Index' : 'Summary'} ${name} of ${title} is kept in table ${table} by another declaration (it is ${state}): ${parts} or the version of the model differs. ` +
      `A write by this program would leave its rows stale, so nothing was written. If this declaration is the new one, call ensure() of the ${isIndex ? 'indexes' : 'summaries'} once: it builds the ${kind} anew, and programs with the old declaration are rejected from then on. ` +
      `If both must work side by side, give the changed ${kind} another ${isIndex ? 'name' : 'rowKey beginning'}, or declare sameSince when only the version differs.`,
  })
}

function leasePlace({ service, name }: KeptTable): string {
  return `${service.accountId} ${name}`
}

/** Returns the keepers of a model whose rows no catalogue compares with those of others. */
export function uncatalogued(model: EntityModel<object>): readonly RowKeeper[] {
  return keepersOf(model).filter(({ beginnings = [] }) => !beginnings.includes(CATALOGUE))
}
