import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, office } from '../employees.ts'
import { sales, staff } from './queried-staff.ts'

describe('a query with an equality on the properties of an index', () => {
  it('prefers the unique index, and then the one with more properties', async () => {
    const { employees } = await staff()
    const explain = (where: object) =>
      employees
        .query()
        .where({ ...sales, ...where })
        .explain().index
    expect(explain({ email: '3@x', lastName: 'Jones' })).toBe('email')
    expect(explain({ age: 23, lastName: 'Jones' })).toBe('ageAndName')
  })
})

describe('explain', () => {
  it('R-146: names the index that is chosen and what it costs', async () => {
    const { employees, Employee, rival } = await staff()
    const fresh = rival().table(Employee).query()
    const unread = fresh
      .where({ ...sales, lastName: 'Jones' })
      .explain()
      .reasons.join(' ')
    expect(unread).toMatch(/The state of index lastName is not read yet/)
    const query = employees.query().where({ ...sales, lastName: 'Jones' })
    await query.toArray()
    expect(query.explain()).toMatchObject({
      plan: 'range',
      index: 'lastName',
      reasons: [
        'Reads by the index lastName: one request for 100 entries, and one read by key for each entity, up to 64 at once.',
        expect.stringMatching(/^It was last verified at 20/),
      ],
    })
  })

  it('shows when verify found an index to be right, also of one of several indexes', async () => {
    const { opened, employees, indexed } = await staff()
    const built = opened.now
    opened.now += 100_000
    await indexed.verify({ only: ['lastName'] })
    opened.now += 100_000
    const verified = async (where: { lastName: string } | { email: string }) => {
      const query = employees.query().where({ ...sales, ...where })
      await query.toArray()
      const shown = /last verified at (\S+)\.$/.exec(query.explain().reasons.at(-1) ?? '')
      return (Date.parse(shown?.[1] ?? '') - built) / 100_000
    }
    expect([await verified({ lastName: 'Jones' }), await verified({ email: '1@x' })]).toEqual([
      1, 0,
    ])
  })

  it('says why an index is not chosen', async () => {
    const { employees, indexed } = await staff()
    const why = (where: Parameters<ReturnType<typeof employees.query>['where']>[0]) => {
      const { index, reasons } = employees.query().where(where).explain()
      expect(index).toBeUndefined()
      return reasons.filter((reason) => reason.startsWith('Index')).join(' ')
    }
    expect(why((c) => c.department.eq('Sales').and(c.email.eq('a').or(c.email.eq('b'))))).toBe(
      'Index email is not used: mail is under an or or a not.',
    )
    expect(why({ ...sales, lastName: startsWith('J') })).toContain(
      "Index lastName is not used: a range of lastName would change the order of the rows. Ask for that order with indexed.query('lastName', …).",
    )
    expect(why({ ...sales, age: 25 })).toBe(
      'Index ageAndName is not used: the query has no equality on lastName. Index young is not used: its where leaves rows out.',
    )
    expect(why({ email: '1@x' })).toBe(
      'Index email is not used: the query does not name one partition.',
    )
    expect(why({ ...sales, firstName: 'Jon' })).toBe(
      'Index reversed is not used: its key does not end as the RowKey does, so its order differs.',
    )
    expect(why({ ...sales, id: 3, lastName: 'Jones' })).toBe('')
    await indexed.drop('email')
    await employees
      .query()
      .where({ ...sales, email: '1@x' })
      .toArray()
    expect(why({ ...sales, email: '1@x' })).toBe('Index email is not used: its state is dropped.')
  })

  it('says that an index is not automatic', () => {
    const Employee = defineEmployee()
    declareIndexes(Employee, {
      email: { rowKey: key`${'email'}`, unique: true, automatic: false },
    })
    const query = office()
      .account.table(Employee)
      .query()
      .where({ ...sales, email: 'a' })
    expect(query.explain().reasons.at(-1)).toBe('Index email is not used: its automatic is false.')
  })

  it('says that rows of another version may differ, and that sameSince rules it out', async () => {
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), name: z.string() })
    const First = defineEntity({ ...parts, schema, version: 1 })
    const migrate = (old: z.output<typeof schema>) => ({ ...old, name: old.name.toLowerCase() })
    const define = () => defineEntity({ ...parts, schema, version: 2, previous: First, migrate })
    const name = { rowKey: key`name_${'name'}_${'id'}` }
    const [Second, Same] = [define(), define()]
    const { account } = office()
    await account.table(First).create()
    await account.table(First).insert({ ...sales, id: '1', name: 'ANN' })
    await declareIndexes(Second, { name }).on(account).build()
    declareIndexes(Same, { name: { ...name, sameSince: 1 } })
    const query = account
      .table(Second)
      .query()
      .where({ ...sales, name: 'ANN' })
    expect((await query.toArray()).map((each) => each.name)).toEqual(['ann'])
    expect(query.explain().reasons.at(-1)).toBe(
      'Index name is not used: rows of another version may have other values. Declare sameSince if they have not.',
    )
    const same = account
      .table(Same)
      .query()
      .where({ ...sales, name: 'ANN' })
    expect(same.explain().index).toBe('name')
  })

  it('names the index in each of several partitions', async () => {
    const { employees } = await staff()
    const query = employees.query().where({ lastName: 'Jones' }).inPartitions(['Sales', 'Admin'])
    expect(query.explain()).toMatchObject({
      plan: 'range',
      queries: [{ index: 'lastName' }, { index: 'lastName' }],
    })
    expect((await query.toArray()).map(({ id }) => id)).toEqual([3, 6, 9, 12])
  })
})
