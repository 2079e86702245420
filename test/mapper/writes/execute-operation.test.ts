import { modelOf } from '@rowkey/mapper'
import {
  BatchError,
  DynamicEntity,
  EntityNotFoundError,
  ETagMismatchError,
  InputError,
  Operation,
  union,
} from 'rowkey'
import { describe, expect, it } from 'vitest'
import { allRows } from '../../../packages/mapper/src/rows/table-parts.ts'
import { checkedOperation } from '../../../packages/mapper/src/writes/check-operation.ts'
import type { AnyOperation } from '../../../packages/mapper/src/writes/operation.ts'
import { WriteMaker } from '../../../packages/mapper/src/writes/write-maker.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'
import { Customer as Buyer, customer as buyer, Order } from '../union/store.ts'

async function withJeff() {
  const fresh = await freshTable(Customer)
  const jeff = await fresh.table.insert(customer('Smith', 'Jeff', { age: 39, points: 5n }))
  fresh.sent.length = 0
  return { ...fresh, jeff }
}

describe('executeOperation', () => {
  it('R-91: executes every kind of operation, and returns entity and ETag', async () => {
    const { table, jeff } = await withJeff()
    const ann = customer('Smith', 'Ann')
    const inserted = await table.execute(Operation.insert(ann))
    expect(inserted.entity).toBe(ann)
    expect(inserted.etag).toBe(ann.etag)
    jeff.age = 40
    expect(await table.execute(Operation.merge(jeff))).toEqual({
      etag: jeff.etag,
      entity: jeff,
      status: 204,
    })
    await table.execute(Operation.insertOrMerge(customer('Smith', 'Jeff', { rating: 1 })))
    const read = await table.execute(Operation.retrieve('Smith', 'Jeff'))
    expect(read.entity).toBeInstanceOf(Customer)
    expect(read.entity).toMatchObject({ age: 40, points: 5n, rating: 1, etag: read.etag })
    await table.execute(Operation.insertOrReplace(customer('Smith', 'Jeff', { rating: 2 })))
    await table.execute(Operation.replace(customer('Smith', 'Ann', { age: 1 }), { etag: '*' }))
    expect(await table.get(['Smith', 'Ann'])).toMatchObject({ age: 1 })
    expect(await table.execute(Operation.delete(['Smith', 'Ann'], { etag: '*' }))).toEqual({
      status: 204,
      etag: undefined,
      entity: undefined,
    })
    expect(await table.find(['Smith', 'Ann'])).toBeUndefined()
    expect((await table.get(['Smith', 'Jeff'])).age).toBeUndefined()
  })

  it('finds nothing without an error', async () => {
    const { table } = await withJeff()
    const zoe = Operation.retrieve({ lastName: 'Smith', firstName: 'Zoe' })
    expect(await table.execute(zoe)).toEqual({
      etag: undefined,
      entity: undefined,
      status: 404,
    })
  })

  it('R-52: executes one operation again and again while its entity changes', async () => {
    const { table, jeff, sent } = await withJeff()
    const heartbeat = Operation.merge(jeff)
    for (const points of [6n, 7n, 8n]) {
      jeff.points = points
      await table.execute(heartbeat)
    }
    expect(sent.map(({ body }) => JSON.parse(body ?? '').points)).toEqual(['6', '7', '8'])
    expect(await table.execute(heartbeat)).toEqual({
      etag: jeff.etag,
      entity: jeff,
      status: undefined,
    })
    expect(sent).toHaveLength(3)
    expect((await table.get(['Smith', 'Jeff'])).points).toBe(8n)
  })

  it('R-46: uses the ETag of the entity', async () => {
    const { table, jeff } = await withJeff()
    await table.insertOrMerge(customer('Smith', 'Jeff', { age: 1 }))
    jeff.age = 2
    await expect(table.execute(Operation.merge(jeff))).rejects.toThrow(ETagMismatchError)
    await expect(table.execute(Operation.delete(jeff))).rejects.toThrow(ETagMismatchError)
    await table.execute(Operation.merge(jeff, { etag: '*' }))
    const stray = Operation.replace(customer('Smith', 'Jeff'))
    await expect(table.execute(stray)).rejects.toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
  })

  it('fails as the method of its name does', async () => {
    const { table } = await withJeff()
    const missing = Operation.replace(customer('Smith', 'Zoe'), { etag: '*' })
    await expect(table.execute(missing)).rejects.toThrow(EntityNotFoundError)
  })

  it.each([
    ['nothing', undefined, expect.objectContaining({ code: 'InvalidOptionValue' })],
    [
      'an entity',
      customer('Smith', 'Jeff'),
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    ],
    [
      'a list with something else in it',
      [Operation.retrieve('a', 'b'), 5],
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    ],
    ['an empty list', [], expect.objectContaining({ code: 'InvalidBatch' })],
    ['an operation without an entity', Operation.insert(undefined as never), InputError],
    ['a retrieve of half a key', Operation.retrieve('Smith' as never), invalidKey],
  ])('rejects %s', async (_what, given, error) => {
    const { table, sent } = await withJeff()
    await expect(table.execute(given as never)).rejects.toThrow(error)
    expect(sent).toEqual([])
  })

  it('rejects options that it does not have', async () => {
    const { table, jeff, sent } = await withJeff()
    const work = table.execute(Operation.replace(jeff), { etag: '*' } as object)
    await expect(work).rejects.toThrow(expect.objectContaining({ code: 'UnknownOption' }))
    expect(sent).toEqual([])
  })
})

