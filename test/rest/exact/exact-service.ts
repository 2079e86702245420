import { localTableService } from '@rowkey/local'
import type { RawEntity } from '@rowkey/odata'
import {
  createTable,
  deleteEntity,
  type EntitiesQuery,
  type EntityWrite,
  type HttpRequest,
  type HttpResponse,
  type Operation,
  perform,
  queryEntities,
  type TableService,
  type TableServiceSettings,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { START } from '../service-over.ts'

/** Query Entities, with the markers that it leaves out. */
const allRows: Operation<EntitiesQuery, RawEntity[]> = {
  name: 'queryEntities',
  toRequest: queryEntities.toRequest,
  fromResponse: ({ body }) => JSON.parse(body).value,
}

/** What happens to a request: it passes, its response is lost, it arrives later, or it passes and arrives again. */
export type Fate = 'pass' | 'lost response' | 'late' | 'duplicated later'

/** An embedded service with a clock of its own, and exact clients of it. */
export interface ExactService {
  /**
   * A client, which is another process as far as the service knows.
   *
   * @param fates - what happens to its requests, in order
   * @param latency - milliseconds that each request takes
   * @param offset - how wrong the client's clock is, in milliseconds
   */
  client(fates?: readonly Fate[], latency?: number, offset?: () => number): TableService
  /** Lets the late requests arrive. */
  deliverLate(): Promise<readonly HttpResponse[]>
  /** All rows, markers too, as RowKey and its row. */
  rows(): Promise<ReadonlyMap<string, RawEntity>>
  /** The requests of the clients. */
  readonly requests: HttpRequest[]
  /** Lets time pass. */
  pass(milliseconds: number): void
}

/** An insert or update of one row. */
export function personOf(rowKey: string, n = 1): EntityWrite {
  const key = { partitionKey: 'Smith', rowKey }
  return {
    table: 'people',
    key,
    body: JSON.stringify({ PartitionKey: 'Smith', RowKey: rowKey, n }),
  }
}

/** Tells whether a request went to the secondary of the service. */
export function isAtSecondary({ path }: HttpRequest): boolean {
  return path.startsWith('/devstoreaccount1-secondary')
}

/** A client whose requests meet something before they are sent; a response of it takes the place of the service's. */
export function meeting(
  client: TableService,
  meet: (request: HttpRequest) => Promise<HttpResponse | undefined>,
): TableService {
  const transport: Transport = async (request, limits) =>
    (await meet(request)) ?? client.transport(request, limits)
  return { ...client, transport }
}

/** Tells whether a row is a marker. */
export function isMarker(rowKey: string): boolean {
  return rowKey.startsWith('~rk~op~')
}

/** The RowKeys of the markers that are stored. */
export async function markersIn(service: ExactService): Promise<readonly string[]> {
  return [...(await service.rows()).keys()].filter(isMarker)
}

/** Sweeps the only marker of a service before the next read. */
export function sweepingBeforeRead(service: ExactService, client: TableService): TableService {
  const sweeper = service.client()
  return meeting(client, async ({ method }) => {
    if (method !== 'GET') return undefined
    const [rowKey = ''] = await markersIn(service)
    const marker = { ...personOf(rowKey), etag: '*' }
    await perform(sweeper, deleteEntity, marker, { exactWrites: false })
    return undefined
  })
}

/** Makes the service with an empty table. */
export async function exactService(settings: TableServiceSettings = {}): Promise<ExactService> {
  let now = START
  let ids = 0
  const local = localTableService({ now: () => now })
  const connectionString = local.connectionString()
  const requests: HttpRequest[] = []
  const late: HttpRequest[] = []
  const clock = { now: () => now, random: () => 0.5, sleep: async () => {} }
  const newId = () => `id-${++ids}`
  const client = (fates: readonly Fate[] = [], latency = 0, offset = () => 0): TableService => {
    const left = [...fates]
    const transport = async (request: HttpRequest) => {
      requests.push(request)
      now += latency
      const fate = left.shift() ?? 'pass'
      if (fate.includes('late')) late.push(request)
      const response = fate === 'late' ? undefined : await local.transport(request)
      if (fate !== 'lost response' && response !== undefined) return response
      throw new TransportError({ message: 'Lost.', mayHaveApplied: request.method !== 'GET' })
    }
    return tableService({
      connectionString,
      transport,
      newId,
      ...clock,
      now: () => now + offset(),
      exactWrites: true,
      ...settings,
    })
  }
  await perform(client(), createTable, { table: 'people' })
  requests.length = 0
  return {
    client,
    requests,
    async deliverLate() {
      const responses: HttpResponse[] = []
      for (const request of late.splice(0)) responses.push(await local.transport(request))
      return responses
    },
    async rows() {
      const value = await perform(client(), allRows, { table: 'people' })
      return new Map(value.map((row) => [String(row.RowKey), row]))
    },
    pass(milliseconds) {
      now += milliseconds
    },
  }
}
