import { Account, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  type HttpResponse,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { assert, describe, expect, it, vi } from 'vitest'
import { Customer, customer } from '../customer.ts'

const etagAt = (second: number) => `W/"datetime'2026-11-20T12%3A00%3A0${second}.1234567Z'"`

/** The responses to requests, in the order of the requests; the test says when each arrives. */
interface Responses {
  readonly bodies: string[]
  /** The ETags of the requests; the body of a batch. */
  readonly conditions: (string | undefined)[]
  /** Answers a batch of one change. */
  batch(request: number, etag: string): Promise<void>
  stored(request: number, etag: string): Promise<void>
  refused(request: number): Promise<void>
  lost(request: number): Promise<void>
}

/** A request that has no response yet. */
interface Waiting {
  resolve(response: HttpResponse): void
  reject(error: unknown): void
}

/** Lets the objects know of the responses; no clock is involved. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function respondedByHand(): { account: Account; responses: Responses } {
  const waiting: Waiting[] = []
  const bodies: string[] = []
  const conditions: (string | undefined)[] = []
  const transport: Transport = ({ path, headers, body }) => {
    bodies.push(String(body))
    conditions.push(path.includes('$batch') ? String(body) : headers['if-match'])
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
  /** The code that sends is loaded with the first write, so a request may need many turns. */
  const at = async (request: number): Promise<Waiting> => {
    for (let turn = 0; turn < 100_000 && waiting[request] === undefined; turn++) await settled()
    return waiting[request] ?? assert.fail(`request ${request} was not sent`)
  }
  const connectionString = 'AccountName=contoso;AccountKey=c2VjcmV0'
  const service = tableService({ connectionString, transport, retry: noRetry })
  const failed = '{"odata.error":{"code":"UpdateConditionNotSatisfied"}}'
  return {
    account: new Account(service),
    responses: {
      bodies,
      conditions,
      async batch(request, etag) {
        const waiting = await at(request)
        waiting.resolve({
          status: 202,
          headers: { 'content-type': 'multipart/mixed; boundary=b' },
          body: [
            '--b',
            'Content-Type: multipart/mixed; boundary=c',
            '',
            '--c',
            'Content-Type: application/http',
            'Content-Transfer-Encoding: binary',
            '',
            'HTTP/1.1 204 No Content',
            `ETag: ${etag}`,
            '',
            '',
            '--c--',
            '--b--',
            '',
          ].join('\r\n'),
        })
        await settled()
      },
      async stored(request, etag) {
        const waiting = await at(request)
        waiting.resolve({ status: 204, headers: { etag }, body: '' })
        await settled()
      },
      async refused(request) {
        const waiting = await at(request)
        waiting.resolve({ status: 412, headers: {}, body: failed })
        await settled()
      },
      async lost(request) {
        const error = new TransportError({ message: 'lost', mayHaveApplied: true })
        const waiting = await at(request)
        waiting.reject(error)
        await settled()
      },
    },
  }
}

/** One object, of a class or of none, with two numbers. */
interface Shown {
  etag?: string
}

interface Kind {
  readonly account: Account
  readonly table: Table<object>
  readonly responses: Responses
  /** The body of a request. */
  bodies(request: number): unknown
  readonly row: Shown
  set(name: 'age' | 'rating', value: number): void
}

const bodiesOf =
  ({ bodies }: Responses) =>
  (request: number): unknown =>
    JSON.parse(bodies[request] ?? '{}')

const kinds = {
  'a mapped class': async (): Promise<Kind> => {
    const { account, responses } = respondedByHand()
    const table = account.table(Customer)
    const row = customer('Smith', 'Jeff', { age: 1, rating: 1.5 })
    const set: Kind['set'] = (name, value) => void Object.assign(row, { [name]: value })
    return { account, table, responses, row, set, bodies: bodiesOf(responses) }
  },
  'a dynamic entity': async (): Promise<Kind> => {
    const { account, responses } = respondedByHand()
    const table = account.table('people')
    const row = new DynamicEntity('Smith', 'Jeff', { age: 1, rating: 1.5 })
    const set: Kind['set'] = (name, value) => void row.set(name, value)
    return { account, table, responses, row, set, bodies: bodiesOf(responses) }
  },
} as const

