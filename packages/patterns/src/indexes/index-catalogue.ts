import { DynamicEntity, dynamicEntityCodec, type EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  findEntity,
  insertOrReplaceEntity,
  perform,
  type TableService,
} from '@rowkey/rest'

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
export interface CatalogueTable {
  readonly service: TableService
  readonly name: string
  /** The clock in milliseconds; the service's own when absent. */
  readonly now?: (() => number) | undefined
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

  /** @param lease - milliseconds for which a state that was read may be used */
  constructor(lease: number) {
    this.lease = lease
  }

  /** Returns the state of an index, at most one lease old. Reads one row when the lease has ended. */
  async state(
    table: CatalogueTable,
    index: string,
    options: CallOptions = {},
  ): Promise<IndexState> {
    const place = `${table.service.accountId} ${table.name} ${index}`
    const now = table.now?.() ?? table.service.now()
    const lease = this.#leases.get(place)
    if (lease !== undefined && now < lease.endsAt) return lease.state
    const state = await this.read(table, index, options)
    this.#leases.set(place, { state, endsAt: now + this.lease })
    return state
  }

  /** Returns the state that this process read last; `undefined` before the first read. Sends nothing. */
  lastKnown({ service, name }: CatalogueTable, index: string): IndexState | undefined {
    return this.#leases.get(`${service.accountId} ${name} ${index}`)?.state
  }

  /** Reads the state of an index. */
  async read(
    { service, name: table }: CatalogueTable,
    index: string,
    options: CallOptions = {},
  ): Promise<IndexState> {
    const read = { table, key: keyOf(index) }
    const found = await perform(service, findEntity, read, {
      ...options,
      locationMode: 'primaryOnly',
    })
    const state = found && dynamicEntityCodec.read(found.raw).get('State')?.value
    return isState(state) ? state : 'writeOnly'
  }

  /** Stores the state of an index. Other programs see it after one lease. */
  async write(
    table: CatalogueTable,
    index: string,
    state: IndexState,
    options: CallOptions = {},
  ): Promise<void> {
    const key = keyOf(index)
    const row = new DynamicEntity(key.partitionKey, key.rowKey, { State: state })
    const body = dynamicEntityCodec.write(row)
    await perform(table.service, insertOrReplaceEntity, { table: table.name, key, body }, options)
    this.#leases.delete(`${table.service.accountId} ${table.name} ${index}`)
  }
}

function keyOf(index: string): EntityKey {
  return { partitionKey: CATALOGUE, rowKey: `${CATALOGUE}${index}` }
}

function isState(state: unknown): state is IndexState {
  return typeof state === 'string' && STATES.includes(state)
}
