import type { Change } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { type AppendAnomaly, checkListAppend } from './check-list-append.ts'
import { isLinearizable } from './check-register.ts'
import { type ReadRow, type RowClient, rowClient } from './history.ts'
import { ListAppend } from './list-append.ts'
import { type RegisterOperation, Registers } from './registers.ts'

const PATIENCE = 300_000
const SEEDS = [1, 2, 3]

const anomaliesOf = async (seed: number, isExact: boolean, rows?: RowClient) => [
  ...checkListAppend(await new ListAppend(seed, isExact, rows).run(400)),
]

/** Tells whether every register of a run is linearizable. */
async function areLinearizable(seed: number, isExact: boolean, rows?: RowClient): Promise<boolean> {
  const histories = await new Registers(seed, isExact, rows).run(400)
  expect(Math.min(...[...histories.values()].map(({ length }) => length))).toBeGreaterThan(50)
  return [...histories.values()].every(isLinearizable)
}

describe('R-24: clients over a faulty network, with exact writes', () => {
  it.each(SEEDS.slice(0, randomSteps(SEEDS.length)))(
    'append to lists in an order that explains everything they read (seed %i)',
    async (seed) => {
      const history = await new ListAppend(seed, true).run(400)
      expect([...checkListAppend(history)]).toEqual([])
      const endings = history.transactions.map(({ ending }) => ending)
      expect(endings.filter((ending) => ending === 'ok').length).toBeGreaterThan(100)
      expect(endings).toContain('fail')
    },
    PATIENCE,
  )

  longTest.each(SEEDS.slice(0, randomSteps(SEEDS.length)))(
    'read, write, and compare and set linearizable registers (seed %i)',
    async (seed) => {
      expect(await areLinearizable(seed, true)).toBe(true)
    },
    PATIENCE,
  )
})

const cache = new Map<string, ReadRow>()

/** Clients that are broken on purpose, and the anomaly of appends that each shows. */
const broken: readonly (readonly [string, AppendAnomaly, RowClient])[] = [
  [
    'writes whatever is stored',
    'incompatible order',
    {
      ...rowClient,
      write: (service, changes) => rowClient.write(service, changes.map(withoutETag)),
    },
  ],
  [
    'takes every failure for a success',
    'lost append',
    {
      ...rowClient,
      async write(service, changes) {
        await rowClient.write(service, changes)
        return 'ok'
      },
    },
  ],
  [
    'takes every doubt for a failure',
    'aborted read',
    {
      ...rowClient,
      async write(service, changes) {
        const ending = await rowClient.write(service, changes)
        return ending === 'unknown' ? 'fail' : ending
      },
    },
  ],
  [
    'reads from a cache',
    'cycle',
    {
      ...rowClient,
      async read(service, rowKey) {
        const row = cache.get(rowKey) ?? (await rowClient.read(service, rowKey))
        cache.set(rowKey, row)
        return row
      },
    },
  ],
]

function withoutETag(change: Change): Change {
  return { ...change, input: { ...change.input, etag: '*' } }
}

describe('the check of appends', () => {
  longTest.each(broken)(
    'catches a client that %s',
    async (_, anomaly, rows) => {
      cache.clear()
      expect(await anomaliesOf(1, false, rows)).toContain(anomaly)
    },
    PATIENCE,
  )

  it('finds a number that was appended twice, and one that no client appended', () => {
    const transaction = { began: 1, ended: 2, ending: 'ok', reads: new Map() } as const
    const transactions = [{ ...transaction, appends: new Map([['a', 1]]) }]
    const final = new Map([['a', [1, 1, 2]]])
    expect(checkListAppend({ transactions, final })).toEqual(new Set(['applied twice', 'phantom']))
  })
})

describe('the check of registers', () => {
  longTest.each(broken)(
    'catches a client that %s',
    async (_name, _anomaly, rows) => {
      cache.clear()
      expect(await areLinearizable(1, false, rows)).toBe(false)
    },
    PATIENCE,
  )

  longTest(
    'finds upserts without exact writes that were applied again over the write of another client',
    async () => {
      let isFound = false
      for (const seed of SEEDS) isFound ||= !(await areLinearizable(seed, false))
      expect(isFound).toBe(true)
    },
    PATIENCE,
  )

  const read = (value: string, began: number, ended: number): RegisterOperation => ({
    ...{ kind: 'read', value, began, ended },
  })
  const write = (value: string, began: number, ended: number): RegisterOperation => ({
    ...{ kind: 'write', value, began, ended },
  })
  const NEVER = Number.POSITIVE_INFINITY

  it.each([
    ['a read during a write returns the old value', true, [write('1', 1, 4), read('0', 2, 3)]],
    ['a read during a write returns the new value', true, [write('1', 1, 4), read('1', 2, 3)]],
    ['a read after a write returns the old value', false, [write('1', 1, 2), read('0', 3, 4)]],
    [
      'two reads during a write go back in time',
      false,
      [write('1', 1, 6), read('1', 2, 3), read('0', 4, 5)],
    ],
    ['a write in doubt shows late', true, [write('1', 1, NEVER), read('0', 2, 3), read('1', 4, 5)]],
    [
      'a write in doubt shows, and is undone',
      false,
      [write('1', 1, NEVER), read('1', 2, 3), read('0', 4, 5)],
    ],
  ])('decides: %s', (_, expected, history) => {
    expect(isLinearizable(history)).toBe(expected)
  })
})
