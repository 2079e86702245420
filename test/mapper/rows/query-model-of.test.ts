import { defineEntity, key, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { queryModelOf } from '../../../packages/mapper/src/rows/query-model-of.ts'
import { Customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'

describe('queryModelOf', () => {
  const model = queryModelOf(modelOf(Customer))

  it('finds every stored property under its stored name and type', () => {
    expect(model.name).toBe('Customer')
    expect(model.column('lastName')).toEqual({
      property: 'lastName',
      name: 'PartitionKey',
      type: 'String',
    })
    expect(model.column('firstName')?.name).toBe('RowKey')
    expect(model.column('modified')).toMatchObject({ name: 'Timestamp', type: 'DateTime' })
    expect(model.column('customerEmailAddress')?.name).toBe('cea')
    expect(model.column('points')?.type).toBe('Int64')
  })

  it.each(['etag', 'selected', 'greet', 'cea', 'toString', 'PartitionKey'])(
    'finds no property %s',
    (property) => {
      expect(model.column(property)).toBeUndefined()
    },
  )

  it('is made once for each class', () => {
    expect(queryModelOf(modelOf(Customer))).toBe(model)
    expect(model.properties).toContain('points')
  })
})

describe('a property in both halves of a key', () => {
  const schema = z.object({ city: z.string(), no: z.number().int(), since: z.number() })
  const [city, part] = [key`${'city'}`, key`x_${'city'}_${'no:3'}`]
  const stores = {
    first: defineEntity({ name: 'stores', partitionKey: city, rowKey: part, schema }),
    second: defineEntity({ name: 'stores', partitionKey: key`in_${'city'}`, rowKey: city, schema }),
    both: defineEntity({ name: 'stores', partitionKey: city, rowKey: city, schema }),
  }
  const explained = (name: keyof typeof stores, where: object) => {
    const { plan, filter } = freshAccount()
      .account.table(stores[name] as never)
      .query()
      .where(where)
      .explain()
    return [plan, filter]
  }

  it.each([
    [
      'first',
      { city: 'Bern', no: 7 },
      'point',
      "PartitionKey eq 'Bern' and RowKey eq 'x_Bern_007'",
    ],
    ['second', { city: 'Bern' }, 'point', "PartitionKey eq 'in_Bern' and RowKey eq 'Bern'"],
    ['both', { city: 'Bern' }, 'point', "PartitionKey eq 'Bern' and RowKey eq 'Bern'"],
  ] as const)('gives a range of both: %s, %j', (name, where, plan, filter) => {
    expect(explained(name, where)).toEqual([plan, filter])
  })

  it('is missed by its own name', () => {
    expect(() => explained('first', { no: 7 })).toThrow(
      'stores.no is stored only as a part of a key, after city: add a condition that city equals a value.',
    )
  })
})
