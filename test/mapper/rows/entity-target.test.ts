import { type EntityTarget, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { targetKey, toEntityKey } from '../../../packages/mapper/src/rows/entity-target.ts'
import { allRows } from '../../../packages/mapper/src/rows/table-parts.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer, customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'

describe('toEntityKey', () => {
  it('accepts a pair and an object', () => {
    const key = { partitionKey: 'Smith', rowKey: '' }
    expect(toEntityKey(['Smith', ''])).toEqual(key)
    expect(toEntityKey(key)).toEqual(key)
    expect(toEntityKey(Object.assign(Object.create(key), { etag: 'x' }))).toEqual(key)
  })

  it.each([
    [undefined],
    [null],
    ['Smith'],
    [5],
    [[]],
    [['Smith']],
    [['Smith', 'Jeff', 'x']],
    [['Smith', 5]],
    [{}],
    [{ partitionKey: 'Smith' }],
    [{ partitionKey: 'Smith', rowKey: '\ud800' }],
  ])('R-07: rejects %j', (garbage) => {
    expect(() => toEntityKey(garbage as unknown as EntityTarget)).toThrow(invalidKey)
  })
})

describe('targetKey', () => {
  class Audit {
    @PartitionKey() day = ''
    @RowKey() id = ''
    partitionKey = ''
    rowKey = ''
  }
  const customers = { mapping: objectsOf(modelOf(Customer)), rows: allRows }
  const key = { partitionKey: 'a', rowKey: 'b' }

  it('is the key of the target, or the key from its members', () => {
    expect(targetKey(['a', 'b'], customers)).toEqual(key)
    expect(targetKey(key, customers)).toEqual(key)
    expect(targetKey({ lastName: 'a', firstName: 'b' }, customers)).toEqual(key)
    expect(targetKey(customer('a', 'b', { age: 5 }), customers)).toEqual(key)
  })

  it('is made of the keys of the class where that stores partitionKey and rowKey as well', () => {
    const audits = { mapping: objectsOf(modelOf(Audit)), rows: allRows }
    const audit = Object.assign(new Audit(), { day: '1', id: '2', ...key })
    expect(targetKey(audit, audits)).toEqual({ partitionKey: '1', rowKey: '2' })
    expect(targetKey(['a', 'b'], audits)).toEqual(key)
  })

  it.each([undefined, null, 5, 'a', [], {}, { partitionKey: 'a' }])('rejects %o', (garbage) => {
    expect(() => targetKey(garbage as never, customers)).toThrow(invalidKey)
  })
})

describe('a key in two arguments', () => {
  const methods = ['get', 'find', 'exists', 'delete', 'deleteIfExists', 'modify'] as const

  it.each(methods)('is rejected by %s before anything is sent', async (method) => {
    const { account, sent } = freshAccount()
    const customers = account.table(Customer)
    const call: (...given: unknown[]) => Promise<unknown> = customers[method].bind(
      customers,
    ) as never
    for (const keys of [
      ['Smith', 'Jeff'],
      [['Smith'], ['Jeff']],
    ]) {
      await expect(call(...keys)).rejects.toMatchObject({
        code: 'InvalidEntityKey',
        message: `${method} of table customers: a key is one argument: [partitionKey, rowKey] or an object with its properties.`,
      })
    }
    expect(sent).toEqual([])
  })
})
