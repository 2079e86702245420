import { describe, expect, it } from 'vitest'
import {
  BuildLog,
  type BuildRange,
  type BuildRecord,
  buildKey,
  readBuilds,
} from '../../../packages/patterns/src/catalogue/build-log.ts'
import { office } from '../employees.ts'

const record: BuildRecord = {
  id: 'b1',
  indexes: ['email'],
  stamp: 1,
  generations: [0],
  startedAt: 0,
  lastSeenAt: 0,
  next: ':',
  ranges: 0,
  rangesDone: 0,
  rows: 0,
  entries: 0,
  found: 0,
  repaired: 0,
  duplicates: [],
  unreadable: [],
}

const range: BuildRange = {
  build: 'b1',
  number: 1,
  from: ':',
  through: { partitionKey: 'a', rowKey: 'b' },
  owner: 'me',
  endsAt: 5,
}

async function opened(family = '') {
  const { account } = office()
  await account.createTable('rows')
  const table = { service: account.service, name: 'rows' }
  const open = () => new BuildLog(table, buildKey(family, ['email']), {})
  return { table, open, log: open() }
}

describe('BuildLog', () => {
  it('stores a build and its ranges', async () => {
    const { log, open } = await opened()
    const begun = await log.begin(undefined, record)
    if (begun === undefined) throw new Error('not begun')
    const taken = await log.change(begun, { ...record, ranges: 1 }, { put: range })
    expect(taken?.ranges).toEqual([{ ...range, etag: expect.any(String) }])
    expect(await open().read()).toEqual(taken)
    const [stored] = taken?.ranges ?? []
    if (taken === undefined || stored === undefined) throw new Error('not taken')
    const done = await log.change(taken, { ...record, rangesDone: 1 }, { done: stored })
    expect(done?.ranges).toEqual([])
    expect(await open().read()).toEqual(done)
  })

  it('changes nothing at an old version', async () => {
    const { log } = await opened()
    const begun = await log.begin(undefined, record)
    if (begun === undefined) throw new Error('not begun')
    await log.change(begun, { ...record, ranges: 1 }, { put: range })
    const late = await log.change(begun, { ...record, ranges: 1 }, { put: { ...range, number: 2 } })
    expect(late).toBeUndefined()
    expect((await log.read())?.ranges).toHaveLength(1)
  })

  it('begins a build once, and drops the ranges of the build before', async () => {
    const { log } = await opened()
    const begun = await log.begin(undefined, record)
    expect(await log.begin(undefined, record)).toBeUndefined()
    if (begun === undefined) throw new Error('not begun')
    const taken = await log.change(begun, record, { put: range })
    const next = await log.begin(taken, { ...record, id: 'b2' })
    expect(next?.build.id).toBe('b2')
    expect(await log.read()).toMatchObject({ build: { id: 'b2' }, ranges: [] })
  })

  it('keeps the builds of families apart', async () => {
    const { table, log } = await opened('eventual.')
    await log.begin(undefined, record)
    expect(await readBuilds(table, 'eventual.', {})).toHaveLength(1)
    expect(await readBuilds(table, '', {})).toEqual([])
    expect(buildKey('', ['a', 'b'])).toBe(buildKey('', ['b', 'a']))
    expect(buildKey('', ['a', 'b'])).not.toBe(buildKey('', ['a']))
  })
})
