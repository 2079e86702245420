import { ProjectedEntityError } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { QueryError } from '@rowkey/query'
import { EntityNotFoundError, UnknownOptionError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

describe('a table that is read', () => {
  it('gives some properties of one entity', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39, rating: 4 }))
    const jeff = await table.get(['Smith', 'Jeff'], { select: ['rating'] })
    expect(jeff.rating).toBe(4)
    expect((jeff as Customer).age).toBeUndefined()
    expect(sent.at(-1)?.query).toBe('$select=PartitionKey%2CRowKey%2CTimestamp%2Crating')
  })

  it('merges what was read in part, and never puts it in the place of the whole', async () => {
    const { table } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39, rating: 4 }))
    const jeff = await table.get(['Smith', 'Jeff'], { select: ['rating'] })
    jeff.rating = 5
    await expect(table.replace(jeff as Customer)).rejects.toThrow(ProjectedEntityError)
    await table.merge(jeff)
    expect(await table.get(['Smith', 'Jeff'])).toMatchObject({ age: 39, rating: 5 })
  })

  it('finds a part of an entity, or nothing', async () => {
    const { table } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39 }))
    expect((await table.find(['Smith', 'Jeff'], { select: ['age'] }))?.age).toBe(39)
    expect(await table.find(['Smith', 'Nobody'], { select: ['age'] })).toBeUndefined()
    await expect(table.get(['Smith', 'Nobody'], { select: ['age'] })).rejects.toThrow(
      EntityNotFoundError,
    )
  })

  it('gives a part of an entity that nobody declared', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { points: 5n, rating: 2.5 }))
    const jeff = await people.get(['Smith', 'Jeff'], { select: ['points'] })
    expect([...jeff.properties.keys()]).toEqual(['points'])
    expect(jeff.rowKey).toBe('Jeff')
  })

  it('refuses a property that is not stored, no property at all, and unknown options', async () => {
    const { table, sent } = await freshTable(Customer)
    for (const select of [['nothing'], []] as unknown as ['age'][]) {
      await expect(table.get(['Smith', 'Jeff'], { select })).rejects.toThrow(QueryError)
    }
    const options = { selected: ['age'] } as object
    await expect(table.get(['Smith', 'Jeff'], options)).rejects.toThrow(UnknownOptionError)
    await expect(table.find(['Smith', 'Jeff'], options)).rejects.toThrow(UnknownOptionError)
    expect(sent).toEqual([])
  })
})
