import { Account, ProjectedEntityError, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  type HttpResponse,
  MissingETagError,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { assert, describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'

const etagAt = (second: number) => `W/"datetime'2026-11-20T12%3A00%3A0${second}.1234567Z'"`

/** The answers to requests, in the order of the requests; each is given when the test says so. */
interface Answers {
  readonly bodies: string[]
  stored(request: number, etag: string): Promise<void>
  refused(request: number): Promise<void>
  lost(request: number): Promise<void>
}

/** A request that has no answer yet. */
interface Waiting {
  resolve(response: HttpResponse): void
  reject(error: unknown): void
}

/** Lets what has been answered be heard of; no clock is involved. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function answeredByHand(): { account: Account; answers: Answers } {
  const waiting: Waiting[] = []
  const bodies: string[] = []
  const transport: Transport = ({ body }) => {
    bodies.push(String(body))
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
  const at = (request: number) => waiting[request] ?? assert.fail(`request ${request} was not sent`)
  const connectionString = 'AccountName=contoso;AccountKey=c2VjcmV0'
  const service = tableService({ connectionString, transport, retry: noRetry })
  const failed = '{"odata.error":{"code":"UpdateConditionNotSatisfied"}}'
  return {
    account: new Account(service),
    answers: {
      bodies,
      async stored(request, etag) {
        await settled()
        at(request).resolve({ status: 204, headers: { etag }, body: '' })
        await settled()
      },
      async refused(request) {
        await settled()
        at(request).resolve({ status: 412, headers: {}, body: failed })
        await settled()
      },
      async lost(request) {
        await settled()
        const error = new TransportError({ message: 'lost', mayHaveApplied: true })
        at(request).reject(error)
        await settled()
      },
    },
  }
}

/** One object, of a class or of none, with two numbers. */
interface Row {
  etag?: string
}

interface Kind {
  readonly table: Table<object>
  readonly answers: Answers
  readonly row: Row
  set(name: 'age' | 'rating', value: number): void
}

const kinds = {
  'a mapped class': async (): Promise<Kind> => {
    const { account, answers } = answeredByHand()
    const table = account.table(Customer)
    const row = customer('Smith', 'Jeff', { age: 1, rating: 1.5 })
    return { table, answers, row, set: (name, value) => void Object.assign(row, { [name]: value }) }
  },
  'an entity of no class': async (): Promise<Kind> => {
    const { account, answers } = answeredByHand()
    const table = account.table('people')
    const row = new DynamicEntity('Smith', 'Jeff', { age: 1, rating: 1.5 })
    return { table, answers, row, set: (name, value) => void row.set(name, value) }
  },
} as const

/** An object that is stored as it is, and known to be. */
async function storedRow(make: () => Promise<Kind>): Promise<Kind> {
  const kind = await make()
  const inserted = kind.table.insert(kind.row)
  await kind.answers.stored(0, etagAt(0))
  await inserted
  return kind
}

/** What was sent last. */
async function sentBy({ answers }: Kind): Promise<unknown> {
  await settled()
  return JSON.parse(answers.bodies.at(-1) ?? '{}')
}

describe.each(Object.entries(kinds))('overlapping writes of %s', (_, make) => {
  it.each(['merge', 'replace', 'insertOrMerge', 'insertOrReplace'] as const)(
    'leave the ETag of what was stored last, whichever %s is answered first',
    async (how) => {
      for (const [first, second] of [
        [1, 2],
        [2, 1],
      ] as const) {
        const kind = await storedRow(make)
        const { table, answers, row, set } = kind
        const options = how === 'merge' || how === 'replace' ? { etag: '*' } : {}
        set('age', 2)
        const one = table[how](row, options)
        set('age', 3)
        const two = table[how](row, options)
        await answers.stored(first, etagAt(first))
        await answers.stored(second, etagAt(second))
        await Promise.all([one, two])
        expect(row.etag).toBe(etagAt(2))
        // 3 is what the second has sent; yet it may have been the first to be stored.
        void table.merge(row)
        expect(await sentBy(kind)).toMatchObject({ age: 3, rating: 1.5 })
      }
    },
  )

  it('leave no member out of a merge that is made while another is under way', async () => {
    const kind = await storedRow(make)
    const { table, answers, row, set } = kind
    set('age', 2)
    void table.merge(row, { etag: '*' })
    set('age', 1)
    set('rating', 2.5)
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toMatchObject({ age: 1, rating: 2.5 })
    await answers.stored(2, etagAt(2))
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toMatchObject({ age: 1, rating: 2.5 })
  })

  it('leave no ETag where none says when it was stored', async () => {
    const { table, answers, row, set } = await storedRow(make)
    set('age', 2)
    const writes = [table.insertOrMerge(row), table.insertOrMerge(row)]
    await answers.stored(2, 'W/"b"')
    await answers.stored(1, 'W/"a"')
    await Promise.all(writes)
    expect(row.etag).toBeUndefined()
    await expect(table.merge(row)).rejects.toThrow(MissingETagError)
  })

  it('count only when they were applied', async () => {
    const kind = await storedRow(make)
    const { table, answers, row, set } = kind
    set('age', 2)
    const refused = table.merge(row)
    set('rating', 2.5)
    const stored = table.replace(row)
    const refusal = expect(refused).rejects.toThrow('412')
    await answers.refused(1)
    await refusal
    await answers.stored(2, etagAt(2))
    await stored
    expect(row.etag).toBe(etagAt(2))
    expect(await table.merge(row)).toBe(row)
    expect(answers.bodies).toHaveLength(3)
  })

  it('leave what is stored in doubt when one of them may have been applied', async () => {
    const kind = await storedRow(make)
    const { table, answers, row, set } = kind
    set('age', 2)
    const lost = table.merge(row, { etag: '*' })
    set('rating', 2.5)
    const stored = table.merge(row, { etag: '*' })
    const loss = expect(lost).rejects.toMatchObject({ mayHaveApplied: true })
    await answers.lost(1)
    await loss
    await answers.stored(2, etagAt(2))
    await stored
    expect(row.etag).toBe(etagAt(2))
    void table.merge(row)
    expect(await sentBy(kind)).toMatchObject({ age: 2, rating: 2.5 })
  })

  it('do not doubt each other when one ends before the next begins', async () => {
    const kind = await storedRow(make)
    const { table, answers, row, set } = kind
    for (const turn of [1, 2]) {
      set('age', turn + 1)
      const write = table.merge(row)
      await answers.stored(turn, etagAt(turn))
      await write
      expect(await sentBy(kind)).not.toHaveProperty('rating')
    }
    expect(row.etag).toBe(etagAt(2))
  })

  it('are those of batches, too', async () => {
    const kind = await storedRow(make)
    const { table, answers, row, set } = kind
    set('age', 2)
    const lost = table.batch().merge(row, { etag: '*' }).submit()
    set('age', 1)
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toMatchObject({ age: 1, rating: 1.5 })
    const loss = expect(lost).rejects.toMatchObject({ mayHaveApplied: true })
    await answers.lost(1)
    await loss
  })
})

describe.each(Object.entries(kinds))('a delete of %s', (_, make) => {
  it('that is in doubt leaves what is stored in doubt', async () => {
    const kind = await storedRow(make)
    const { table, answers, row } = kind
    const gone = table.delete(row)
    const loss = expect(gone).rejects.toMatchObject({ mayHaveApplied: true })
    await answers.lost(1)
    await loss
    void table.merge(row)
    expect(await sentBy(kind)).toMatchObject({ age: 1, rating: 1.5 })
  })

  it('that was done leaves nothing out of a merge that comes after', async () => {
    const kind = await storedRow(make)
    const { table, answers, row } = kind
    const gone = table.delete(row)
    await answers.stored(1, etagAt(1))
    await gone
    expect(row.etag).toBe(etagAt(0))
    void table.merge(row)
    expect(await sentBy(kind)).toMatchObject({ age: 1, rating: 1.5 })
  })

  it('that was refused changes nothing', async () => {
    const { table, answers, row } = await storedRow(make)
    const kept = table.delete(row)
    const refusal = expect(kept).rejects.toThrow('412')
    await answers.refused(1)
    await refusal
    expect(await table.merge(row)).toBe(row)
    expect([answers.bodies.length, row.etag]).toEqual([2, etagAt(0)])
  })
})

describe('a replace after overlapping merges', () => {
  /** Two merges, of which the second goes by an ETag or by none, and both are stored or one is not. */
  async function merged(options: { etag?: string }, ends: 'stored' | 'refused') {
    const kind = await storedRow(kinds['a mapped class'])
    const { table, answers, row, set } = kind
    set('age', 2)
    const one = table.merge(row)
    set('age', 3)
    const two = table.merge(row, options).catch(() => row)
    await answers.stored(1, etagAt(1))
    await (ends === 'stored' ? answers.stored(2, etagAt(2)) : answers.refused(2))
    await Promise.all([one, two])
    return kind
  }

  it('is refused when one of them went past what others stored', async () => {
    const { table, row } = await merged({ etag: '*' }, 'stored')
    await expect(table.replace(row)).rejects.toThrow(ProjectedEntityError)
  })

  it('is sent when the one that was stored went by the ETag of what was known', async () => {
    const kind = await merged({}, 'refused')
    void kind.table.replace(kind.row)
    expect(await sentBy(kind)).toMatchObject({ age: 3, rating: 1.5 })
  })
})
