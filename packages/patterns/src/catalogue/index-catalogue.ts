import { DynamicEntity, dynamicEntityCodec, type EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  EntityAlreadyExistsError,
  ETagMismatchError,
  findEntity,
  insertEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import { checkMilliseconds } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'

/**
 * How far an index is:
 *
 * - `disabled`: programs neither write its entries nor read them
 * - `deleteOnly`: programs remove entries and add none
 * - `writeOnly`: programs keep its entries and do not read them. An index without a catalogue row is in this
 *   state: its entries may lack rows from before it was declared
 * - `uniquenessPending`: as `writeOnly`, after a rebuild that found values that several entities share
 * - `readable`: it is complete, and reads use it
 */
export type IndexState = 'disabled' | 'deleteOnly' | 'writeOnly' | 'uniquenessPending' | 'readable'

const STATES: readonly string[] = [
  'disabled',
  'deleteOnly',
  'writeOnly',
  'uniquenessPending',
  'readable',
] satisfies IndexState[]

/** The PartitionKey of catalogue rows, and what their RowKeys begin with. */
export const CATALOGUE = 'rowkeyindex_'

/** The table whose catalogue is read. */
interface CatalogueTable {
  readonly service: TableService
  readonly name: string
  /** The clock in milliseconds; the service's own when absent. */
  readonly now?: (() => number) | undefined
}

/** An index as the catalogue knows it. */
export interface CataloguedIndex {
  /** Tells it from all other indexes of its table, those of other models included. */
  readonly place: string
  /** Everything in its declaration that its entries depend on. A program with another declaration does not trust them. */
  readonly declaration: string
}

/** A state, and until when it may be used without another read. */
interface Lease {
  readonly state: IndexState
  readonly endsAt: number
}

/** Reads the states of the indexes of one model. Each process keeps what it read for one lease. */
export class IndexCatalogue {
  /** Milliseconds for which a state that was read may be used. */
  readonly lease: number
  readonly #leases = new Map<string, Lease>()

  /**
   * @param lease - milliseconds for which a state that was read may be used
   * @param place - the declaration, for the message
   * @throws InputError (`InvalidPatternOption`)
   */
  constructor(lease: number, place: string) {
    checkMilliseconds(lease, `lease of ${place}`)
    this.lease = lease
  }

  /** Returns the state of an index, at most one lease old. Reads one row when the lease has ended. */
  async state(
    table: CatalogueTable,
    index: CataloguedIndex,
    options: CallOptions = {},
  ): Promise<IndexState> {
    const place = leasePlace(table, index)
    const now = table.now?.() ?? table.service.now()
    const lease = this.#leases.get(place)
    if (lease !== undefined && now < lease.endsAt) return lease.state
    const state = await this.read(table, index, options)
    this.#leases.set(place, { state, endsAt: now + this.lease })
    return state
  }

  /** Returns the state that this process read last; `undefined` before the first read. Sends nothing. */
  lastKnown(table: CatalogueTable, index: CataloguedIndex): IndexState | undefined {
    return this.#leases.get(leasePlace(table, index))?.state
  }

  /** Reads the state of an index. */
  async read(
    table: CatalogueTable,
    index: CataloguedIndex,
    options: CallOptions = {},
  ): Promise<IndexState> {
    return (await this.readRow(table, index, options)).state
  }

  /**
   * Reads the row of an index; one that no one wrote yet stands for `writeOnly`. So does an index that was built by another
   * declaration: its entries are those of that declaration.
   */
  async readRow(
    { service, name: table }: CatalogueTable,
    index: CataloguedIndex,
    options: CallOptions = {},
  ): Promise<CatalogueRow> {
    const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
    const found = await perform(service, findEntity, { table, key: keyOf(index) }, atPrimary)
    if (found === undefined) return UNWRITTEN
    const row = dynamicEntityCodec.read(found.raw, found.etag)
    const state = row.get('State')?.value
    const generation = row.get('Generation')?.value
    const changedAt = row.get('ChangedAt')?.value
    const isForeign = BUILT.has(state) && row.get('Declaration')?.value !== index.declaration
    return {
      state: isState(state) && !isForeign ? state : 'writeOnly',
      isForeign,
      generation: typeof generation === 'number' ? generation : 0,
      changedAt: typeof changedAt === 'bigint' ? Number(changedAt) : 0,
      etag: row.etag,
    }
  }

  /** Changes the state of an index, whatever it is. A rebuild that is running then no longer ends well. */
  async change(
    table: CatalogueTable,
    index: CataloguedIndex,
    state: IndexState,
    options: CallOptions = {},
  ): Promise<void> {
    let isWritten = false
    while (!isWritten) {
      const row = await this.readRow(table, index, options)
      isWritten = await this.#write(table, index, changedRow(row, state, table), options)
    }
  }

  /**
   * Lets programs write the entries of an index before it is built, when they do not yet. An index that was built by another
   * declaration is no longer readable for the programs with that one. Of several builders one changes the state.
   */
  async open(
    table: CatalogueTable,
    index: CataloguedIndex,
    options: CallOptions = {},
  ): Promise<CatalogueRow> {
    for (;;) {
      const row = await this.readRow(table, index, options)
      const isOpen = row.state !== 'disabled' && row.state !== 'deleteOnly'
      if (isOpen && !row.isForeign) return row
      await this.#write(table, index, changedRow(row, 'writeOnly', table), options)
    }
  }

  /**
   * Ends a rebuild: stores its result, unless someone changed the state meanwhile.
   *
   * @param generation - of the row when the rebuild began
   * @throws InputError (`IndexStateChanged`)
   */
  async finish(
    table: CatalogueTable,
    index: CataloguedIndex,
    { state, generation }: Pick<CatalogueRow, 'state' | 'generation'>,
    options: CallOptions = {},
  ): Promise<void> {
    let isWritten = false
    while (!isWritten) {
      const row = await this.readRow(table, index, options)
      if (row.generation !== generation) throw changed(table.name, index.place, row.state)
      isWritten = await this.#write(table, index, { ...row, state }, options)
    }
  }

  /** Writes a row at the version that was read; returns false when another program was faster. */
  async #write(
    { service, name: table }: CatalogueTable,
    index: CataloguedIndex,
    { state, generation, changedAt, etag }: CatalogueRow,
    options: CallOptions,
  ): Promise<boolean> {
    const key = keyOf(index)
    const row = new DynamicEntity(key.partitionKey, key.rowKey, {
      State: state,
      Generation: generation,
      ChangedAt: BigInt(changedAt),
      Declaration: index.declaration,
    })
    const input = { table, key, body: dynamicEntityCodec.write(row) }
    try {
      if (etag === undefined) await perform(service, insertEntity, input, options)
      else await perform(service, updateEntity, { ...input, etag }, options)
    } catch (error) {
      if (error instanceof EntityAlreadyExistsError || error instanceof ETagMismatchError) {
        return false
      }
      throw error
    }
    this.#leases.delete(leasePlace({ service, name: table }, index))
    return true
  }
}

