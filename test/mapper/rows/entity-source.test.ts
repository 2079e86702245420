import { anyOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

describe('the queries of a table', () => {
  async function crowd() {
    const fresh = await freshTable(Customer)
    for (const lastName of ['Jones', 'Smith', 'Snow']) {
      for (const firstName of ['Ann', 'Ben', 'Cat']) {
        await fresh.table.insert(customer(lastName, firstName, { age: firstName.length }))
      }
    }
    fresh.sent.length = 0
    return fresh
  }
  const names = (rows: readonly Customer[]) =>
    rows.map(({ lastName, firstName }) => `${lastName} ${firstName}`)

  it('R-42: read some partitions at once, in the order of keys', async () => {
    const { table, sent } = await crowd()
    const query = table.query().inPartitions(['Snow', 'Jones']).pageSize(2)
    expect(names(await query.take(4).toArray())).toEqual([
      'Jones Ann',
      'Jones Ben',
      'Jones Cat',
      'Snow Ann',
    ])
    expect(
      new Set(sent.map(({ query: text }) => /'(\w+)'/.exec(decodeURIComponent(text))?.[1])),
    ).toEqual(new Set(['Jones', 'Snow']))
  })

  it('R-41: read entities by their keys when a condition names them wholly', async () => {
    const { table, sent } = await crowd()
    const rows = await table
      .query()
      .where({ lastName: 'Smith', firstName: anyOf(['Cat', 'Zoe', 'Ann']) })
      .toArray()
    expect(names(rows)).toEqual(['Smith Ann', 'Smith Cat'])
    expect(rows[0]?.etag).toMatch(/^W\//)
    expect(sent).toHaveLength(3)
    for (const { path } of sent) expect(path).toContain('PartitionKey=')
  })

  it('R-39: count by PartitionKey alone', async () => {
    const { table, sent } = await crowd()
    expect(await table.query().where({ lastName: 'Smith' }).pageSize(2).count()).toBe(3)
    expect(sent).toHaveLength(2)
    for (const { query } of sent) expect(query).toContain('$select=PartitionKey&')
  })

  it('R-97: map each row by its key', async () => {
    const { table } = await crowd()
    const found = await table
      .query()
      .where({ lastName: 'Smith' })
      .select('age')
      .resolve((lastName, firstName, _, properties) => [
        lastName,
        firstName,
        properties.get('age')?.value,
      ])
      .take(1)
      .toArray()
    expect(found).toEqual([['Smith', 'Ann', 3]])
  })

  it('send nothing after the loop ends early', async () => {
    const { table, sent } = await crowd()
    for await (const _row of table.query().where({ lastName: 'Smith' }).pageSize(1)) break
    for await (const _row of table.query().inPartitions(['Jones', 'Smith']).pageSize(1)) break
    const asked = sent.length
    expect(asked).toBeLessThanOrEqual(5)
    await new Promise(setImmediate)
    expect(sent).toHaveLength(asked)
  })
})