/** An object that is stored as it is, and known to be. */
async function storedRow(make: () => Promise<Kind>): Promise<Kind> {
  const kind = await make()
  const inserted = kind.table.insert(kind.row)
  await kind.responses.stored(0, etagAt(0))
  await inserted
  return kind
}

describe.each(Object.entries(kinds))(
  'writes of one object, %s, that are not awaited',
  (_, make) => {
    const failed = (write: Promise<unknown>) => write.catch((error: unknown) => error)

    it.each(['merge', 'replace'] as const)(
      'run in turn, so that two calls of %s by the ETag of the object both succeed',
      async (how) => {
        const { table, responses, row, set, bodies } = await storedRow(make)
        set('age', 2)
        const one = table[how](row)
        set('age', 3)
        const two = table[how](row)
        set('age', 4)
        await responses.stored(1, etagAt(1))
        await one
        expect(bodies(2)).toMatchObject({ age: 3 })
        expect(responses.conditions.slice(1)).toEqual([etagAt(0), etagAt(1)])
        await responses.stored(2, etagAt(2))
        await two
        expect(row.etag).toBe(etagAt(2))
        void table.merge(row)
        await settled()
        expect(bodies(3)).toMatchObject({ age: 4 })
        expect(responses.conditions[3]).toBe(etagAt(2))
      },
    )

    it('let a merge and a delete follow the insert that makes the row', async () => {
      const { table, responses, row, set } = await make()
      const writes = [table.insert(row)]
      set('age', 2)
      writes.push(table.merge(row))
      const deleted = table.delete(row)
      await responses.stored(0, etagAt(0))
      await responses.stored(1, etagAt(1))
      await responses.stored(2, etagAt(2))
      await Promise.all([...writes, deleted])
      expect(responses.conditions).toEqual([undefined, etagAt(0), etagAt(1)])
    })

    it('after an insert that failed have no ETag', async () => {
      const { table, responses, row } = await make()
      const [inserted, merged] = [failed(table.insert(row)), failed(table.merge(row))]
      await responses.refused(0)
      expect(await inserted).toMatchObject({ status: 412 })
      expect(await merged).toMatchObject({ code: 'MissingETag' })
      expect(responses.conditions).toHaveLength(1)
    })

    it('send what an earlier one failed to store', async () => {
      const { table, responses, row, set, bodies } = await storedRow(make)
      set('age', 2)
      const refused = failed(table.merge(row))
      set('rating', 2.5)
      const stored = table.merge(row)
      await responses.refused(1)
      expect(await refused).toMatchObject({ status: 412 })
      expect(bodies(2)).toMatchObject({ age: 2, rating: 2.5 })
      expect(responses.conditions[2]).toBe(etagAt(0))
      await responses.stored(2, etagAt(2))
      await stored
      expect(await table.merge(row)).toBe(row)
      expect(responses.conditions).toHaveLength(3)
    })

    it('send again what one sent whose response was lost', async () => {
      const { table, responses, row, set, bodies } = await storedRow(make)
      set('age', 2)
      const lost = failed(table.merge(row, { etag: '*' }))
      set('rating', 2.5)
      const stored = table.merge(row, { etag: '*' })
      await responses.lost(1)
      expect(await lost).toMatchObject({ mayHaveApplied: true })
      expect(bodies(2)).toMatchObject({ age: 2, rating: 2.5 })
      await responses.stored(2, etagAt(2))
      await stored
      expect(await table.merge(row)).toBe(row)
    })

    it('use the ETag that the caller gives, whatever an earlier one left', async () => {
      const { table, responses, row, set } = await storedRow(make)
      set('age', 2)
      const one = table.merge(row)
      const two = failed(table.merge(row, { etag: etagAt(0) }))
      await responses.stored(1, etagAt(1))
      await one
      await responses.refused(2)
      expect(await two).toMatchObject({ status: 412 })
      expect(responses.conditions.slice(1)).toEqual([etagAt(0), etagAt(0)])
    })

    it('wait for those of batches, and batches for them', async () => {
      const { table, responses, row, set } = await storedRow(make)
      set('age', 2)
      const batch = table.batch().merge(row).submit()
      set('age', 3)
      const merged = table.merge(row)
      set('age', 4)
      const last = table.batch().merge(row).submit()
      await responses.batch(1, etagAt(1))
      await batch
      await responses.stored(2, etagAt(2))
      await merged
      await responses.batch(3, etagAt(3))
      await last
      expect(row.etag).toBe(etagAt(3))
    })

    it('by a batch that was made before a later write have the ETag of then', async () => {
      const { table, responses, row, set } = await storedRow(make)
      set('age', 2)
      const batch = table.batch().replace(row)
      set('age', 3)
      const merged = table.merge(row)
      await responses.stored(1, etagAt(1))
      await merged
      const submitted = failed(batch.submit())
      await vi.waitUntil(() => responses.conditions.length === 3)
      expect(responses.conditions[2]).toContain(etagAt(0))
      await responses.refused(2)
      await submitted
    })

    it('stop waiting by their own signal and deadline, and then send nothing', async () => {
      const { table, responses, row, set } = await storedRow(make)
      set('age', 2)
      const one = table.merge(row)
      const controller = new AbortController()
      const two = failed(table.merge(row, { signal: controller.signal }))
      const late = failed(table.merge(row, { deadline: 5 }))
      const next = table.merge(row)
      controller.abort()
      expect(await two).toMatchObject({ name: 'AbortError', mayHaveApplied: false })
      expect(await late).toMatchObject({ code: 'DeadlineExceeded', mayHaveApplied: false })
      expect(responses.conditions).toHaveLength(2)
      await responses.stored(1, etagAt(1))
      await responses.stored(2, etagAt(2))
      await Promise.all([one, next])
      expect(row.etag).toBe(etagAt(2))
    })

    it('are pending, so that closing with drain waits for all of them', async () => {
      const { account, table, responses, row, set } = await storedRow(make)
      set('age', 2)
      const writes = [table.merge(row), table.merge(row)]
      const closed = account.close({ drain: true })
      await responses.stored(1, etagAt(1))
      await responses.stored(2, etagAt(2))
      await Promise.all([...writes, closed])
      expect(row.etag).toBe(etagAt(2))
    })
  },
)

describe.each(Object.entries(kinds))('a delete of %s', (_, make) => {
  it.each(['lost', 'stored'] as const)(
    'whose response is %s lets the next merge ask the service, with the same ETag',
    async (end) => {
      const kind = await storedRow(make)
      const { table, responses, row } = kind
      const gone = table.delete(row).catch((error: unknown) => error)
      await (end === 'lost' ? responses.lost(1) : responses.stored(1, etagAt(1)))
      if (end === 'lost') expect(await gone).toMatchObject({ mayHaveApplied: true })
      else expect(await gone).toBeUndefined()
      expect(row.etag).toBe(etagAt(0))
      void table.merge(row)
      await settled()
      expect(responses.bodies).toHaveLength(3)
    },
  )

  it('that was refused changes nothing', async () => {
    const { table, responses, row } = await storedRow(make)
    const kept = table.delete(row)
    const refusal = expect(kept).rejects.toThrow('412')
    await responses.refused(1)
    await refusal
    expect(await table.merge(row)).toBe(row)
    expect([responses.bodies.length, row.etag]).toEqual([2, etagAt(0)])
  })
})
