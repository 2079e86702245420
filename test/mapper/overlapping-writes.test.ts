import { localTableService } from '@rowkey/local'
import { Account, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  type HttpResponse,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import fc from 'fast-check'
import { assert, describe, it } from 'vitest'
import { randomSteps } from '../support/random-steps.ts'
import { Customer, customer } from './customer.ts'

const WAYS = ['insert', 'replace', 'merge', 'insertOrReplace', 'insertOrMerge', 'delete'] as const

type Step =
  | { do: 'begin'; how: (typeof WAYS)[number]; past: boolean; age: number; rating: number }
  /** The service applies the request; its response is pending. */
  | { do: 'apply'; which: number }
  | { do: 'answer'; which: number; lost: boolean }
  /** What another client writes meanwhile, alone and at once. */
  | { do: 'other'; how: 'merge' | 'replace' | 'delete'; age: number; foreign: number }

const which = fc.nat(3)
const value = fc.integer({ min: 1, max: 3 })
const begin = fc.record({
  do: fc.constant('begin' as const),
  how: fc.constantFrom(...WAYS),
  past: fc.boolean(),
  age: value,
  rating: value,
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: begin },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('apply' as const), which }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('answer' as const),
        which,
        lost: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('other' as const),
        how: fc.constantFrom('merge' as const, 'replace' as const, 'delete' as const),
        age: value,
        foreign: value,
      }),
    },
  ),
  { minLength: 3, maxLength: 16 },
)

/** A request that the service may have applied, and whose response has not arrived. */
interface Held {
  /** Does it, once. */
  apply(): Promise<HttpResponse>
  answer(response: HttpResponse): void
  lose(): void
}

/** What stands before the service; shut, it holds the last request. */
interface Gate {
  held: Held | undefined
  shut: boolean
}

/** A write that has not ended. */
interface Open {
  readonly held: Held
  readonly ended: Promise<unknown>
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** One object that is written, in a service of its own, with each request held back. */
class World {
  readonly row: Customer
  /** Whether another client has written. */
  touched = false
  /** The ETag of the last write of the object that was answered, in the order of the service. */
  latest: string | undefined
  readonly #table: Table<Customer>
  readonly #others: Table<DynamicEntity>
  readonly #open: Open[] = []
  readonly #gate: Gate
  /** In which order the service did them. */
  readonly #order = new Map<Open, number>()
  #latestTurn = 0
  #turns = 0

  private constructor(
    row: Customer,
    table: Table<Customer>,
    others: Table<DynamicEntity>,
    gate: Gate,
  ) {
    this.row = row
    this.latest = row.etag
    this.#table = table
    this.#others = others
    this.#gate = gate
  }

  static async make(): Promise<World> {
    const { transport, connectionString } = localTableService()
    const gate: Gate = { held: undefined, shut: false }
    const gated: Transport = (request, limits) => {
      if (!gate.shut) return transport(request, limits)
      return new Promise((answer, reject) => {
        let done: Promise<HttpResponse> | undefined
        gate.held = {
          apply() {
            done ??= transport(request, limits)
            return done
          },
          answer,
          lose: () => reject(new TransportError({ message: 'lost', mayHaveApplied: true })),
        }
      })
    }
    const access = { connectionString: connectionString(), retry: noRetry }
    const table = new Account(tableService({ ...access, transport: gated })).table(Customer)
    const others = new Account(tableService({ ...access, transport })).table('customers')
    await table.create()
    await table.insert(customer('Smith', 'Jeff', { age: 1, rating: 1 }))
    await others.merge(new DynamicEntity('Smith', 'Jeff', { foreign: 0 }), { etag: '*' })
    const row = await table.get(['Smith', 'Jeff'])
    gate.shut = true
    return new World(row, table, others, gate)
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'begin') return this.#begin(step)
    if (step.do === 'other') return this.#other(step)
    const open = this.#open[step.which]
    if (open === undefined) return
    if (step.do === 'apply') await this.#apply(open)
    else await this.#answer(open, step.lost)
  }