describe('executeOperations', () => {
  it('R-53: executes several in one transaction, with a result for each', async () => {
    const { table, jeff, sent } = await withJeff()
    const [ann, ben] = [customer('Smith', 'Ann'), await table.insert(customer('Smith', 'Ben'))]
    sent.length = 0
    jeff.age = 40
    const [inserted, merged, removed] = await table.execute([
      Operation.insert(ann),
      Operation.merge(jeff),
      Operation.delete(ben),
    ])
    expect(sent).toHaveLength(1)
    expect(inserted).toEqual({ etag: ann.etag, entity: ann, status: 204 })
    expect(merged.entity).toBe(jeff)
    expect(removed).toEqual({ etag: undefined, entity: undefined, status: 204 })
    const stored = await table.query().where({ lastName: 'Smith' }).toArray()
    expect(stored.map(({ firstName, etag }) => [firstName, etag])).toEqual([
      ['Ann', ann.etag],
      ['Jeff', jeff.etag],
    ])
  })

  it('R-56: names the operation that failed, and does none', async () => {
    const { table, jeff } = await withJeff()
    const before = jeff.etag
    const error = await table
      .execute([Operation.insert(customer('Smith', 'Ann')), Operation.insert(jeff)])
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BatchError)
    expect(error).toMatchObject({
      index: 1,
      code: 'EntityAlreadyExists',
      change: { operation: 'insertEntity', key: { partitionKey: 'Smith', rowKey: 'Jeff' } },
    })
    expect(jeff.etag).toBe(before)
    expect(await table.find(['Smith', 'Ann'])).toBeUndefined()
  })

  it('R-52: executes a list again with the current values of its entities', async () => {
    const { table, jeff } = await withJeff()
    const ann = await table.insert(customer('Smith', 'Ann'))
    const heartbeats = [jeff, ann].map((each) => Operation.merge(each))
    for (const age of [1, 2]) {
      Object.assign(jeff, { age })
      Object.assign(ann, { age: age * 10 })
      await table.execute(heartbeats)
    }
    expect((await table.get(['Smith', 'Jeff'])).age).toBe(2)
    expect((await table.get(['Smith', 'Ann'])).age).toBe(20)
  })

  it('R-54: reads one entity, alone', async () => {
    const { table } = await withJeff()
    const [found] = await table.execute([Operation.retrieve('Smith', 'Jeff')])
    expect(found.entity?.age).toBe(39)
    expect(found.etag).toBe(found.entity?.etag)
    const both = [Operation.retrieve('Smith', 'Jeff'), Operation.retrieve('Smith', 'Ann')]
    await expect(table.execute(both)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidBatch' }),
    )
  })

  it('R-160: writes entities of several types in one transaction', async () => {
    const store = freshAccount().account.table('store', union(Buyer, Order))
    await store.create()
    const ann = buyer('c1', 'ann@contoso.com')
    const [first, second] = await store.execute([
      Operation.insert(ann),
      Operation.insert({ customerId: 'c1', orderNo: 7, total: 9.5 }),
    ])
    expect(first.entity.email).toBe('ann@contoso.com')
    expect(second.entity.orderNo).toBe(7)
    const rows = await store.query().where({ customerId: 'c1' }).toArray()
    expect(rows[0]).toBeInstanceOf(Buyer)
    expect(rows[1]).toMatchObject({ orderNo: 7, total: 9.5, status: 'open' })
    const both = rows.map((row) => Operation.delete(row))
    await store.execute(both)
    expect(await store.query().where({ customerId: 'c1' }).toArray()).toEqual([])
  })

  it('R-51: accepts entities without a declared class', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    const jeff = new DynamicEntity('Smith', 'Jeff', { age: 39 })
    await people.execute([Operation.insert(jeff)])
    const { entity } = await people.execute(Operation.retrieve('Smith', 'Jeff'))
    expect(entity?.get('age')?.value).toBe(39)
    await people.execute(Operation.delete(['Smith', 'Jeff'], { etag: '*' }))
    expect(await people.find(['Smith', 'Jeff'])).toBeUndefined()
  })
})

