import { readFileSync } from 'node:fs'
import { localTableService, seededRandom } from '@rowkey/local'
import {
  Account,
  BulkError,
  type BulkOptions,
  defineEntity,
  key,
  Operation,
  type Table,
} from '@rowkey/mapper'
import { anyOf, ge } from '@rowkey/query'
import {
  AmbiguousWriteError,
  BudgetError,
  type CallOptions,
  exponentialRetry,
  isRead,
  OperationContext,
  ServiceError,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { failingTransport, type TransportFailure } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomSteps } from '../support/random-steps.ts'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'city'}`,
  rowKey: key`${'id'}`,
  schema: z.object({ city: z.string(), id: z.string(), age: z.number().optional() }),
})
type People = Table<Person, Person>
type Person = { city: string; id: string; age?: number | undefined }

const ATTEMPTS = 3

/** What a formula counts. */
type Counts = Readonly<Record<string, number | boolean>>

/** The formula in the documentation of a method. */
function formulaOf(file: string, signature: string): (counts: Counts) => number {
  const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), 'utf8')
  const at = source.indexOf(`\n  ${signature}`)
  expect(at, signature).toBeGreaterThan(0)
  const comment = source.slice(0, at).split('/**').at(-1) ?? ''
  const formula = /Requests: `(.+?)`/.exec(comment)?.[1]
  expect(formula, signature).toBeDefined()
  const names = ['keys', 'changed', 'attempts', 'existed', 'pages', 'transactions']
  const calculate = new Function(...names, `return ${formula}`)
  return (counts) => calculate(...names.map((name) => counts[name]))
}

const TABLE = 'mapper/src/table/table.ts'
const WRITER = 'mapper/src/bulk/bulk-writer.ts'
const RUN = 'query/src/read/runnable-query.ts'

/** A table, its requests, and random choices. */
class World {
  readonly random: () => number
  readonly account: Account
  readonly people: People
  readonly rival: People
  requests = 0
  fault: (isWrite: boolean) => TransportFailure | undefined = () => undefined

  constructor(seed: number) {
    this.random = seededRandom(seed)
    const local = localTableService()
    const connectionString = local.connectionString()
    const transport = failingTransport(local.transport, (request) => {
      this.requests++
      return this.fault(!isRead(request))
    })
    const shared = { connectionString, sleep: async () => {}, random: this.random }
    const retry = exponentialRetry({ attempts: ATTEMPTS, throttledAttempts: ATTEMPTS })
    const service = tableService({ ...shared, transport, retry, retryBudget: false })
    this.account = new Account(service)
    this.people = this.account.table(Person) as unknown as People
    const direct = tableService({ ...shared, transport: local.transport })
    this.rival = new Account(direct).table(Person) as unknown as People
  }

  /** Does what is not part of the call. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    const { fault } = this
    this.fault = () => undefined
    try {
      return await work()
    } finally {
      this.fault = fault
      this.requests = 0
    }
  }

  below(count: number): number {
    return Math.floor(this.random() * count)
  }

  person(): Person {
    return { city: `c${this.below(3)}`, id: `${this.below(8)}`, age: this.below(5) }
  }

  keyOf({ city, id }: Person): readonly [string, string] {
    return [city, id]
  }
}

/** Makes a call, and returns what its formula counts. What it throws does not matter: a rejected request is one, too. */
type Play = (world: World, options: CallOptions) => Promise<Counts>

async function quietly(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    const cause = error instanceof BulkError ? error.summary.cause : error
    const isExpected = error instanceof ServiceError || error instanceof TransportError
    const isKnown = isExpected || error instanceof AmbiguousWriteError
    if (cause instanceof BudgetError || !(isKnown || error instanceof BulkError)) throw cause
  }
}

const oneOf =
  (call: (world: World, options: CallOptions) => Promise<unknown>): Play =>
  async (world, options) => {
    await quietly(call(world, options))
    return {}
  }

const bulkOf = (call: 'insert' | 'insertOrMerge' | 'insertOrReplace'): Play => {
  return async (world, options) => {
    const count = 1 + world.below(world.random() < 0.1 ? 250 : 10)
    const tag = `${world.random()}`
    const rows = Array.from({ length: count }, (_, n) => ({ city: `c${n % 2}`, id: `${tag}-${n}` }))
    const cities = [Math.ceil(count / 2), Math.floor(count / 2)]
    await quietly(
      world.people
        .bulk(options as BulkOptions<Person>)
        [call](rows)
        .then(),
    )
    // They are not for the other calls.
    await world.rival
      .bulk()
      .delete(
        rows.map((row) => [row.city, row.id] as never),
        { etag: '*' } as never,
      )
      .summary()
    return {
      rows: count,
      transactions: cities.reduce((sum, each) => sum + Math.ceil(each / 100), 0),
    }
  }
}

const pagesOf = (
  call: (world: World, options: CallOptions, size: number) => Promise<unknown>,
): Play => {
  return async (world, options) => {
    const size = 1 + world.below(4)
    const rows = await world.rival
      .query()
      .where({ city: 'c1' } as never)
      .count()
    await quietly(call(world, options, size))
    return { pages: Math.max(1, Math.ceil(rows / size)) }
  }
}

const sized = ({ people }: World, size: number) =>
  people
    .query()
    .where({ city: 'c1' } as never)
    .pageSize(size)

async function listed(names: AsyncIterable<string>): Promise<void> {
  for await (const _ of names);
}

const CALLS: readonly (readonly [file: string, signature: string, play: Play])[] = [
  [
    TABLE,
    'get(target: EntityTarget | Key, options?: CallOptions)',
    oneOf((w, o) => w.people.get(w.keyOf(w.person()) as never, o)),
  ],
  [
    TABLE,
    'find(target: EntityTarget | Key, options?: CallOptions)',
    oneOf((w, o) => w.people.find(w.keyOf(w.person()) as never, o)),
  ],
  [TABLE, 'async exists(target', oneOf((w, o) => w.people.exists(w.keyOf(w.person()) as never, o))],
  [TABLE, 'async exists(options?', oneOf((w, o) => w.people.exists(o))],
  [TABLE, 'async insert(', oneOf((w, o) => w.people.insert(w.person(), o))],
  [TABLE, 'insertOrMerge(', oneOf((w, o) => w.people.insertOrMerge(w.person(), o))],
  [TABLE, 'insertOrReplace(', oneOf((w, o) => w.people.insertOrReplace(w.person(), o))],
  [TABLE, 'replace(', oneOf((w, o) => w.people.replace(w.person(), { ...o, etag: '*' }))],
  [
    TABLE,
    'async delete(',
    oneOf((w, o) => w.people.delete(w.keyOf(w.person()) as never, { ...o, etag: '*' })),
  ],
  [
    TABLE,
    'async deleteIfExists(',
    oneOf((w, o) => w.people.deleteIfExists(w.keyOf(w.person()) as never, { ...o, etag: '*' })),
  ],
  [TABLE, 'async createIfNotExists(', oneOf((w, o) => w.people.createIfNotExists(o))],
  [
    TABLE,
    'async execute<Given',
    oneOf((w, o) => w.people.execute(Operation.insertOrMerge(w.person()), o)),
  ],
  [
    TABLE,
    'async execute<const',
    oneOf((w, o) =>
      w.people.execute(
        [0, 1, 2].map((id) => Operation.insertOrMerge({ city: 'c1', id: `${id}` })),
        o,
      ),
    ),
  ],
  [
    'mapper/src/writes/batch.ts',
    'async submit(',
    oneOf((w, o) => w.people.batch().insertOrMerge(w.person()).submit(o)),
  ],
  [
    'mapper/src/account/account-properties.ts',
    'async get(',
    oneOf((w, o) => w.account.properties.get(o)),
  ],
  [
    'mapper/src/table/admin/access-policies.ts',
    'async get(',
    oneOf((w, o) => w.people.accessPolicies.get(o)),
  ],
  [
    'mapper/src/table/admin/access-policies.ts',
    'async revoke(',
    async (w, options) => {
      const existed = w.random() < 0.5
      await w.rival.accessPolicies.set(existed ? [{ id: 'a', permissions: 'r' }] : [])
      await quietly(w.people.accessPolicies.revoke('a', options))
      return { existed }
    },
  ],
  [
    TABLE,
    'async getMany(',
    async (w, options) => {
      const keys = Array.from({ length: w.below(6) }, () => w.keyOf(w.person()))
      await quietly(w.people.getMany(keys as never, options))
      return { keys: new Set(keys.map(String)).size }
    },
  ],
  [
    TABLE,
    'async merge<Row',
    async (w, options) => {
      const person = w.person()
      await w.rival.insertOrReplace({ ...person, age: 1 })
      const found = await w.aside(() => w.people.get(w.keyOf(person) as never))
      const changed = w.random() < 0.5
      if (changed) found.age = 2
      await quietly(w.people.merge(found as never, options))
      return { changed }
    },
  ],
  [
    TABLE,
    'async reload(',
    async (w, options) => {
      const person = w.person()
      await w.rival.insertOrReplace(person)
      const found = await w.aside(() => w.people.get(w.keyOf(person) as never))
      await quietly(w.people.reload(found, options))
      return {}
    },
  ],
  [
    TABLE,
    'async modify(',
    async (w, options) => {
      const person = w.person()
      await w.rival.insertOrReplace({ ...person, age: 1 })
      const changed = w.random() < 0.7
      const conflicts = changed ? w.below(3) : 0
      let attempts = 0
      const modify = async (stored: Person) => {
        attempts++
        if (attempts <= conflicts) await w.rival.insertOrReplace({ ...person, age: 10 + attempts })
        if (changed) stored.age = 100 + attempts
      }
      await quietly(w.people.modify(w.keyOf(person) as never, modify, options))
      return { changed, attempts: Math.max(1, attempts) }
    },
  ],
  [RUN, 'toArray(options', pagesOf((w, o, size) => sized(w, size).toArray(o))],
  [RUN, 'count(options', pagesOf((w, o, size) => sized(w, size).count(o))],
  [
    RUN,
    'rows(options',
    pagesOf(async (w, o, size) => {
      for await (const _ of sized(w, size).rows(o)) if (w.random() < 0) break
    }),
  ],
  [RUN, 'forEach(handler', pagesOf((w, o, size) => sized(w, size).forEach(async () => {}, o))],
  [
    RUN,
    'byPage(options',
    pagesOf(async (w, o, size) => {
      for await (const _ of sized(w, size).byPage(o)) if (w.random() < 0) break
    }),
  ],
  [
    'mapper/src/account/account.ts',
    'tables(options',
    async (w, options) => {
      await quietly(listed(w.account.tables(options as never)))
      return { pages: 1 }
    },
  ],
  [WRITER, 'insert<Item extends', bulkOf('insert')],
  [WRITER, 'insertOrMerge<Item extends', bulkOf('insertOrMerge')],
  [WRITER, 'insertOrReplace<Item extends', bulkOf('insertOrReplace')],
]

/** Plays random calls, and yields the requests of each, and what its formula says. */
async function* played(world: World, steps: number, options: () => CallOptions = () => ({})) {
  const calls = CALLS.map(([file, signature, play]) => {
    return { signature, play, formula: formulaOf(file, signature) }
  })
  await world.rival.create()
  for (let step = 0; step < randomSteps(steps); step++) {
    const { signature, play, formula } = calls[world.below(calls.length)]!
    world.requests = 0
    const given = options()
    const outcome = await play(world, given).catch((error: unknown) => error)
    const error = outcome instanceof BudgetError ? outcome : undefined
    if (outcome instanceof Error && error === undefined) throw outcome
    const counts = outcome as Counts
    const allowed = error === undefined ? formula(counts) : undefined
    yield { signature, allowed, rows: counts.rows, error, given, requests: world.requests }
  }
}

describe('the requests of a call', () => {
  it('are as many as the documentation of its method says', async () => {
    const world = new World(1)
    for await (const { signature, requests, allowed } of played(world, 10_000)) {
      expect([signature, requests]).toEqual([signature, allowed])
    }
  }, 600_000)

  // A transaction in doubt is settled row by row.
  it('are at most twice as many for each attempt, whatever fails', async () => {
    const world = new World(2)
    world.fault = (isWrite) => {
      if (world.random() > 0.15) return undefined
      const faults: TransportFailure[] = ['no connection', 'lost request', 'lost response']
      return faults[world.below(isWrite ? 3 : 2)]
    }
    let repeated = 0
    for await (const { signature, requests, allowed = 0, rows = allowed } of played(world, 5_000)) {
      expect(requests, signature).toBeLessThanOrEqual(Number(rows) * ATTEMPTS * 2)
      if (requests > allowed) repeated++
    }
    expect(repeated).toBeGreaterThan(0)
  }, 600_000)

  it('never exceed its budget, whatever fails', async () => {
    const world = new World(3)
    world.fault = () => (world.random() < 0.2 ? 'lost response' : undefined)
    let spent = 0
    const options = (): CallOptions => {
      const budget = { requests: 1 + world.below(5) }
      return world.random() < 0.5 ? { budget } : { context: new OperationContext({ budget }) }
    }
    for await (const { signature, requests, given, error } of played(world, 5_000, options)) {
      const { requests: allowed } = given.budget ?? given.context?.budget ?? expect.unreachable()
      expect(requests, signature).toBeLessThanOrEqual(allowed)
      if (error === undefined) continue
      spent++
      expect([error.code, error.requests, requests]).toEqual(['BudgetSpent', allowed, allowed])
    }
    expect(spent).toBeGreaterThan(0)
  }, 600_000)

  it('are within what explain() says, for queries', async () => {
    const world = new World(4)
    await world.rival.create()
    await world.rival.bulk().insert(everyone())
    let exact = 0
    for (let step = 0; step < randomSteps(2_000); step++) {
      const query = anyQuery(world)
      const { least, most = Number.POSITIVE_INFINITY } = query.explain().requests
      world.requests = 0
      await query.toArray()
      expect(world.requests).toBeGreaterThanOrEqual(least)
      expect(world.requests).toBeLessThanOrEqual(most)
      if (least === most) exact++
    }
    expect(exact).toBeGreaterThan(0)
  }, 600_000)
})

function everyone(): Person[] {
  const cities = ['c0', 'c1', 'c2']
  return cities.flatMap((city) => ['0', '2', '4', '5'].map((id) => ({ city, id, age: Number(id) })))
}

/** A query by keys, partitions or ranges, with or without a limit. */
function anyQuery({ people, random }: World) {
  const some = (all: readonly string[]) => anyOf(all.filter(() => random() < 0.5))
  const cities = some(['c0', 'c1', 'c2', 'c/3'])
  const ids = some(['0', '1', '2', '3', '4'])
  const conditions = [
    { city: cities, id: ids },
    { city: 'c1', id: ids },
    { city: 'c1', id: '2' },
    { city: 'c1', id: ge('2') },
    { city: cities },
    { city: 'c1' },
  ]
  const query = people.query().where(conditions[Math.floor(random() * conditions.length)] as never)
  return random() < 0.3 ? query.take(1 + Math.floor(random() * 4)) : query
}
