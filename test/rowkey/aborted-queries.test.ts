import { localTableService } from '@rowkey/local'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import {
  type Account,
  anyOf,
  connect,
  DynamicEntity,
  SharedKeyCredential,
  type Table,
  type Transport,
} from 'rowkey'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let account: Account
let people: Table<DynamicEntity>
let sent: string[]
let controller: AbortController
/** Receives each request before it is sent. */
let onRequest: (number: number) => void

const aborted = { name: 'AbortError', cause: 'enough', mayHaveApplied: false }

beforeEach(async () => {
  const local = localTableService()
  const transport: Transport = (request, limits) => {
    sent.push(request.method)
    onRequest(sent.length)
    return local.transport(request, limits)
  }
  sent = []
  onRequest = () => {}
  controller = new AbortController()
  account = connect({
    endpoint: `http://127.0.0.1:10002/${DEVELOPMENT_ACCOUNT}`,
    credential: new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }),
    transport,
  })
  people = account.table('people')
  await people.create()
  for (const rowKey of ['a', 'b', 'c', 'd']) await people.insert(new DynamicEntity('p', rowKey))
  sent = []
})

afterEach(() => account.close())

const pairs = (prefetch: boolean) =>
  people.query().where({ partitionKey: 'p' }).pageSize(2).prefetch(prefetch)

describe.each([false, true])('a query with .prefetch(%s)', (prefetch) => {
  it('ends with an AbortError when the signal aborts during a page', async () => {
    onRequest = (number) => {
      if (number === 2) controller.abort('enough')
    }
    const reading = pairs(prefetch).toArray({ signal: controller.signal })
    await expect(reading).rejects.toMatchObject(aborted)
    expect(sent).toHaveLength(2)
  })

  it('ends with an AbortError when the signal aborts between two pages, and sends nothing more', async () => {
    const pages = pairs(prefetch).byPage({ signal: controller.signal })
    expect((await pages.next()).value?.items).toHaveLength(2)
    controller.abort('enough')
    const sentBefore = sent.length
    await expect(pages.next()).rejects.toMatchObject(aborted)
    expect(sent).toHaveLength(sentBefore)
  })
})

it('a query ends with an AbortError when the signal aborts after the next page was prefetched', async () => {
  const pages = pairs(true).byPage({ signal: controller.signal })
  await pages.next()
  await people.find(['p', 'a'])
  controller.abort('enough')
  await expect(pages.next()).rejects.toMatchObject(aborted)
  expect(sent).toHaveLength(3)
})

it('forEach ends with an AbortError, although rows of the last page are left', async () => {
  const seen: string[] = []
  const query = people.query().where({ partitionKey: 'p' })
  const handling = query.forEach(
    async ({ rowKey }, signal) => {
      seen.push(rowKey)
      if (rowKey === 'b') controller.abort('enough')
      seen.push(`${rowKey} ${signal.aborted}`)
    },
    { signal: controller.signal, concurrency: 1 },
  )
  await expect(handling).rejects.toMatchObject(aborted)
  expect(seen).toEqual(['a', 'a false', 'b', 'b true'])
  expect(sent).toHaveLength(1)
})

it('parallel queries and lists of keys end with an AbortError', async () => {
  const both = people.query().inPartitions(['p', 'q'], { order: 'keys' })
  const named = people.query().where({ partitionKey: 'p', rowKey: anyOf(['a', 'b', 'c']) })
  for (const query of [both, named]) {
    controller = new AbortController()
    const handling = query.forEach(async () => controller.abort('enough'), {
      signal: controller.signal,
      concurrency: 1,
    })
    await expect(handling).rejects.toMatchObject(aborted)
  }
})

it('getMany ends with an AbortError', async () => {
  onRequest = (number) => {
    if (number === 2) controller.abort('enough')
  }
  const keys = ['a', 'b', 'c', 'd'].map((rowKey): [string, string] => ['p', rowKey])
  await expect(
    people.getMany(keys, { signal: controller.signal, concurrency: 1 }),
  ).rejects.toMatchObject(aborted)
  expect(sent).toHaveLength(2)
})
