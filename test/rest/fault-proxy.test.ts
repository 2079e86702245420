import { localTableService } from '@rowkey/local'
import {
  AmbiguousWriteError,
  createTable,
  getEntity,
  insertEntity,
  perform,
  type TableService,
  tableService,
  undiciTransport,
  updateEntity,
} from '@rowkey/rest'
import { expect } from 'vitest'
import { nodeTransport } from '../../packages/rest/src/http/node-transport.ts'
import { longTest } from '../support/cases-to-play.ts'
import { socketFaults, startFaultProxy } from '../support/fault-proxy.ts'
import { randomSteps } from '../support/random-steps.ts'
import { rowOf } from './faulty-service.ts'

const CLIENTS = 4
const INCREMENTS = randomSteps(24)

/** Increments the counter by its ETag until it is certain that an increment was stored. */
async function increment(client: TableService): Promise<number> {
  for (;;) {
    const found = await perform(client, getEntity, rowOf(0)).catch(() => undefined)
    if (found === undefined) continue
    const next = Number(found.raw.n) + 1
    const write = perform(client, updateEntity, { ...rowOf(next), etag: found.etag })
    const isStored = await write.then(() => true, wasApplied)
    if (isStored) return next
  }
}

/** Tells whether a write was applied; asks until the service responds. */
async function wasApplied(error: unknown): Promise<boolean> {
  if (!(error instanceof AmbiguousWriteError)) {
    expect(error).toMatchObject({ mayHaveApplied: false })
    return false
  }
  for (;;) {
    const outcome = await error.resolve().catch(() => 'unknown')
    if (outcome !== 'unknown') return outcome === 'applied'
  }
}

/** Waits until something is so; fails by the time limit of the test when it never is. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate)
}

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

longTest.each([
  ['node:http', nodeTransport],
  ['undici', undiciTransport],
])(
  'R-24: exact writes over faulty sockets of %s count each increment once, and leave no socket behind',
  async (_, transportOf) => {
    const before = openSockets()
    const local = localTableService()
    const { connectionString, close } = await local.listen({ port: 0 })
    const target = new URL(/TableEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? '').origin
    let requests = 0
    const proxy = await startFaultProxy({
      target,
      lateness: 180,
      // Every second request has a fault, each kind in its turn.
      choose: async () =>
        ++requests % 2 === 0 ? socketFaults[(requests / 2) % socketFaults.length] : undefined,
    })
    const direct = tableService({ connectionString, transport: local.transport })
    await perform(direct, createTable, { table: 'people' })
    await perform(direct, insertEntity, rowOf(0))
    const clients = Array.from({ length: CLIENTS }, () =>
      tableService({
        connectionString: connectionString.replace(target, proxy.origin),
        ...{ transport: transportOf(), timeout: 150, exactWrites: true, sleep: async () => {} },
      }),
    )
    const claimed = await Promise.all(
      clients.map(async (client) => {
        const values: number[] = []
        while (values.length < INCREMENTS) values.push(await increment(client))
        return values
      }),
    )
    expect(new Set(claimed.flat()).size).toBe(CLIENTS * INCREMENTS)
    expect((await perform(direct, getEntity, rowOf(0))).raw.n).toBe(CLIENTS * INCREMENTS)
    expect([...proxy.fired.keys()].sort()).toEqual([...socketFaults].sort())
    for (const client of clients) await client.close()
    await until(async () => (await proxy.connections()) === 0)
    await proxy.close()
    await close()
    await until(() => openSockets() <= before)
  },
  300_000,
)
