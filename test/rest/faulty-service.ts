import { localTableService } from '@rowkey/local'
import { isRowkeyError } from '@rowkey/odata'
import {
  type AttemptLimits,
  createTable,
  deleteEntity,
  deleteTable,
  type EntityWrite,
  findEntity,
  type HttpRequest,
  type HttpResponse,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  type TableService,
  type TableServiceSettings,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import type { Fault, Rival, Turn } from '../vectors/lost-responses.ts'
import { START } from './service-over.ts'

const HOUR = 3_600_000
const KEY = { partitionKey: 'Smith', rowKey: 'Jeff' }

/** A write of the row whose `n` is given. */
export function rowOf(n: number, rowKey: string = KEY.rowKey): EntityWrite {
  return {
    table: 'people',
    key: { ...KEY, rowKey },
    body: JSON.stringify({ PartitionKey: KEY.partitionKey, RowKey: rowKey, n }),
  }
}

const refusal = (status: number, code: string): HttpResponse => ({
  status,
  headers: {},
  body: `{"odata.error":{"code":"${code}","message":{"value":"No."}}}`,
})

/** A service that can be reached only by way of faults, and directly by a rival. */
export interface FaultyService {
  readonly service: TableService
  readonly rival: TableService
  /** Every request that was made, read-backs included. */
  readonly requests: HttpRequest[]
  /** How often a write was done, whatever the caller learned of it. */
  done(): number
  /** How often a transaction was applied: every exact write is one. */
  transactions(): number
  /** The faults that did not happen yet. */
  readonly left: Turn[]
  /** The `n` of the row. */
  stored(): Promise<number | 'none' | 'no table'>
}

/**
 * Makes a {@link FaultyService} over an embedded service. What is stored by `before` is an hour old
 * when the first turn comes.
 */
export async function faultyService(
  turns: readonly Turn[],
  before: (rival: TableService) => Promise<unknown>,
  settings?: TableServiceSettings,
): Promise<FaultyService> {
  let now = START - HOUR
  const local = localTableService({ now: () => now })
  const connectionString = local.connectionString()
  const clock = { now: () => now, random: () => 0.5, sleep: async () => {} }
  const rival = tableService({ connectionString, transport: local.transport, ...clock })
  const requests: HttpRequest[] = []
  const left = [...turns]
  const done: HttpRequest[] = []
  const inner: Transport = async (request, limits) => {
    const response = await local.transport(request, limits)
    if (request.method !== 'GET' && isDone(response)) done.push(request)
    return response
  }
  const transport: Transport = async (request, limits) => {
    requests.push(request)
    now += 1000
    const turn = left.shift() ?? 'pass'
    if (typeof turn === 'string') return play(turn, inner, request, limits)
    // A rival that comes too late changes nothing.
    await act(rival, turn[0]).catch(() => {})
    return play(turn[1], inner, request, limits)
  }
  await before(rival)
  now = START
  const service = tableService({ connectionString, transport, ...clock, ...settings })
  return {
    ...{ service, rival, requests, left },
    done: () => done.length,
    transactions: () => done.filter(({ path }) => path.endsWith('/$batch')).length,
    stored: () => storedIn(rival),
  }
}

/** Tells whether a response says that a write was applied. A failed batch has the status 202, too; its part has the error. */
export function isDone({ status, body }: Pick<HttpResponse, 'status' | 'body'>): boolean {
  return status < 300 && !/^HTTP\/1\.1 [45]/m.test(body)
}

async function play(
  fault: Fault,
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  const isWrite = request.method !== 'GET'
  const lost = new TransportError({ message: 'The response was lost.', mayHaveApplied: isWrite })
  switch (fault) {
    case 'refused':
      throw new TransportError({
        code: 'ConnectionFailed',
        message: 'Refused.',
        failure: 'refused',
        mayHaveApplied: false,
      })
    case 'lost before':
      throw lost
    case 'busy':
      return refusal(503, 'ServerBusy')
    case 'throttled':
      return refusal(429, 'TooManyRequests')
    case 'failing before':
      return refusal(500, 'InternalError')
  }
  const response = await transport(request, limits)
  switch (fault) {
    case 'lost after':
      throw lost
    case 'silent after':
      throw new TransportError({
        code: 'AttemptTimeout',
        message: 'Silence.',
        mayHaveApplied: isWrite,
      })
    case 'failing after':
      return refusal(500, 'OperationTimedOut')
    case 'gateway after':
      return { status: 503, headers: {}, body: '<html>' }
    case 'cut after':
      return { ...response, body: response.body.slice(0, response.body.length / 2) }
    case 'page after':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in' }
    case 'pass':
      return response
  }
}

/** Lets a rival do something. */
export async function act(rival: TableService, action: Rival): Promise<void> {
  switch (action) {
    case 'inserts the same':
      await perform(rival, insertEntity, rowOf(2))
      return
    case 'inserts another':
      await perform(rival, insertEntity, rowOf(9))
      return
    case 'changes it':
      await perform(rival, insertOrReplaceEntity, rowOf(9))
      return
    case 'deletes it':
      await perform(rival, deleteEntity, { ...rowOf(0), etag: '*' })
      return
    case 'drops the table':
      await perform(rival, deleteTable, { table: 'people' })
  }
}

/** Reads the `n` of the row. */
export async function storedIn(rival: TableService): Promise<number | 'none' | 'no table'> {
  try {
    const found = await perform(rival, findEntity, rowOf(0))
    return found === undefined ? 'none' : Number(found.raw.n)
  } catch (error) {
    if (isRowkeyError(error) && error.code === 'TableNotFound') return 'no table'
    throw error
  }
}

/** Makes the table, and the row if there is to be one. */
export async function prepare(rival: TableService, row: boolean): Promise<string | undefined> {
  await perform(rival, createTable, { table: 'people' })
  return row ? (await perform(rival, insertEntity, rowOf(1))).etag : undefined
}
