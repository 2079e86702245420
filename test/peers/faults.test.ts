import { setTimeout } from 'node:timers/promises'
import { startLocalService } from '@rowkey/local'
import {
  createTable,
  deleteEntity,
  deleteTable,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  type TableService,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDone } from '../rest/faulty-service.ts'
import { socketFaultOf } from '../rest/service-on-sockets.ts'
import { casesToPlay } from '../support/cases-to-play.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import {
  type LostResponse,
  lostResponses,
  type Rival,
  type Turn,
} from '../vectors/lost-responses.ts'
import {
  type FaultClient,
  type OpenClient,
  officialClient,
  rowkeyClient,
  rowOf,
  type Told,
} from './fault-clients.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const services: Readonly<Record<string, () => Promise<Service>>> = {
  '@rowkey/local': () => startLocalService({ port: 0 }),
  Azurite: startAzurite,
}

/** How a scenario ended. */
const verdicts = [
  // What the caller learned is true.
  'true',
  // The call said that the outcome is unknown.
  'unknown',
  // The call failed without effect, and a retry succeeds.
  'gave up',
  // The call failed, and it was applied.
  'false failure',
  // The call succeeded, and it was not applied.
  'false success',
  // The call did not end.
  'stuck',
  // An insert, or a write with an ETag, was applied twice.
  'applied twice',
] as const

type Verdict = (typeof verdicts)[number]

/** The clients, and what each of them promises never to happen. */
const clients: readonly (readonly [string, OpenClient, readonly Verdict[]])[] = [
  ['Rowkey', rowkeyClient(false), ['gave up', 'false failure', 'stuck', 'applied twice']],
  [
    'Rowkey with exact writes',
    rowkeyClient(true),
    ['gave up', 'false failure', 'false success', 'stuck', 'applied twice'],
  ],
  ['@azure/data-tables', officialClient, []],
]

const faultOf = (turn: Turn) => (typeof turn === 'string' ? turn : turn[1])

/** A port cannot refuse one connection and accept the next. */
const scenarios = casesToPlay(
  lostResponses.filter(({ turns }) => !turns.map(faultOf).includes('refused')),
)

/** The state that the caller wants is the same, also when another client made it. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['delete *', 'create table', 'delete table', 'get'])

function judge(given: LostResponse, told: Told | 'stuck', applied: number): Verdict {
  const isOnce = /^(insert|replace|merge|delete|batch.*)$/.test(given.write)
  if (applied > 1 && isOnce) return 'applied twice'
  if (told === 'unknown' || told === 'stuck') return told
  if (told === 'success') {
    return applied > 0 || IDEMPOTENT.has(given.write) ? 'true' : 'false success'
  }
  if (applied > 0) return 'false failure'
  const hasRival = given.turns.some((turn) => typeof turn !== 'string')
  return given.outcome === 'ok' && !hasRival ? 'gave up' : 'true'
}

/** A limit against calls that never end; none takes a tenth of it. */
const PATIENCE = 10_000

async function stuck(signal: AbortSignal): Promise<'stuck'> {
  await setTimeout(PATIENCE, undefined, { signal, ref: false }).catch(() => {})
  return 'stuck'
}

/** One service behind a proxy that plays scenarios. */
class Stage {
  readonly #rival: TableService
  readonly #target: Service
  #proxy: FaultProxy | undefined
  #turns: Turn[] = []
  #requests = 0
  #applied = 0
  #table = ''

  constructor(target: Service) {
    this.#target = target
    this.#rival = tableService({
      connectionString: target.connectionString,
      transport: undiciTransport(),
    })
  }

  async open(): Promise<string> {
    const address = /TableEndpoint=([^;]+)/.exec(this.#target.connectionString)?.[1] ?? ''
    this.#proxy = await startFaultProxy({
      target: new URL(address).origin,
      choose: async () => {
        const turn = this.#turns.shift() ?? 'pass'
        if (typeof turn !== 'string') await this.#act(turn[0]).catch(() => {})
        return socketFaultOf(faultOf(turn), ++this.#requests)
      },
      onServed: ({ method, body }, response) => {
        const isFence = body.includes('"k":"fence"')
        if (method !== 'GET' && !isFence && isDone(response)) this.#applied++
      },
    })
    return this.#proxy.origin
  }

  async play(client: FaultClient, given: LostResponse, table: string): Promise<Verdict> {
    this.#table = table
    const etag = await this.#prepare(given)
    this.#turns = [...given.turns]
    this.#applied = 0
    const call = client.write(given.write, table, etag).then(
      () => 'success' as const,
      (error: unknown) => client.told(error),
    )
    const patience = new AbortController()
    const told = await Promise.race([call, stuck(patience.signal)])
    patience.abort()
    this.#turns = []
    return judge(given, told, this.#applied)
  }

  async close(): Promise<void> {
    await this.#rival.close()
    await this.#proxy?.close()
    await this.#target.close()
  }

  async #prepare({ write, row }: LostResponse): Promise<string> {
    if (write === 'create table') return ''
    await perform(this.#rival, createTable, { table: this.#table })
    const isInsert = write === 'insert' || write === 'batch of inserts'
    if (!(row ?? !isInsert)) return ''
    const { etag } = await perform(this.#rival, insertEntity, rowOf(this.#table, 'Jeff', 1))
    return etag ?? ''
  }

  async #act(action: Rival): Promise<void> {
    const row = rowOf(this.#table, 'Jeff', action === 'inserts the same' ? 2 : 9)
    if (action === 'drops the table') return perform(this.#rival, deleteTable, row)
    if (action === 'deletes it') {
      await perform(this.#rival, deleteEntity, { ...row, etag: '*' })
    } else {
      const operation = action === 'changes it' ? insertOrReplaceEntity : insertEntity
      await perform(this.#rival, operation, row)
    }
  }
}

describe.each(Object.entries(services))('lost responses on %s', (service, start) => {
  let stage: Stage
  let origin: string

  beforeAll(async () => {
    stage = new Stage(await start())
    origin = await stage.open()
  })

  afterAll(() => stage.close())

  it.each(clients)('%s', { timeout: 600_000 }, async (name, openClient, never) => {
    const client = openClient(origin)
    const counts = new Map<Verdict, number>(verdicts.map((verdict) => [verdict, 0]))
    for (const [number, given] of scenarios.entries()) {
      const table = `faults${name.length}x${number}`
      const verdict = await stage.play(client, given, table)
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    }
    await client.close()
    // Those of `ONE_CASE_IN=1` stand in docs/project/reliability.md.
    console.log(service, name, JSON.stringify(Object.fromEntries(counts)))
    for (const verdict of never) expect([verdict, counts.get(verdict)]).toEqual([verdict, 0])
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(scenarios.length)
  })
})
