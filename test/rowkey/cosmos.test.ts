import { anyOf, connect, DynamicEntity } from 'rowkey'
import { describe, expect, it, onTestFinished } from 'vitest'

const KEYS = ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/2', 'b/3', 'b/4']

async function people() {
  const account = connect('memory:', { flavour: 'cosmos' })
  onTestFinished(() => account.close())
  const table = account.table('the-people')
  await table.create()
  for (const key of KEYS) {
    const [partitionKey = '', rowKey = ''] = key.split('/')
    await table.insert(new DynamicEntity(partitionKey, rowKey))
  }
  return table
}

const keysOf = (rows: readonly DynamicEntity[]) =>
  rows.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`)

describe('a table of Cosmos DB', () => {
  it('R-177: gives the rows of one query in an order that is not that of the keys', async () => {
    const query = (await people()).query().allowTableScan()
    const rows = keysOf(await query.pageSize(3).toArray())
    expect(rows).not.toEqual(KEYS)
    expect([...rows].sort()).toEqual(KEYS)
  })

  it('R-177: gives the rows of several partitions in the order of their keys', async () => {
    const query = (await people()).query().inPartitions(['b', 'a'])
    expect(keysOf(await query.toArray())).toEqual(KEYS)
    expect(keysOf(await query.take(3).toArray())).toEqual(KEYS.slice(0, 3))
  })

  it('R-177: gives each row once by pages', async () => {
    const query = (await people()).query().allowTableScan().pageSize(5)
    const found: string[] = []
    let token: string | undefined
    do {
      const { items, next } = await query.page({ size: 3, token })
      found.push(...keysOf(items))
      token = next
    } while (token !== undefined)
    expect(found.sort()).toEqual(KEYS)
  })

  it('R-177: leaves out keys that Cosmos DB cannot store', async () => {
    const query = (await people()).query()
    const rowKey = anyOf(['', '1', 'é'.repeat(128)])
    const found = await query.where({ partitionKey: 'a', rowKey }).toArray()
    expect(keysOf(found)).toEqual(['a/1'])
  })

  it('R-177: explains that rows are not sorted', async () => {
    const { reasons } = (await people()).query().where({ partitionKey: 'a' }).explain()
    expect(reasons.join(' ')).toContain('Cosmos DB does not sort rows')
  })

  it('R-177: finds nothing in a missing table, as for a missing entity', async () => {
    const account = connect('memory:', { flavour: 'cosmos' })
    onTestFinished(() => account.close())
    const table = account.table('missing')
    expect(await table.find(['a', '1'])).toBeUndefined()
    expect(await table.exists()).toBe(false)
    await expect(table.insert(new DynamicEntity('a', '1'))).rejects.toMatchObject({
      name: 'TableNotFoundError',
    })
  })
})
