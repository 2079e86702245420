import { localTableService } from '@rowkey/local'
import {
  Account,
  type Converter,
  converted,
  defineEntity,
  key,
  Operation,
  union,
} from '@rowkey/mapper'
import { DynamicEntity, rawFilter } from '@rowkey/odata'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { anyOf, gt, startsWith } from '@rowkey/query'
import { type LocationMode, noRetry, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay } from '../../support/cases-to-play.ts'
import { defineEmployee, jones, office, randomOf } from '../employees.ts'
import { sales, staff } from './queried-staff.ts'

describe('a query with an equality on the properties of an index', () => {
  it('R-146: reads by the index: its entries, then each entity', async () => {
    const { employees, sent } = await staff()
    const found = await employees
      .query()
      .where({ ...sales, email: '7@x' })
      .toArray()
    expect(found).toMatchObject([{ id: 7, email: '7@x' }])
    expect(sent.map(({ path }) => decodeURIComponent(path).split('/').at(-1))).toEqual([
      expect.stringMatching(
        /^employees\(PartitionKey='Sales',RowKey='~rk~ix~empid_~email\.[0-9a-f]{8}~7@x'\)$/,
      ),
      "employees(PartitionKey='Sales',RowKey='empid_000007')",
    ])
  })

  it('gives the rows of the scan, in its order', async () => {
    const { employees, plain } = await staff()
    const where = { ...sales, lastName: 'Jones' }
    const found = await employees.query().where(where).toArray()
    expect(found.map(({ id }) => id)).toEqual([3, 6, 9, 12])
    expect(found).toEqual(await plain.query().where(where).toArray())
  })

  it('a query with several keys leaves out what is kept under them', async () => {
    const { account } = office()
    const Person = defineEntity({
      name: 'people',
      partitionKey: key`${'team'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ team: z.string(), id: z.string(), mail: z.string().optional() }),
    })
    declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const people = account.table(Person)
    await people.create()
    await people.insert({ team: 'a', id: '1', mail: 'x' })
    const both = people.query().where({ team: 'a', id: anyOf(['1', '~rk~cat~~']) })
    expect(both.explain().pointReads).toHaveLength(2)
    expect(await both.toArray()).toEqual([{ team: 'a', id: '1', mail: 'x' }])
    expect(await both.select('mail').toArray()).toMatchObject([{ mail: 'x' }])
    expect(await both.count()).toBe(1)
  })

  it('finds the rows that do not store a default, by entries of what reads show', async () => {
    const { account, rival } = office()
    const define = () =>
      defineEntity({
        name: 'tasks',
        partitionKey: key`${'team'}`,
        rowKey: key`t_${'id'}`,
        schema: z.object({ team: z.string(), id: z.string(), state: z.string().default('open') }),
      })
    const Task = define()
    const indexes = declareIndexes(Task, { state: { rowKey: key`${'state'}_${'id'}` } })
    const tasks = account.table(Task)
    await tasks.create()
    await account.table('tasks').insert(new DynamicEntity('a', 't_1'))
    await rival().table(define()).insert({ team: 'a', id: '2', state: 'sent' })
    await rival().table(define()).insert({ team: 'a', id: '3', state: 'open' })
    const indexed = indexes.on(account)
    await indexed.build()
    for (const state of ['open', 'sent']) {
      const query = tasks.query().where({ team: 'a', state })
      expect(query.explain().index).toBe('state')
      const expected = await rival().table(define()).query().where({ team: 'a', state }).toArray()
      expect(await query.toArray()).toEqual(expected)
      expect(expected).toHaveLength(state === 'open' ? 2 : 1)
      expect(await indexed.query('state', { team: 'a', state }).toArray()).toEqual(expected)
    }
    // The caller's own text asks for what is stored.
    const other = tasks.query().where({ team: 'a' }).where(rawFilter("not (state ne 'sent')"))
    expect(other.explain().index).toBeUndefined()
    expect(await other.count()).toBe(2)
  })

  it('reads by a key reject that of a row that is kept, also in a union', async () => {
    const { account } = office()
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const Person = defineEntity({
      name: 'people',
      partitionKey: key`people_${'team'}`,
      rowKey: key`${'id'}`,
      schema,
    })
    const Mail = defineEntity({
      name: 'people',
      partitionKey: key`mails_${'team'}`,
      rowKey: key`mail_${'id'}`,
      schema,
    })
    declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const people = account.table(Person)
    await people.create()
    await people.insert({ team: 'a', id: '1', mail: 'x' })
    const all = account.table('people', union(Person, Mail))
    await all.batch().insert(Mail, { team: 'a', id: 'x' }).submit()
    const kept = { code: 'ReservedKey' }
    for (const table of [people, all.ofType(Person), all]) {
      const entry = ['people_a', '~rk~ix~x'] as const
      await expect(table.find(entry)).rejects.toMatchObject(kept)
      await expect(table.get(entry)).rejects.toMatchObject(kept)
      await expect(table.exists(entry)).rejects.toMatchObject(kept)
      await expect(table.getMany([entry])).rejects.toMatchObject(kept)
      await expect(table.execute(Operation.retrieve(...entry))).rejects.toMatchObject(kept)
      expect(await table.find(['people_a', '1'])).toMatchObject({ id: '1' })
    }
    expect(await all.find(['mails_a', 'mail_x'])).toMatchObject({ id: 'x' })
    expect(await all.find(['people_a', '2'])).toBeUndefined()
  })

  it('goes on after rows of other programs that lie among the entries', async () => {
    const { account, employees, indexed } = await staff()
    const rows = await account.table('employees').query().allowTableScan().toArray()
    const [entry] = rows.filter(({ rowKey }) => rowKey.includes('~lastName.'))
    const beginning = entry?.rowKey.slice(0, entry.rowKey.lastIndexOf('~'))
    const others = Array.from(
      { length: 100 },
      (_, at) => new DynamicEntity('Sales', `${beginning}~Jones_${at}`, { At: at }),
    )
    await account.table('employees').bulk().insert(others)
    const where = { ...sales, lastName: 'Jones' }
    for (const query of [employees.query().where(where), indexed.query('lastName', where)]) {
      expect((await query.toArray()).map(({ id }) => id)).toEqual([3, 6, 9, 12])
      expect(await query.count()).toBe(4)
    }
  })

  it('sends the filter for a value that no key can hold', async () => {
    const { employees, plain } = await staff()
    await plain.insert({ ...jones, id: 50, lastName: 'a/b', email: 'a/b' })
    const found = (where: object) =>
      employees
        .query()
        .where({ ...sales, ...where })
        .toArray()
    expect(await found({ email: 'a/b' })).toMatchObject([{ id: 50 }])
    expect(await found({ lastName: 'a/b' })).toMatchObject([{ id: 50 }])
  })

  it('finds nothing in a partition that the model does not have', async () => {
    const { account } = office()
    const text = { department: z.string(), id: z.string(), email: z.string() }
    const Employee = defineEntity({
      name: 'employees',
      partitionKey: key`${'department'}_${'year:4'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ ...text, year: z.int() }),
    })
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`${'email'}`, unique: true },
    })
    const employees = account.table(Employee)
    await employees.create()
    await indexes.on(account).build()
    const filter = rawFilter("PartitionKey eq 'Sales' and email eq 'a'")
    expect(await employees.query().where(filter).toArray()).toEqual([])
  })

  it('tests the other conditions on each row', async () => {
    const { employees } = await staff()
    const query = employees.query().where({ ...sales, lastName: 'Jones', age: gt(26) })
    expect(query.explain().index).toBe('lastName')
    expect((await query.toArray()).map(({ id }) => id)).toEqual([9, 12])
    expect(await query.count()).toBe(2)
    expect((await query.first()).id).toBe(9)
  })

  it('deletes and resolves what it finds', async () => {
    const { employees } = await staff()
    const query = employees.query().where({ ...sales, lastName: 'Jones' })
    expect(await query.resolve((_, rowKey) => rowKey).toArray()).toEqual([
      'empid_000003',
      'empid_000006',
      'empid_000009',
      'empid_000012',
    ])
    expect((await query.deleteAll()).done).toBe(4)
    expect(await query.count()).toBe(0)
  })
})

