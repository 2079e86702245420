import { type LocalTableService, localTableService } from '@rowkey/local'
import { Account, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { type TableServiceSettings, type Transport, tableService } from '@rowkey/rest'

/** An account on an embedded service of its own, with a clock that stands still and waits that take no time. */
export interface BulkAccount {
  readonly account: Account
  readonly local: LocalTableService
  /** How long the client waited, in milliseconds. */
  readonly waits: number[]
  /** How many operations each write request had. */
  readonly writes: () => number[]
  /** The most write requests that were in flight at once. */
  readonly mostAtOnce: () => number
  /** Moves the clock of the client forward, in milliseconds. */
  readonly pass: (time: number) => void
}

/** An untyped table, just created. */
export interface BulkTable extends BulkAccount {
  readonly table: Table<DynamicEntity>
  /** The keys of the stored rows, with their property `n`. */
  readonly stored: () => Promise<Record<string, unknown>>
}

/** Opens an account; a transport may wrap that of the embedded service. */
export function bulkAccount(
  wrap: (transport: Transport) => Transport = (transport) => transport,
  settings: TableServiceSettings = {},
): BulkAccount {
  let now = Date.UTC(2026, 10, 22)
  const local = localTableService({ now: () => now })
  const [waits, writes]: [number[], number[]] = [[], []]
  const gauge = { inFlight: 0, most: 0 }
  const counted: Transport = async (request, limits) => {
    const isWrite = request.method !== 'GET'
    if (isWrite) writes.push((request.body?.match(/^(?:POST|PUT|PATCH|DELETE) /gm) ?? [0]).length)
    gauge.most = Math.max(gauge.most, isWrite ? ++gauge.inFlight : 0)
    try {
      return await local.transport(request, limits)
    } finally {
      if (isWrite) gauge.inFlight--
    }
  }
  const service = tableService({
    connectionString: local.connectionString(),
    transport: wrap(counted),
    retryBudget: false,
    now: () => now,
    random: () => 1 - Number.EPSILON,
    sleep: async (delay) => {
      waits.push(Math.round(delay))
      await new Promise(setImmediate)
    },
    ...settings,
  })
  return {
    account: new Account(service),
    local,
    waits,
    writes: () => writes,
    mostAtOnce: () => gauge.most,
    pass: (time) => {
      now += time
    },
  }
}

/** Opens an account with an untyped table; `writes` begins after its creation. */
export async function bulkTable(...given: Parameters<typeof bulkAccount>): Promise<BulkTable> {
  const opened = bulkAccount(...given)
  const table = opened.account.table('people')
  await table.create()
  opened.writes().length = 0
  const stored = async () => {
    const rows = await table.query().allowTableScan().toArray()
    return Object.fromEntries(
      rows.map((row) => [`${row.partitionKey}/${row.rowKey}`, row.get('n')?.value]),
    )
  }
  return { ...opened, table, stored }
}

/** A row with one property. */
export function row(partitionKey: string, rowKey: string, n: number): DynamicEntity {
  return new DynamicEntity(partitionKey, rowKey, { n })
}

/** So many rows of one partition. */
export function rows(partitionKey: string, count: number): DynamicEntity[] {
  return Array.from({ length: count }, (_, n) => row(partitionKey, String(n).padStart(5, '0'), n))
}
