import { localTableService } from '@rowkey/local'
import { Account, type BulkRun, type Table } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { row } from './bulk-account.ts'

/** A small generator of numbers from 0 to 1, the same for each seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const never = new Promise<never>(() => {})

/** A service and a disk that outlive the processes that use them. */
class World {
  readonly random: () => number
  readonly #local = localTableService({ now: () => Date.UTC(2026, 10, 22) })
  /** Requests of killed processes that have not arrived yet. */
  readonly late: HttpRequest[] = []
  /** The file of the journal. */
  text = ''
  kills = 0
  fullDisks = 0

  constructor(seed: number) {
    this.random = seeded(seed)
  }

  /** Begins a process, which is killed at one of its next steps, unless it is to live. */
  begin(mayDie: boolean, exactWrites: boolean) {
    let steps = mayDie ? 1 + Math.floor(this.random() * 24) : Number.POSITIVE_INFINITY
    let die = () => {}
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined)
    })
    const isKilled = () => {
      if (--steps !== 0) return steps < 0
      this.kills++
      die()
      return true
    }
    const deliver = this.#local.transport
    const transport: Transport = async (request, limits) => {
      if (steps <= 0) return never
      if (this.random() < 0.3) await this.#deliverLate()
      if (request.method === 'GET') return deliver(request, limits)
      const isLast = isKilled()
      const [isLost, isLate] = [this.random() < 0.3, this.random() < 0.5]
      if (isLast && isLost) return never
      if (isLast && isLate && exactWrites) this.late.push(request)
      else return this.#answer(await deliver(request, limits), () => steps <= 0)
      return never
    }
    const journal = {
      read: () => this.text,
      append: async (text: string) => {
        if (steps <= 0) return never
        const isLast = isKilled()
        const isFull = !isLast && mayDie && this.random() < 0.1
        const size = isLast || isFull ? Math.floor(this.random() * (text.length + 1)) : text.length
        this.text += text.slice(0, size)
        if (isLast) return never
        await new Promise(setImmediate)
        if (!isFull) return
        this.fullDisks++
        throw new TypeError('disk full')
      },
    }
    const service = tableService({
      connectionString: this.#local.connectionString(),
      transport,
      retry: noRetry,
      exactWrites,
      now: () => Date.UTC(2026, 10, 22),
      random: this.random,
      sleep: () => new Promise(setImmediate),
    })
    return { table: new Account(service).table('people'), journal, death }
  }

  async #answer<Response>(response: Response, isDead: () => boolean): Promise<Response> {
    await new Promise(setImmediate)
    return isDead() ? never : response
  }

  async #deliverLate(): Promise<void> {
    for (const request of this.late.splice(0)) await this.#local.transport(request)
  }
}

interface Import {
  readonly isExact: boolean
  /** Stores what the import finds, before anything is killed. */
  readonly prepare: (table: Table<DynamicEntity>) => PromiseLike<unknown>
  readonly run: (table: Table<DynamicEntity>, journal: never) => BulkRun<unknown>
  /** What is stored when each operation was applied once. */
  readonly expected: Record<string, number>
}

const places = Array.from({ length: 24 }, (_, n) => ({ pk: `p${n % 5}`, rk: `r${n}`, n }))
const input = () => places.map(({ pk, rk, n }) => row(pk, rk, n))
const nOf = (entity: object) => Number((entity as DynamicEntity).get('n')?.value)
const expectedOf = (value: (n: number) => number) =>
  Object.fromEntries(places.map(({ rk, n }) => [rk, value(n)]))
const isThere = ({ n }: { n: number }) => n % 3 === 0

const imports: Record<string, Import> = {
  'inserts of new rows': {
    isExact: false,
    prepare: async () => {},
    run: (table, journal) => table.bulk({ journal, concurrency: 3 }).insert(input()),
    expected: expectedOf((n) => n),
  },
  'exact inserts that add to the rows that they find': {
    isExact: true,
    prepare: (table) =>
      table.bulk().insert(places.filter(isThere).map(({ pk, rk }) => row(pk, rk, 1_000))),
    run: (table, journal) =>
      table
        .bulk({
          journal,
          concurrency: 3,
          onConflict: 'modify',
          modify: (there, given) => void there.set('n', nOf(there) + nOf(given)),
        })
        .insert(input()),
    expected: expectedOf((n) => (isThere({ n }) ? 1_000 + n : n)),
  },
}

async function storedIn(table: Table<DynamicEntity>): Promise<Record<string, unknown>> {
  const found = await table.query().allowTableScan().toArray()
  return Object.fromEntries(found.map((each) => [each.rowKey, each.get('n')?.value]))
}

describe('a bulk write whose process is killed between any two steps', () => {
  it.each(Object.entries(imports))(
    'R-24: applies each of its operations once: %s',
    async (_, { isExact, prepare, run, expected }) => {
      let [kills, fullDisks] = [0, 0]
      for (let seed = 1; seed <= 40; seed++) {
        const world = new World(seed)
        const { table } = world.begin(false, isExact)
        await table.create()
        await prepare(table)
        for (let runs = 0; runs < 4; runs++) {
          const process = world.begin(true, isExact)
          await Promise.race([
            process.death,
            run(process.table, process.journal as never).summary(),
          ])
        }
        const last = world.begin(false, isExact)
        const summary = await run(last.table, last.journal as never).summary()
        const ends = { done: places.length, failed: 0, unknown: 0 }
        expect(summary, `seed ${seed}`).toMatchObject(ends)
        expect(await storedIn(table), `seed ${seed}`).toEqual(expected)
        kills += world.kills
        fullDisks += world.fullDisks
      }
      expect(Math.min(kills, fullDisks)).toBeGreaterThan(10)
    },
    60_000,
  )

  it('R-24: applies exact upserts once: what another client stored afterwards stays', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const world = new World(seed)
      const rival = world.begin(false, true).table
      await rival.create()
      const run = ({ table, journal }: ReturnType<World['begin']>) =>
        table.bulk({ journal, concurrency: 3 }).insertOrReplace(input()).summary()
      const seen = new Set<string>()
      for (let runs = 0; runs < 5; runs++) {
        const process = world.begin(runs < 4, true)
        await Promise.race([process.death, run(process)])
        for (const { partitionKey, rowKey } of await rival.query().allowTableScan().toArray()) {
          if (seen.has(rowKey)) continue
          seen.add(rowKey)
          await rival.insertOrReplace(row(partitionKey, rowKey, -1))
        }
      }
      expect(await storedIn(rival), `seed ${seed}`).toEqual(expectedOf(() => -1))
    }
  }, 60_000)
})