describe('the pages of a query by an index', () => {
  it('R-146: continue after their last row, also in another process', async () => {
    const { employees, rival, Employee } = await staff({ count: 30 })
    const query = employees.query().where({ ...sales, lastName: 'Jones' })
    const first = await query.page({ size: 4 })
    expect(first.items.map(({ id }) => id)).toEqual([3, 6, 9, 12])
    const second = await rival()
      .table(Employee)
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .page({ size: 4, token: first.next })
    expect(second.items.map(({ id }) => id)).toEqual([15, 18, 21, 24])
    const third = await query.page({ size: 4, token: second.next })
    expect(third.items.map(({ id }) => id)).toEqual([27, 30])
    expect(third.next).toBeUndefined()
  })

  it.each(['empid_', ''])(
    'go on in a program without the index, and in one with it: RowKeys begin with %j',
    async (beginning) => {
      const { account, rival } = office()
      const define = () =>
        defineEntity({
          name: 'people',
          partitionKey: key`${'team'}`,
          rowKey: beginning === '' ? key`${'id'}` : key`empid_${'id'}`,
          schema: z.object({ team: z.string(), id: z.string(), name: z.string() }),
        })
      const Person = define()
      declareIndexes(Person, { name: { rowKey: key`${'name'}_${'id'}` } })
      const next = account.table(Person)
      await next.create()
      for (let id = 1; id <= 6; id++) await next.insert({ team: 'a', id: `${id}`, name: 'Jones' })
      const old = rival().table(define())
      const pageOf = (table: typeof next, token?: string) =>
        table.query().where({ team: 'a', name: 'Jones' }).page({ size: 2, token })
      for (const programs of [[old, next, old] as const, [next, old, next] as const]) {
        const ids: string[] = []
        let token: string | undefined
        for (const program of programs) {
          const page = await pageOf(program, token)
          ids.push(...page.items.map(({ id }) => id))
          token = page.next
        }
        expect(ids).toEqual(['1', '2', '3', '4', '5', '6'])
      }
    },
  )

  it('end where the page size ends them', async () => {
    const { employees } = await staff()
    const sizes: number[] = []
    const query = employees
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .pageSize(3)
    for await (const { items } of query.byPage()) sizes.push(items.length)
    expect(sizes).toEqual([3, 1])
  })

  it('reject the token of another query', async () => {
    const { employees } = await staff()
    const { next } = await employees
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .page({ size: 2 })
    const other = employees.query().where({ ...sales, lastName: 'Other1' })
    await expect(other.page({ size: 2, token: next })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })

  it('go on with the filter when the index is no longer readable', async () => {
    const { employees, indexed } = await staff({ count: 30 })
    const query = employees
      .query()
      .where({ ...sales, lastName: 'Jones' })
      .pageSize(2)
    const ids: number[] = []
    for await (const { items } of query.byPage()) {
      ids.push(...items.map(({ id }) => id))
      if (ids.length === 4) await indexed.drop('lastName')
    }
    expect(ids).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30])
  })

  it('find the last rows also when a unique index becomes readable in between', async () => {
    const { employees, indexed } = await staff({ count: 0 })
    for (let id = 1; id <= 101; id++) await employees.insert({ ...jones, id, email: `${id}@x` })
    await indexed.drop('email')
    const query = employees.query().where({ ...sales, lastName: 'Jones', email: '101@x' })
    const pages: number[][] = []
    for await (const { items } of query.byPage()) {
      pages.push(items.map(({ id }) => id))
      await indexed.build()
    }
    expect(pages).toEqual([[], [101]])
  })
})

