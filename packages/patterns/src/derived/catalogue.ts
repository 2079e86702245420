import { type EntityModel, type KeptTable, ModelError } from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec, type EntityKey, printFilter } from '@rowkey/odata'
import { type CallOptions, tableIdOf } from '@rowkey/rest'
import { waitWithin } from '../conflicts/retry-conflicts.ts'
import { patternsInputError } from '../errors/codes.ts'
import { atPrimary } from '../options/pattern-options.ts'
import { keeping, storeOnce, storeTogether } from '../rows/changes.ts'
import { entityFilter } from '../rows/row-filter.ts'
import { firstRows } from '../rows/scan-rows.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import { type Derived, titleOf } from './definition.ts'
import { KEPT_PARTITION, keptBeginning } from './kept-key.ts'

/**
 * The state of an index, a sum or copies:
 *
 * - `building`: every program that declares it keeps it. Reads do not use it, because rows from before may be missing
 * - `readable`: it is complete, and reads use it
 * - `dropped`: it was dropped. Its rows are deleted or will be
 */
export type DerivedState = 'building' | 'readable' | 'dropped'

/** What the catalogue knows of one definition. */
export interface CatalogueEntry {
  readonly state: DerivedState
  /** Where its build continues; absent before the first part, and after the build. */
  readonly next?: string | undefined
  /** Whether programs that do not declare it must no longer write: its build looks at all rows a last time. */
  readonly closed?: true | undefined
  /** Whether programs that declare it must no longer keep it: its rows are deleted. */
  readonly gone?: true | undefined
  /** The program that builds it. */
  readonly owner?: string | undefined
  /** When another program may take over: milliseconds since 1970, UTC. */
  readonly until?: number | undefined
  /** The table of its rows, when it is another than that of the entities. */
  readonly table?: string | undefined
  /** When all of it was last found right: milliseconds since 1970, UTC. */
  readonly verifiedAt?: number | undefined
}

/** The entries of a model, by the ids of the definitions. */
export type CatalogueEntries = Readonly<Record<string, CatalogueEntry>>

/** The catalogue of a model in one table, as it was read. */
export interface StoredCatalogue {
  readonly entries: CatalogueEntries
  /** The version of its row; `undefined` before the first. */
  readonly etag: string | undefined
}

/** What a process has read, and until when it may use it. */
interface Lease {
  readonly entries: CatalogueEntries
  /** A clock that shows an earlier time was set back. */
  readonly readAt: number
  readonly endsAt: number
}

/** Milliseconds for which a process may use what it read, if its program does not say. */
export const DEFAULT_LEASE = 10_000

/** The property that holds the entries as JSON. */
const DEFINITIONS = 'Definitions'

/** The property that names the table. */
const OF = 'Of'

const EMPTY: StoredCatalogue = Object.freeze({ entries: {}, etag: undefined })

/**
 * The states of everything that is derived from the rows of a model: one row in each of its tables. Each process reads it once a lease.
 */
export class Catalogue {
  /** Milliseconds for which a process may use what it read. */
  lease: number = DEFAULT_LEASE
  /** The model of the rows. */
  readonly model: EntityModel<object, object, object>
  readonly #key: EntityKey
  readonly #own = new Map<string, Derived>()
  readonly #leases = new Map<string, Lease>()
  /** The tables that are known to have rows. */
  readonly #filled = new Set<string>()

  /** @param model - the model of the rows */
  constructor(model: EntityModel<object, object, object>) {
    this.model = model
    this.#key = { partitionKey: KEPT_PARTITION, rowKey: keptBeginning('cat', model) }
  }

