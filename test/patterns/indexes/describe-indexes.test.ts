import { key } from '@rowkey/mapper'
import { declareEventualIndexes, declareIndexes } from '@rowkey/patterns'
import type { Flavour } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'

function described(flavour: Flavour = 'storage') {
  const opened = office(flavour)
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`email_${'email'}`, unique: true },
    lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}` },
  })
  return { ...opened, Employee, indexed: indexes.on(opened.account) }
}

describe('describe', () => {
  it('R-146: prints each access pattern, its call and its requests', () => {
    expect(String(described().indexed.describe())).toBe(
      [
        'employees in table employees: an insert stores 3 rows',
        'the entity by department, id                          keys      table.get({ department, id })                        1 request',
        'entities by department, in the order of id            keys      table.query().where({ department })                  1 request for 1,000 entities',
        "the entity by department, email                       email     indexed.find('email', { department, email })         2 requests",
        "entities by department, in the order of email         email     indexed.query('email', { department })               1 request for 100 entries, and 1 for each entity",
        "entities by department, lastName, in the order of id  lastName  indexed.query('lastName', { department, lastName })  1 request for 100 entries, and 1 for each entity",
        "entities by department, in the order of lastName, id  lastName  indexed.query('lastName', { department })            1 request for 100 entries, and 1 for each entity",
      ].join('\n'),
    )
  })

  it('gives the same as data', () => {
    const { table, model, patterns, rowsPerInsert } = described().indexed.describe()
    expect({ table, model, rowsPerInsert }).toEqual({
      table: 'employees',
      model: 'employees',
      rowsPerInsert: 3,
    })
    expect(patterns.filter(({ by }) => by === 'email')).toEqual([
      {
        by: 'email',
        named: ['department', 'email'],
        order: [],
        call: "indexed.find('email', { department, email })",
        isUnique: true,
        requests: { pageSize: 1, readsPerEntity: 1 },
      },
      {
        by: 'email',
        named: ['department'],
        order: ['email'],
        call: "indexed.query('email', { department })",
        isUnique: false,
        requests: { pageSize: 100, readsPerEntity: 1 },
      },
    ])
  })

  it('describes indexes whose entries lie elsewhere, and sends nothing', () => {
    const { account, sent } = office()
    const Employee = defineEmployee()
    const email = { partitionKey: key`${'email'}`, rowKey: key`mail_${'department'}_${'id:6'}` }
    const eventual = declareEventualIndexes(Employee, { email }, { announce: async () => {} })
    const { patterns, rowsPerInsert } = eventual.on(account, { name: 'staff' }).describe()
    expect(rowsPerInsert).toBe(1)
    expect(patterns.at(-1)).toMatchObject({
      named: ['email'],
      order: ['department', 'id'],
      call: "indexed.query('email', { email })",
    })
    expect(sent).toEqual([])
  })

  it('promises no order by a value whose text in a key is in no order', () => {
    const { account } = office()
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`email_${'email:escaped'}_${'id:6'}` },
    })
    const orders = indexes
      .on(account)
      .describe()
      .patterns.map(({ named, order }) => [named, order])
    expect(orders.slice(-2)).toEqual([
      [['department', 'email'], ['id']],
      [['department'], []],
    ])
  })

  it('promises no order of the entities on Cosmos DB, which does not sort rows', () => {
    const orders = described('cosmos')
      .indexed.describe()
      .patterns.map(({ by, order }) => [by, order])
    expect(orders.slice(0, 2)).toEqual([
      ['keys', []],
      ['keys', []],
    ])
    expect(orders.at(-1)).toEqual(['lastName', ['lastName', 'id']])
  })

  it('the requests that it names are those that are sent', async () => {
    const { account, Employee, indexed, sent } = described()
    const employees = account.table(Employee)
    await employees.create()
    await indexed.ensure()
    await employees.insert({ ...jones })
    const { department, id, email, lastName } = jones
    const requestsOf = async (work: () => PromiseLike<unknown>) => {
      sent.length = 0
      await work()
      return sent.length
    }
    expect(await requestsOf(() => employees.get({ department, id }))).toBe(1)
    expect(await requestsOf(() => employees.query().where({ department }).toArray())).toBe(1)
    expect(await requestsOf(() => indexed.find('email', { department, email }))).toBe(2)
    const query = indexed.query('lastName', { department, lastName })
    expect(await requestsOf(() => query.toArray())).toBe(2)
  })
})