describe('a row that the model cannot read', () => {
  it('is left to the policy of the query, which learns its key', async () => {
    const { account, indexed } = await staff()
    const broken = new DynamicEntity('Sales', 'empid_000006', { age: 'old' })
    await account.table('employees').merge(broken, { etag: '*' })
    const joneses = indexed.query('lastName', { ...sales, lastName: 'Jones' })
    await expect(joneses.toArray()).rejects.toThrow(/empid_000006/)
    const read = await joneses.onBadRow('skip').toArray()
    expect(read.map(({ id }) => id)).toEqual([3, 9, 12])
    const bad: unknown[] = []
    await joneses.onBadRow((row) => void bad.push(row)).toArray()
    expect(bad).toHaveLength(1)
  })
})

describe('values that are stored in another form', () => {
  async function tickets() {
    const { account } = office()
    const Ticket = defineEntity({
      name: 'tickets',
      partitionKey: key`${'team'}`,
      rowKey: key`ticket_${'id'}`,
      schema: z.object({
        team: z.string(),
        id: z.string(),
        state: z.string(),
        points: z.number(),
        ref: z.uuid(),
      }),
      columns: { state: converted(upperCase), points: { type: 'Int64' } },
    })
    const indexed = declareIndexes(Ticket, {
      state: { rowKey: key`${'state'}_${'points:4'}_${'id'}` },
      ref: { rowKey: key`${'ref'}`, unique: true },
    }).on(account)
    const byRef = declareSummaries(Ticket, { byRef: { rowKey: key`${'ref'}` } }).on(account)
    const table = account.table(Ticket)
    await table.create()
    await indexed.build()
    await table.bulk().insert([
      { team: 'a', id: '1', state: 'open', points: 3, ref: GUID },
      { team: 'a', id: '2', state: 'open', points: 20, ref: GUID.replace('A', 'B') },
      { team: 'a', id: '3', state: 'done', points: 3, ref: GUID.replace('A', 'C') },
    ])
    return { table, indexed, byRef }
  }

  const GUID = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'
  const upperCase: Converter<string, string> = {
    type: 'String',
    comparable: true,
    toStored: (text) => text.toUpperCase(),
    fromStored: (text) => text.toLowerCase(),
  }

  it('a query by an index finds entries by the values of the entities', async () => {
    const { indexed } = await tickets()
    const open = indexed.query('state', { team: 'a', state: 'open' })
    expect((await open.toArray()).map(({ id }) => id)).toEqual(['1', '2'])
    const many = open.where({ points: gt(3) })
    expect(many.explain().filter).toMatch(/RowKey ge '~rk~ix~ticket_~state\.\w+~open_0004'/)
    expect((await many.toArray()).map(({ id }) => id)).toEqual(['2'])
    const begun = indexed.query('state', { team: 'a', state: startsWith('do') })
    expect((await begun.toArray()).map(({ id }) => id)).toEqual(['3'])
  })

  it('a Guid is found in upper case, too', async () => {
    const { indexed, byRef } = await tickets()
    expect((await indexed.find('ref', { team: 'a', ref: GUID }))?.id).toBe('1')
    const copies = (await indexed.copies('ref')).where({ team: 'a', ref: GUID })
    expect(await copies.toArray()).toMatchObject([{ ref: GUID.toLowerCase() }])
    expect((await byRef.get('byRef', { team: 'a', ref: GUID })).count).toBe(1)
  })
})