/** The row of an index in the catalogue. */
interface CatalogueRow {
  readonly state: IndexState
  /** Whether it was built by another declaration. */
  readonly isForeign: boolean
  /** Counts the changes that a person made. */
  readonly generation: number
  /** When the last of them was made, in milliseconds since 1970, UTC. */
  readonly changedAt: number
  /** The version that was read; `undefined` before the row is written. */
  readonly etag: string | undefined
}

const UNWRITTEN: CatalogueRow = {
  state: 'writeOnly',
  isForeign: false,
  generation: 0,
  changedAt: 0,
  etag: undefined,
}

function changedRow(row: CatalogueRow, state: IndexState, table: CatalogueTable): CatalogueRow {
  const changedAt = table.now?.() ?? table.service.now()
  return { ...row, state, generation: row.generation + 1, changedAt }
}

function changed(table: string, index: string, state: IndexState): Error {
  return patternsInputError({
    code: 'IndexStateChanged',
    message: `The state of index ${index} of table ${table} was changed to ${state} while the index was rebuilt. Run rebuild again, if it should be readable.`,
  })
}

function leasePlace({ service, name }: CatalogueTable, { place }: CataloguedIndex): string {
  return `${service.accountId} ${name} ${place}`
}

function keyOf({ place }: CataloguedIndex): EntityKey {
  return { partitionKey: CATALOGUE, rowKey: `${CATALOGUE}${place}` }
}

/** The states that say something about the entries. */
const BUILT: ReadonlySet<unknown> = new Set<IndexState>(['readable', 'uniquenessPending'])

function isState(state: unknown): state is IndexState {
  return typeof state === 'string' && STATES.includes(state)
}
