import { type Account, connect, DynamicEntity } from 'rowkey'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const names = Array.from({ length: 252 }, (_, index) => `p${index}`)
const wide = new DynamicEntity(
  'a',
  '1',
  Object.fromEntries(names.map((name, index) => [name, index])),
)

let account: Account

beforeEach(async () => {
  account = connect('memory:')
  await account.table('wide').create()
  await account.table('wide').insert(wide)
})

afterEach(() => account.close())

const query = () => account.table('wide').query().where({ partitionKey: 'a' })

describe('a projection', () => {
  it('R-38: reads as many properties as an entity can have', async () => {
    const [first = '', ...rest] = names
    const [row] = await query()
      .select(first, ...rest)
      .toArray()
    expect(row?.properties).toEqual(wide.properties)
  })

  it('R-38: of a single property still gives rows, with their keys and ETag', async () => {
    const [row] = await query().select('p7').toArray()
    expect(row).toBeInstanceOf(DynamicEntity)
    expect(row).toMatchObject({ partitionKey: 'a', rowKey: '1', etag: expect.any(String) })
    expect([...(row?.properties.keys() ?? [])]).toEqual(['p7'])
  })

  it('is rejected with more names than an entity has properties', () => {
    expect(() => query().select('p252', ...names)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => query().select('p252', ...names)).toThrow(/256 stored names.*255/)
  })
})
