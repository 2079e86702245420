import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, isBatch, jones, type Office, office } from '../employees.ts'
import { grown } from '../indexes/grown-staff.ts'

const isCatalogue = ({ path, body }: HttpRequest): boolean =>
  `${path} ${body}`.includes('~rk~cat~') || `${path} ${body}`.includes('~rk~cat%7E')

/** The kept rows of a name, as they are stored. */
async function rowsOf({ account }: Pick<Office, 'account'>, name: string) {
  const all = await account.table('employees').query().allowTableScan().toArray()
  return all.filter(({ rowKey }) => rowKey.includes(`~${name}.`))
}

describe('drop', () => {
  it('writers keep an index until no reader trusts it', async () => {
    const { indexed, indexes, Employee, rival, opened } = await grown(1)
    await indexed.build()
    const reader = indexes.on(rival())
    const writer = rival()
    const email = 'late@contoso.com'
    const find = () => reader.find('email', { department: 'Sales', email })
    await find()
    let found: unknown
    const dropping = opened.over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (found === undefined && isBatch(request) && isCatalogue(request)) {
        await writer.table(Employee).insert({ ...jones, id: 8, email })
        found = await find()
      }
      return response
    })
    await indexes.on(dropping).drop('email')
    expect(found).toMatchObject({ id: 8 })
  })

  it('another program reads by the index as soon as it is built', async () => {
    const { indexed, indexes, rival, opened } = await grown(1)
    const there = indexes.on(rival())
    const find = () => there.find('email', { department: 'Sales', email: '1@contoso.com' })
    let early: unknown
    opened.between(
      (request) => isCatalogue(request) && String(request.body).includes('readable'),
      async () => {
        early = await find().catch(({ code }: { code: string }) => code)
      },
    )
    await indexed.build()
    expect(early).toBe('NotReadable')
    expect(await find()).toMatchObject({ id: 1 })
  })

  it('another program uses a state for one lease at most', async () => {
    const { indexed, indexes, Employee, rival, opened } = await grown(1)
    await indexed.build()
    const other = rival()
    await other.table(Employee).insert({ ...jones, id: 5, email: '5@contoso.com' })
    await indexed.drop('email')
    await other.table(Employee).insert({ ...jones, id: 6, email: '6@contoso.com' })
    expect(await rowsOf(opened, 'email')).toEqual([])
    expect(await indexes.on(other).state('email')).toBe('dropped')
  })
})

describe('the lease of what a program has read', () => {
  /** A program whose inserts tell whether they read the catalogue first. */
  async function writing() {
    const made = await grown(1)
    const { opened, Employee } = made
    let reads = 0
    let delay = 0
    const account = opened.over((service) => async (request, limits) => {
      if (request.method === 'GET' && isCatalogue(request)) {
        reads++
        opened.now += delay
      }
      return service(request, limits)
    })
    let id = 10
    const looks = async (pause = 0) => {
      delay = pause
      reads = 0
      await account.table(Employee).insert({ ...jones, id: ++id, email: `${id}@contoso.com` })
      return reads > 0
    }
    return { ...made, looks }
  }

  it('begins before the read, however long that takes', async () => {
    const { looks, opened } = await writing()
    expect(await looks(9_000)).toBe(true)
    expect(await looks()).toBe(false)
    opened.now += 1_000
    expect(await looks()).toBe(true)
  })

  it('ends when the clock is set back', async () => {
    const { looks, opened } = await writing()
    expect(await looks()).toBe(true)
    opened.now -= 1
    expect(await looks()).toBe(true)
  })

  it('ends with a declaration, which may have another lease', async () => {
    const { looks, Employee } = await writing()
    expect(await looks()).toBe(true)
    declareSummaries(Employee, { all: { rowKey: key`all` } }, { lease: 1_000 })
    expect(await looks()).toBe(true)
    expect(await looks()).toBe(false)
  })
})

describe('a table without rows', () => {
  const lastName = { rowKey: key`${'lastName'}_${'id:6'}` }

  it('has what the first of two programs declares that start at once', async () => {
    const { account, rival, between } = office()
    await account.table(defineEmployee()).create()
    const [first, second] = [account, rival()].map((each) =>
      declareIndexes(defineEmployee(), { lastName }).on(each),
    )
    let other: unknown
    between(
      (request) => isBatch(request) && isCatalogue(request),
      async () => {
        other = await second?.state('lastName')
      },
    )
    expect(await first?.state('lastName')).toBe('readable')
    expect(other).toBe('readable')
  })

  it('may have the catalogue of another model', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    await account.table(Employee).create()
    await declareIndexes(Employee, { lastName }).on(account).state('lastName')
    const Note = defineEntity({
      name: 'employees',
      partitionKey: key`${'team'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ team: z.string(), id: z.string(), text: z.string() }),
    })
    const notes = declareIndexes(Note, { text: { rowKey: key`${'text'}_${'id'}` } }).on(account)
    expect(await notes.state('text')).toBe('readable')
  })

  it('has the state that its first program saw, also when a request arrives late', async () => {
    const opened = office()
    const old = opened.account.table(defineEmployee())
    await old.create()
    let deliver: (() => Promise<unknown>) | undefined
    let isFilled = false
    const losing = opened.over((service) => async (request, limits) => {
      if (deliver !== undefined && !isFilled) {
        isFilled = true
        await old.insert(jones)
      }
      if (deliver !== undefined || !isBatch(request)) return service(request, limits)
      deliver = () => service(request, limits)
      throw new Error('lost')
    })
    const indexed = declareIndexes(defineEmployee(), { lastName }).on(losing)
    opened.asleep(async () => deliver?.())
    const seen = await indexed.state('lastName')
    await deliver?.()
    expect(await indexed.state('lastName')).toBe(seen)
  })
})
