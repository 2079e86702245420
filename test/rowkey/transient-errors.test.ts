import { type LocalTableService, localTableService, manualClock } from '@rowkey/local'
import type { HttpRequest } from '@rowkey/rest'
import { type Account, connect, DynamicEntity } from 'rowkey'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let local: LocalTableService
let account: Account
let sent: HttpRequest[]

beforeEach(async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  local = localTableService({ now: clock.now, pause: clock.sleep })
  sent = []
  account = connect(local.connectionString(), {
    transport: (request, limits) => {
      sent.push(request)
      return local.transport(request, limits)
    },
    now: clock.now,
    sleep: clock.sleep,
  })
  const people = account.table('people')
  await people.create()
  await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 44 }))
  sent = []
})

afterEach(() => account.close())

const ann = () => new DynamicEntity('Smith', 'Ann', { age: 30 })
const jeff = () => account.table('people').get(['Smith', 'Jeff'])

const smiths = () => account.table('people').query().where({ partitionKey: 'Smith' }).toArray()

async function listed(): Promise<readonly unknown[]> {
  const tables = []
  for await (const table of account.tables()) tables.push(table)
  return tables
}

/** A call for each kind of request that Rowkey sends. */
const CALLS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['create a table', () => account.table('orders').create()],
  ['delete a table', () => account.table('people').drop()],
  ['list tables', () => listed()],
  ['get', () => jeff()],
  ['query', () => smiths()],
  ['insert', () => account.table('people').insert(ann())],
  ['insertOrReplace', () => account.table('people').insertOrReplace(ann())],
  ['insertOrMerge', () => account.table('people').insertOrMerge(ann())],
  ['batch', () => account.table('people').batch().insert(ann()).submit()],
]

describe('a transient error', () => {
  it.each(CALLS)('R-116: is retried: %s', async (_name, call) => {
    const busy = local.faults.add({ nth: 1, fault: { kind: 'rejection', code: 'ServerBusy' } })
    await call()
    expect(busy.fired).toBe(1)
    expect(sent.length).toBeGreaterThan(1)
  })
})

describe('a conditional write', () => {
  it('R-108: sends its ETag in If-Match, and no request has another condition', async () => {
    const people = account.table('people')
    const read = await jeff()
    read.set('age', 45)
    await people.merge(read)
    await people.replace(read)
    await people.delete(read)
    await people.insertOrReplace(ann())
    await people.delete(['Smith', 'Ann'], { etag: '*' })
    const conditions = sent.filter(({ headers }) => headers['if-match'] !== undefined)
    expect(conditions.map(({ method }) => method)).toEqual(['PATCH', 'PUT', 'DELETE', 'DELETE'])
    expect(conditions.at(-1)?.headers['if-match']).toBe('*')
    expect(sent.flatMap(({ headers }) => Object.keys(headers))).not.toContain('if-none-match')
  })
})