const codec = objectsOf(modelOf(Customer))
const origin = { account: 'contoso', table: 'customers' }
const service = { now: () => 0 }
const maker = new WriteMaker({ service, name: 'customers', origin, rows: allRows }, codec)
const read = (RowKey: string, etag: string) =>
  codec.read({ PartitionKey: 'Smith', RowKey, age: 5 }, etag, origin)
const known = read('Jeff', 'W/"1"')

const toWrite = (operation: AnyOperation) =>
  maker.inBatch(checkedOperation(operation, 'execute of table people', undefined))

describe('the write of an operation in a batch', () => {
  it.each([
    [Operation.insert(known), 'insertEntity', undefined],
    [Operation.merge(known), 'mergeEntity', 'W/"1"'],
    [Operation.replace(known), 'updateEntity', 'W/"1"'],
    [Operation.replace(known, { etag: '*' }), 'updateEntity', '*'],
    [Operation.insertOrMerge(known), 'insertOrMergeEntity', undefined],
    [Operation.insertOrReplace(known), 'insertOrReplaceEntity', undefined],
    [Operation.delete(known), 'deleteEntity', 'W/"1"'],
    [Operation.delete(['Smith', 'Jeff'], { etag: '*' }), 'deleteEntity', '*'],
    [Operation.retrieve('Smith', 'Jeff'), 'retrieveEntity', undefined],
  ] as const)('R-91: maps %o to the operation %s', (operation, name, etag) => {
    const write = toWrite(operation)
    expect(write.operation.name).toBe(name)
    expect(write.input).toMatchObject({
      table: 'customers',
      key: { partitionKey: 'Smith', rowKey: 'Jeff' },
    })
    expect(write.input.etag).toBe(etag)
  })

  it('R-52: writes the entity as it is when it is called', () => {
    const ann = read('Ann', '"1"')
    const operation = Operation.merge(ann)
    expect(toWrite(operation).input.body).not.toContain('age')
    ann.age = 6
    expect(toWrite(operation).input.body).toContain('"age":6')
    ann.etag = '"2"'
    expect(toWrite(operation).input.etag).toBe('"2"')
  })
})

describe('checkedOperation', () => {
  it('rejects an operation with a type, which only the table of a union accepts', () => {
    const typed = Operation.insert(Customer, known)
    const check = () => checkedOperation(typed, 'execute of table people', undefined)
    expect(check).toThrow(InputError)
    expect(check).toThrow(
      'execute of table people: only the table of a union accepts the type of an entity. Omit it: Operation.insert(…).',
    )
  })

  it.each([undefined, null, 5, 'insert', {}, { kind: 'drop' }, known, () => known])(
    'rejects %o, which is not an operation',
    (given) => {
      const check = () => checkedOperation(given, 'execute of table people', undefined)
      expect(check).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
      expect(check).toThrow(/^execute of table people needs an operation/)
    },
  )
})