describe('a query at a secondary that has the rows, and not yet the entries of a build', () => {
  /** An index that was built a moment ago, for a row that the secondary has already. */
  async function lagging() {
    const clock = { now: Date.UTC(2026, 10, 20) }
    const now = () => clock.now
    const network = { isDown: false }
    const { transport, connectionString } = localTableService({ now, replication: { lag: 60_000 } })
    const open = (locationMode: LocationMode) =>
      new Account(
        tableService({
          connectionString: connectionString(),
          locationMode,
          transport: async (request, limits) => {
            const isPrimary = !request.path.includes('-secondary')
            if (network.isDown && isPrimary) throw new Error('The primary does not respond.')
            return transport(request, limits)
          },
          retry: noRetry,
          now,
          sleep: async (ms) => {
            clock.now += ms
          },
        }),
      )
    const old = open('primaryOnly').table(defineEmployee())
    await old.create()
    await old.insert({ ...jones })
    clock.now += 60_000
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, {
      lastName: { rowKey: key`${'lastName'}_${'id:6'}` },
    })
    await indexes.on(open('primaryOnly')).build()
    return { Employee, open, indexes, network }
  }

  it.each(['secondaryThenPrimary', 'secondaryOnly'] as const)(
    'finds the rows (%s)',
    async (mode) => {
      const { Employee, open } = await lagging()
      const query = open(mode)
        .table(Employee)
        .query()
        .where({ ...sales, lastName: 'Jones' })
      expect(query.explain().index).toBe('lastName')
      expect(await query.toArray()).toMatchObject([{ id: 223 }])
    },
  )

  it.each([
    ['finds the rows by the filter while the primary does not respond', 'secondaryThenPrimary'],
    ['fails where reads go to the primary only', 'primaryOnly'],
  ] as const)('%s', async (_, mode) => {
    const { Employee, open, network } = await lagging()
    const query = open(mode).table(Employee).query()
    network.isDown = true
    const found = query.where({ ...sales, lastName: 'Jones' }).toArray()
    if (mode === 'primaryOnly') await expect(found).rejects.toThrow(TransportError)
    else expect(await found).toMatchObject([{ id: 223 }])
  })

  it('a query that names the index finds them at the primary', async () => {
    const { open, indexes } = await lagging()
    const query = indexes
      .on(open('secondaryOnly'))
      .query('lastName', { ...sales, lastName: 'Jones' })
    expect(await query.toArray({ locationMode: 'primaryOnly' })).toMatchObject([{ id: 223 }])
  })
})

describe('random queries', () => {
  it.each(casesToPlay([1, 2, 3]))(
    'give the rows of the scan in their order: seed %i',
    async (seed) => {
      const random = randomOf(seed)
      const { employees, indexed, plain } = await staff({ count: 0 })
      const values = () => ({
        firstName: `F${random(3)}`,
        ...(random(5) > 0 && { lastName: `L${random(3)}` }),
        ...(random(5) > 0 && { age: random(3) }),
      })
      for (let id = 1; id <= 40; id++) await employees.insert({ ...sales, id, ...values() })
      expect(await indexed.verify()).toMatchObject({ rows: 40, found: 0 })
      let chosen = 0
      for (let round = 0; round < 30; round++) {
        const where = { ...sales, ...values() }
        const size = 1 + random(5)
        const query = employees.query().where(where).pageSize(size)
        const expected = await plain.query().where(where).toArray()
        expect(await query.toArray(), `seed ${seed}, ${JSON.stringify(where)}`).toEqual(expected)
        if (query.explain().index !== undefined) chosen++
      }
      expect(chosen).toBeGreaterThan(10)
    },
  )
})
