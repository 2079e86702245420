import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { SplitTable } from '@rowkey/patterns'
import { ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isBatch, office } from '../employees.ts'

async function opened() {
  const all = office()
  await all.account.createTable('stats')
  all.sent.length = 0
  return { ...all, stats: new SplitTable(all.account, 'stats') }
}

function year(days = 365): DynamicEntity {
  const entity = new DynamicEntity('Sales', '223')
  for (let day = 1; day <= days; day++) entity.set(`day${day}`, day)
  return entity
}

describe('SplitTable', () => {
  it('R-156: splits 365 properties over two rows, and reads them by one range', async () => {
    const { stats, account, sent } = await opened()
    await stats.insert(year())
    expect(sent.map(isBatch)).toEqual([true])
    sent.length = 0
    const read = await stats.find('Sales', '223')
    expect(sent).toHaveLength(1)
    expect(read?.properties.size).toBe(365)
    expect(read?.get('day365')?.value).toBe(365)
    const rows = await account.table('stats').query().where({ partitionKey: 'Sales' }).toArray()
    expect(rows.map(({ rowKey, properties }) => [rowKey, properties.size])).toEqual([
      ['223_01', 252],
      ['223_02', 113],
    ])
  })

  it('R-156: saves one slot by a merge of one property', async () => {
    const { stats, sent } = await opened()
    const entity = await stats.insert(year())
    sent.length = 0
    await stats.save(entity.set('day300', 7))
    expect(sent).toMatchObject([
      { method: 'PATCH', body: '{"PartitionKey":"Sales","RowKey":"223_02","day300":7}' },
    ])
  })

  it('splits by size, too: 3 MiB are four rows', async () => {
    const { stats } = await opened()
    const entity = new DynamicEntity('Sales', 'big')
    for (let at = 0; at < 48; at++) {
      entity.set(`part${at}`, EntityProperty.binary(new Uint8Array(60_000).fill(at)))
    }
    await stats.insert(entity)
    const read = await stats.find('Sales', 'big')
    expect(read?.properties.size).toBe(48)
    expect(read?.get('part47')?.as('Binary')[0]).toBe(47)
  })

  it('moves a property that outgrew its row, and fills gaps', async () => {
    const { stats } = await opened()
    const entity = await stats.insert(year())
    for (let day = 1; day <= 40; day++) entity.set(`day${day}`, 'x'.repeat(30_000))
    entity.delete('day365')
    await stats.save(entity)
    const read = await stats.find('Sales', '223')
    expect(read?.properties.size).toBe(364)
    expect(read?.get('day40')?.value).toHaveLength(30_000)
    for (let day = 2; day < 365; day++) read?.delete(`day${day}`)
    if (read !== undefined) await stats.save(read)
    expect([...((await stats.find('Sales', '223'))?.properties.keys() ?? [])]).toEqual(['day1'])
  })

  it('rejects a save of a row that changed since', async () => {
    const { stats, rival } = await opened()
    const mine = await stats.insert(year())
    const others = new SplitTable(rival(), 'stats')
    const theirs = await others.find('Sales', '223')
    if (theirs !== undefined) await others.save(theirs.set('day1', 100))
    await expect(stats.save(mine.set('day2', 0))).rejects.toThrow(ETagMismatchError)
    await stats.save((await stats.find('Sales', '223'))?.set('day300', 0) ?? mine)
  })

  it('reads the entities of a partition one by one', async () => {
    const { stats, account } = await opened()
    await stats.insert(year())
    await stats.insert(new DynamicEntity('Sales', '224', { day1: 5 }))
    await account.table('stats').insert({ partitionKey: 'Sales', rowKey: '2240' })
    const found: unknown[] = []
    for await (const { rowKey, properties } of stats.query('Sales')) {
      found.push([rowKey, properties.size])
    }
    expect(found).toEqual([
      ['223', 365],
      ['224', 1],
    ])
  })

  it('a query returns each entity once, also when rows of others lie between its rows', async () => {
    const { stats } = await opened()
    for (const rowKey of ['a', 'a_01', 'a_0', 'b']) {
      await stats.insert(new DynamicEntity('Sales', rowKey, year().properties))
    }
    const found: unknown[] = []
    for await (const { rowKey, properties } of stats.query('Sales')) {
      found.push([rowKey, properties.size])
    }
    expect(found).toEqual([
      ['a', 365],
      ['a_01', 365],
      ['a_0', 365],
      ['b', 365],
    ])
  })

  it('a delete is rejected when another program has added a row since', async () => {
    const { stats, rival } = await opened()
    const entity = await stats.insert(year(252))
    const others = new SplitTable(rival(), 'stats')
    const theirs = await others.find('Sales', '223')
    if (theirs) await others.save(theirs.set('day253', 253))
    await expect(stats.delete(entity)).rejects.toMatchObject({ status: 412 })
    expect((await stats.find('Sales', '223'))?.properties.size).toBe(253)
  })

  it('stores an entity without properties, and deletes it', async () => {
    const { stats } = await opened()
    const entity = await stats.insert(new DynamicEntity('Sales', 'empty'))
    expect(await stats.find('Sales', 'empty')).toMatchObject({ rowKey: 'empty' })
    await stats.delete(entity)
    expect(await stats.find('Sales', 'empty')).toBeUndefined()
    await expect(stats.save(entity)).rejects.toMatchObject({ code: 'UnknownPatternObject' })
  })

  it('rejects an entity that 99 rows cannot hold', async () => {
    const { stats } = await opened()
    await expect(stats.insert(year(99 * 252 + 1))).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})