  /**
   * Adds definitions of this program.
   *
   * @throws ModelError when one has the kind and the name of an earlier one that differs
   */
  declare(definitions: Iterable<Derived>, lease: number | undefined): void {
    for (const each of definitions) {
      const isNamesake = ({ kind, name }: Derived) => kind === each.kind && name === each.name
      const known = [...this.#own.values()].find(isNamesake)
      // A model may have copies in several others; they have no names.
      const isOther = known !== undefined && known.id !== each.id && each.kind !== 'copies'
      if (isOther) throw declaredTwice(each)
      this.#own.set(each.id, each)
    }
    if (lease !== undefined) this.lease = lease
    this.#leases.clear()
  }

  /** Tells whether the lease of this process has not ended. Sends nothing. */
  isLeased(table: KeptTable): boolean {
    const lease = this.#leases.get(placeOf(table))
    const now = table.service.now()
    return lease !== undefined && lease.readAt <= now && now < lease.endsAt
  }

  /**
   * Tells whether every write of this process may pass: its lease has not ended, and it declares all that must be kept. What it read for a
   * query, or before its write was rejected, is a lease, too. Sends nothing.
   */
  letsWrite(table: KeptTable): boolean {
    const entries = this.lastKnown(table)
    return (
      this.isLeased(table) && entries !== undefined && this.#undeclaredIn(entries) === undefined
    )
  }

  /** Returns what this process read last, also when its lease has ended; `undefined` before the first read. Sends nothing. */
  lastKnown(table: KeptTable): CatalogueEntries | undefined {
    return this.#leases.get(placeOf(table))?.entries
  }

  /** Returns the entries, at most one lease old. */
  async leased(table: KeptTable, options: CallOptions): Promise<CatalogueEntries> {
    const lease = this.#leases.get(placeOf(table))
    if (lease !== undefined && this.isLeased(table)) return lease.entries
    return (await this.read(table, options)).entries
  }

  /**
   * Returns the entries for a write, at most one lease old.
   *
   * @throws InputError (`UndeclaredDefinition`) when the write would leave a definition of other programs wrong
   */
  async forWrite(table: KeptTable, options: CallOptions): Promise<CatalogueEntries> {
    const entries = await this.leased(table, options)
    const other = this.#undeclaredIn(entries)
    if (other !== undefined) throw this.undeclared(table, other)
    return entries
  }

  /** Returns a definition that writes must keep and that this program does not declare. */
  #undeclaredIn(entries: CatalogueEntries): string | undefined {
    return Object.keys(entries).find((id) => !this.#own.has(id) && isRequired(entries[id]))
  }

  /**
   * Reads the entries as they are stored now. In a table without rows, which no program has a catalogue for, the definitions of this program are
   * complete, and it records so.
   */
  async read(table: KeptTable, options: CallOptions): Promise<StoredCatalogue> {
    for (;;) {
      const readAt = table.service.now()
      const stored = await this.#find(table, options)
      if (stored.etag !== undefined || !(await this.#isEmpty(table, options))) {
        this.#keep(table, stored, readAt)
        return stored
      }
      const entryOf = ({ table: far }: Derived): CatalogueEntry => {
        return { state: 'readable', table: far, verifiedAt: readAt }
      }
      const entries = Object.fromEntries(Array.from(this.#own, ([id, each]) => [id, entryOf(each)]))
      const next = await this.#store(table, stored, entries, options)
      if (next === undefined) continue
      this.#keep(table, next, readAt)
      return next
    }
  }

  /**
   * Changes entries. The change runs again when another program was faster, and when a response was lost: then it may be stored already.
   *
   * @param change - returns the entries that change, by their ids
   * @param known - what was read or stored last; it is read when absent, or no longer right
   * @returns the entries as they are stored then
   */
  async change(
    table: KeptTable,
    change: (entries: CatalogueEntries) => CatalogueEntries,
    options: CallOptions,
    known?: StoredCatalogue | undefined,
  ): Promise<StoredCatalogue> {
    for (let stored = known ?? (await this.#find(table, options)); ; ) {
      const changes = change(stored.entries)
      if (Object.keys(changes).length === 0) return stored
      const next = await this.#store(table, stored, { ...stored.entries, ...changes }, options)
      this.#leases.delete(placeOf(table))
      if (next !== undefined) return next
      stored = await this.#find(table, options)
    }
  }

  /** Waits until every program has read the catalogue again, and the writes that it began before have ended: two leases. */
  async waitForAll({ service }: KeptTable, options: CallOptions): Promise<void> {
    await waitWithin(service, 2 * this.lease, options)
  }

  #keep(table: KeptTable, { entries }: StoredCatalogue, readAt: number): void {
    this.#leases.set(placeOf(table), { entries, readAt, endsAt: readAt + this.lease })
  }

  async #find(table: KeptTable, options: CallOptions): Promise<StoredCatalogue> {
    const raw = await findStored(table, this.#key, options)
    if (raw === undefined) return EMPTY
    const { [DEFINITIONS]: text, [OF]: of } = raw
    const all: CatalogueEntries = typeof text === 'string' ? JSON.parse(text) : {}
    // The catalogue of a copy of another table knows nothing of rows in a third one.
    const isOwn = of === tableIdOf(table.name, table.service.endpoint)
    const entries = Object.entries(all).filter(([, each]) => isOwn || each.table === undefined)
    return { entries: Object.fromEntries(entries), etag: etagOf(raw) }
  }

  /** Stores entries over those that were read; `undefined` when another program was faster, or may have been. */
  async #store(
    table: KeptTable,
    { etag }: StoredCatalogue,
    entries: CatalogueEntries,
    options: CallOptions,
  ): Promise<StoredCatalogue | undefined> {
    const { partitionKey, rowKey } = this.#key
    const row = new DynamicEntity(partitionKey, rowKey, {
      [DEFINITIONS]: JSON.stringify(entries),
      [OF]: tableIdOf(table.name, table.service.endpoint),
    })
    const input = { table: table.name, key: this.#key, body: dynamicEntityCodec.write(row) }
    // The key names the write that needs the catalogue, not this one.
    const unnamed = { ...options, idempotencyKey: undefined }
    // An insert that arrives late would open a table that has rows at that time.
    const store = etag === undefined ? storeOnce : storeTogether
    const [result] = (await store(table, [keeping(input, etag)], unnamed)) ?? []
    return result && { entries, etag: result.etag ?? '' }
  }

  async #isEmpty(table: KeptTable, options: CallOptions): Promise<boolean> {
    const place = placeOf(table)
    if (this.#filled.has(place)) return false
    const filter = printFilter(entityFilter(this.model))
    const query = { table: table.name, select: ['PartitionKey', 'RowKey'], top: 1, filter }
    const { entities } = await firstRows(table.service, query, atPrimary(options))
    if (entities.length > 0) this.#filled.add(place)
    return entities.length === 0
  }

  /** Makes the error for a definition of other programs, which a write of this one would leave wrong. */
  undeclared({ name: table }: KeptTable, id: string): Error {
    const [kind = '', name = ''] = id.split('~')
    const word = kind === 'ix' ? 'index' : kind === 'su' ? 'summary' : 'copies'
    const { title } = this.model
    const own = [...this.#own.values()].some((each) => each.id.startsWith(`${id.split('.')[0]}.`))
    const fix = own
      ? `This program declares ${word} ${name.split('.')[0]} in another way, which is another definition. Declare both, under two names; build the new one, and drop the old one when all programs have both. If only the version of the model differs, declare sameSince when its values are the same, or drop the old one first with drop('${name}').`
      : `Declare it in this program, too, or drop it with drop('${name}').`
    return patternsInputError({
      code: 'UndeclaredDefinition',
      message: `Table ${table} keeps ${word} ${name} of ${title}, and this program does not declare it: its write would leave it wrong, so nothing was written. ${fix}`,
    })
  }
}

/** Tells whether a program that does not declare a definition must not write. */
function isRequired(entry: CatalogueEntry | undefined): boolean {
  return entry?.state === 'readable' || entry?.closed === true
}

/** Tells whether writes of a program that declares a definition keep it. A table without an entry may be built next. */
export function isKept(entry: CatalogueEntry | undefined): boolean {
  return entry?.gone !== true
}

function placeOf({ service, name }: KeptTable): string {
  return `${service.accountId} ${name}`
}

/** Says why reads may not use a definition, and what to do. */
export function notReadable(derived: Derived, table: string, state: DerivedState): Error {
  const next =
    state === 'dropped'
      ? 'Build it to have it again.'
      : 'Call build once, when every program that writes the table declares it.'
  return patternsInputError({
    code: 'NotReadable',
    message: `Reads of table ${table} cannot use the ${titleOf(derived)}: it is ${state === 'dropped' ? 'dropped' : 'not built'}. ${next}`,
  })
}

/** Where the catalogues of all models are: one place for a program that loads this package twice, as an ES module and as CommonJS. */
const CATALOGUES: unique symbol = Symbol.for('rowkey.catalogues') as never

/** Returns the catalogue of a model. */
export function catalogueOf(model: EntityModel<object, object, object>): Catalogue {
  const place = globalThis as { [CATALOGUES]?: WeakMap<EntityModel<object>, Catalogue> }
  place[CATALOGUES] ??= new WeakMap()
  const known = place[CATALOGUES].get(model) ?? new Catalogue(model)
  place[CATALOGUES].set(model, known)
  return known
}

function declaredTwice({ kind, name, model }: Derived): ModelError {
  return new ModelError({
    className: model.title,
    problem: `${kind} ${name} is declared twice in this program, and the second declaration differs from the first. Declare it once, or give the second one another name.`,
  })
}