  /** Responds to all requests in flight, the last first; later requests are not held back. */
  async settle(): Promise<void> {
    for (const open of this.#open.toReversed()) await this.#answer(open, false)
    this.#gate.shut = false
  }

  stored(): Promise<DynamicEntity | undefined> {
    return this.#others.find(['Smith', 'Jeff'])
  }

  /** Writes the object once more; what comes of it, `false` when it was refused. */
  async last(how: 'merge' | 'replace', options: { etag?: string } = {}): Promise<boolean> {
    return this.#table[how](this.row, options).then(
      () => true,
      () => false,
    )
  }

  async #begin({ how, past, age, rating }: Step & { do: 'begin' }): Promise<void> {
    if (this.#open.length === 4) return
    Object.assign(this.row, { age, rating })
    this.#gate.held = undefined
    const byEtag = how === 'merge' || how === 'replace' || how === 'delete'
    const written: Promise<unknown> = this.#table[how](
      this.row,
      byEtag && past ? { etag: '*' } : {},
    )
    let isOver = false
    const ended = written.catch(() => undefined).finally(() => (isOver = true))
    while (this.#gate.held === undefined && !isOver) await turn()
    if (this.#gate.held !== undefined) this.#open.push({ held: this.#gate.held, ended })
  }

  #apply(open: Open): Promise<HttpResponse> {
    if (!this.#order.has(open)) this.#order.set(open, ++this.#turns)
    return open.held.apply()
  }

  async #answer(open: Open, lost: boolean): Promise<void> {
    this.#open.splice(this.#open.indexOf(open), 1)
    if (lost) open.held.lose()
    else {
      const response = await this.#apply(open)
      const { etag } = response.headers
      const turnOf = this.#order.get(open) ?? 0
      if (response.status < 300 && etag !== undefined && turnOf > this.#latestTurn) {
        this.#latestTurn = turnOf
        this.latest = etag
      }
      open.held.answer(response)
    }
    await open.ended
  }

  async #other({ how, age, foreign }: Step & { do: 'other' }): Promise<void> {
    this.touched = true
    const row = new DynamicEntity('Smith', 'Jeff', { age, foreign })
    if (how === 'delete') await this.#others.deleteIfExists(['Smith', 'Jeff'], { etag: '*' })
    else await this.#others[how === 'merge' ? 'insertOrMerge' : 'insertOrReplace'](row)
  }
}

const isPastMerge = ({ how, past }: Step & { do: 'begin' }) => how === 'merge' && past

/** The object after all of it, with every write ended. */
async function worldAfter(all: readonly Step[]): Promise<World> {
  const world = await World.make()
  for (const step of all) await world.take(step)
  await world.settle()
  return world
}

describe('writes of one object that overlap, end in any order, are rejected or get lost', () => {
  it('leave it with the ETag of the one that was stored last of those answered', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { row, latest } = await worldAfter(all)
        assert.strictEqual(row.etag, latest)
      }),
      { numRuns: randomSteps(500) },
    )
  })

  it('let every later merge send all properties that differ from the stored ones', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), value, async (all, past, age) => {
        const world = await worldAfter(all)
        const before = await world.stored()
        // A merge past others sends what changed, and leaves what they made of the rest.
        const wentPast = all.some((step) => step.do === 'begin' && isPastMerge(step))
        if (world.touched && (past || wentPast || before?.etag !== world.row.etag)) return
        world.row.age = age
        const isStored = await world.last('merge', past ? { etag: '*' } : {})
        if (!isStored) return
        const now = await world.stored()
        assert.deepEqual(
          [now?.get('age')?.value, now?.get('rating')?.value],
          [world.row.age, world.row.rating],
        )
      }),
      { numRuns: randomSteps(500) },
    )
  })

  it('let no later replace by its own ETag bring back or drop what others stored', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = await worldAfter(all)
        const before = await world.stored()
        if (!(await world.last('replace'))) return
        const now = await world.stored()
        assert.strictEqual(now?.get('foreign')?.value, before?.get('foreign')?.value)
      }),
      { numRuns: randomSteps(500) },
    )
  })
})
