import { defineEntity, key } from '@rowkey/mapper'
import * as patterns from '@rowkey/patterns'
import {
  chunkStore,
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  type ManyWritesOptions,
  memoryQueue,
  periodTables,
  wideEntity,
  worker,
} from '@rowkey/patterns'
import { type CallOptions, noRetry, OperationContext } from '@rowkey/rest'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'

/** A value of each option of a call. The compiler finds a missing one. */
const VALUES: { readonly [Name in keyof Required<CallOptions>]: CallOptions[Name] } = {
  budget: { requests: 1_000 },
  context: new OperationContext(),
  deadline: 60_000,
  exactWrites: true,
  hedgeAfter: undefined,
  idempotencyKey: 'key-1',
  locationMode: 'primaryOnly',
  retry: noRetry,
  signal: new AbortController().signal,
  timeout: 30_000,
}

const { account } = office()
const sales = { department: 'Sales' }
const at = new Date('2026-11-20T09:00:00Z')
const announce = async () => {}
const Employee = defineEmployee()

const byTitle = key`${'lastName'}`
const byName = { partitionKey: key`${'lastName'}`, rowKey: key`${'department'}_${'id:6'}` }
const indexed = declareIndexes(defineEmployee(), {
  byTitle: { rowKey: byTitle, unique: true },
}).on(account)
const eventual = declareIndexes(defineEmployee(), { byName }, { worker: announcedTo().worker }).on(
  account,
)
const summaries = declareSummaries(defineEmployee(), { byTitle: { rowKey: byTitle } }).on(account)
const messages = declareOutbox(defineEmployee(), {
  messages: (): readonly string[] => [],
  ...announcedTo(announce),
}).on(account)
const photos = declareLargeValues(defineEmployee(), {
  property: 'email',
  store: () => chunkStore(account, { table: 'photos' }),
}).on(account)
const copies = declareCopies(defineEmployee(), defineEmployee(), {
  fields: { lastName: 'lastName' },
  source: () => undefined,
  holders: () => [],
  worker: announcedTo().worker,
}).on(account)
const wide = wideEntity(
  Employee,
  defineEntity({
    name: 'photos',
    partitionKey: key`${'department'}`,
    rowKey: key`photo_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), photo: z.string().optional() }),
  }),
).on(account, { name: 'wide' })
const jobs = worker<{ mail: string }>({
  queue: () => memoryQueue('jobs'),
  deadLetters: () => memoryQueue('dead'),
  handlers: { mail: async () => {} },
}).on(account)
const periods = periodTables(Employee, { prefix: 'Logins', period: 'day', at: () => at }).on(
  account,
)

/** One public method, by its class and its name, and how it passes options. */
type Taker<Options> = readonly [name: string, run: (options: Options) => unknown]

/** The calls whose reads ignore a key, or whose one write has it. */
const ANY: readonly Taker<CallOptions>[] = [
  ['IndexedTable.find', (options) => indexed.find('byTitle', { ...sales, lastName: 'x' }, options)],
  ['IndexedTable.copies', (options) => indexed.copies('byTitle', options)],
  ['IndexedTable.state', (options) => indexed.state('byTitle', options)],
  ['Worker.send', (options) => jobs.send('mail', 'x', 0, options)],
  ['HolderTable.state', (options) => copies.state(options)],
  ['SummaryTable.state', (options) => summaries.state('byTitle', options)],
  ['LargeValueTable.save', (options) => photos.save({ ...jones }, new Uint8Array(1), options)],
  ['LargeValueTable.load', (options) => photos.load({ ...jones, email: undefined }, options)],
  ['PeriodTableSet.insert', (options) => periods.insert({ ...jones }, options)],
  ['PeriodTableSet.write', (options) => periods.write(at, announce, options)],
  ['PeriodTableSet.query', (options) => periods.query({ from: at, until: at }, undefined, options)],
  [
    'PeriodTableSet.page',
    (options) => periods.page({ from: at, until: at }, { size: 1 }, undefined, options),
  ],
  ['PeriodTableSet.periods', (options) => periods.periods(options)],
  ['SummaryTable.get', (options) => summaries.get('byTitle', { ...sales, lastName: 'x' }, options)],
  ['SummaryTable.query', (options) => summaries.query('byTitle', sales, options)],
  ['WideTable.insert', (options) => wide.insert({ ...jones }, options)],
  ['WideTable.get', (options) => wide.get(jones, options)],
  ['WideTable.find', (options) => wide.find(jones, options)],
  ['WideTable.query', (options) => wide.query(sales, options)],
  ['WideTable.save', (options) => wide.save({ ...jones }, options)],
  ['WideTable.delete', (options) => wide.delete({ ...jones }, options)],
  ['WideTable.modify', (options) => wide.modify(jones, () => {}, options)],
]

/** The calls that write several times, whose types have no key. */
const KEYLESS: readonly Taker<ManyWritesOptions>[] = [
  ['HolderTable.fill', (options) => copies.fill({ ...jones }, options)],
  ['HolderTable.refresh', (options) => copies.refresh(jones, options)],
  ['HolderTable.build', (options) => copies.build(options)],
  ['HolderTable.verify', (options) => copies.verify(options)],
  ['HolderTable.repair', (options) => copies.repair(options)],
  ['HolderTable.drop', (options) => copies.drop(undefined, options)],
  ['IndexedTable.drain', (options) => eventual.drain(options)],
  ['IndexedTable.refresh', (options) => indexed.refresh(sales, options)],
  ['IndexedTable.build', (options) => indexed.build(options)],
  ['IndexedTable.drop', (options) => indexed.drop('byTitle', options)],
  ['IndexedTable.verify', (options) => indexed.verify(options)],
  ['IndexedTable.repair', (options) => indexed.repair(options)],
  ['LargeValueTable.sweep', (options) => photos.sweep(options)],
  ['OutboxTable.send', (options) => messages.send(sales, 'x', options)],
  ['OutboxTable.pending', (options) => messages.pending(sales, options)],
  ['OutboxTable.deadLetters', (options) => messages.deadLetters(sales, options)],
  ['OutboxTable.retryDead', (options) => messages.retryDead(sales, options)],
  ['OutboxTable.drain', (options) => messages.drain(options)],
  ['Worker.deadLetters', (options) => jobs.deadLetters(options)],
  ['Worker.retryDead', (options) => jobs.retryDead(options)],
  ['PeriodTableSet.dropBefore', (options) => periods.dropBefore(at, options)],
  ['SummaryTable.build', (options) => summaries.build(options)],
  ['SummaryTable.verify', (options) => summaries.verify(options)],
  ['SummaryTable.repair', (options) => summaries.repair(options)],
  ['SummaryTable.drop', (options) => summaries.drop('byTitle', options)],
]

/** The methods that have no options of a call. */
const WITHOUT = [
  'Copies.on',
  'IndexedTable.query',
  'OutboxTable.deliver',
  'OutboxTable.handleAll',
  'Work.announce',
  'Work.on',
  'Work.serve',
  'Worker.depth',
  'Worker.drain',
  'Worker.run',
  'Worker.runOnce',
  'LargeValueTable.stage',
  'PeriodTableSet.tableAt',
]

/** Returns the code of the error of a call. */
async function codeOf(run: () => unknown): Promise<unknown> {
  try {
    const result = await run()
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      for await (const _ of result as AsyncIterable<unknown>) break
    }
    return undefined
  } catch (error) {
    return Object(error).code
  }
}

const keyless = Object.keys(VALUES).filter((name) => name !== 'idempotencyKey')

it.each(ANY)('%s accepts each option of its type', async (_, run) => {
  for (const [name, value] of Object.entries(VALUES)) {
    expect(await codeOf(() => run({ [name]: value })), name).not.toBe('UnknownOption')
  }
})

it.each(KEYLESS)(
  '%s accepts each option of its type, and no key for all its writes',
  async (_, run) => {
    for (const name of keyless) {
      const value = Reflect.get(VALUES, name)
      expect(await codeOf(() => run({ [name]: value })), name).not.toBe('UnknownOption')
    }
    const keyed: object = { idempotencyKey: 'key-1' }
    expect(await codeOf(() => run(keyed))).toBe('UnknownOption')
    expectTypeOf<keyof ManyWritesOptions>().toEqualTypeOf<
      Exclude<keyof CallOptions, 'idempotencyKey'>
    >()
  },
)

it.each(ANY)('%s rejects an invalid value of an option', async (_, run) => {
  const misspelled: object = { timeuot: 1 }
  expect(await codeOf(() => run({ timeout: -1 }))).toBe('InvalidOptionValue')
  expect(await codeOf(() => run(misspelled))).toBe('UnknownOption')
})

it('every public method of a pattern is in one of the lists', () => {
  const methods = Object.values<unknown>(patterns).flatMap((each) => {
    const isClass = typeof each === 'function' && /^class\b/.test(String(each))
    if (!isClass || each.prototype instanceof Error) return []
    return Object.entries(Object.getOwnPropertyDescriptors(each.prototype))
      .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
      .map(([name]) => `${each.name}.${name}`)
  })
  const known = [...ANY, ...KEYLESS].map(([name]) => name).filter((name) => /^[A-Z]/.test(name))
  expect([...known, ...WITHOUT].toSorted()).toEqual(methods.toSorted())
})
