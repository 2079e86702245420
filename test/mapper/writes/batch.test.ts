import { DynamicEntity } from '@rowkey/odata'
import { BatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

async function withSmiths() {
  const fresh = await freshTable(Customer)
  const { table } = fresh
  const names = ['Ann', 'Ben', 'Cat', 'Dan', 'Eve']
  const made = await Promise.all(names.map((name) => table.insert(customer('Smith', name))))
  fresh.sent.length = 0
  const [ann, ben, cat, dan, eve] = made as [Customer, Customer, Customer, Customer, Customer]
  return { ...fresh, ann, ben, cat, dan, eve }
}

describe('Batch', () => {
  it('R-54: mixes every kind of write in one request', async () => {
    const { table, sent, ann, ben, cat, dan, eve } = await withSmiths()
    const fay = customer('Smith', 'Fay', { age: 1 })
    Object.assign(ann, { age: 2 })
    Object.assign(dan, { points: 4n })
    await table
      .batch()
      .insert(fay)
      .merge(ann)
      .replace(ben)
      .delete(cat)
      .insertOrMerge(dan)
      .insertOrReplace(eve)
      .submit()
    expect(sent).toHaveLength(1)
    const names = await table.query().where({ lastName: 'Smith' }).toArray()
    expect(names.map(({ firstName, age, points }) => [firstName, age ?? points])).toEqual([
      ['Ann', 2],
      ['Ben', undefined],
      ['Dan', 4n],
      ['Eve', undefined],
      ['Fay', 1],
    ])
  })

  it('R-49, R-50: changes one property of rows of many types, and keeps the others', async () => {
    const staff = freshAccount().account.table('staff')
    await staff.create()
    const rows = Array.from({ length: 150 }, (_, i) =>
      i % 3 === 0
        ? new DynamicEntity('Sales', `dept${i}`, { head: 'Jeff' })
        : new DynamicEntity('Sales', `empl${i}`, { salary: 1000 + i, note: `n${i}` }),
    )
    for (const half of [rows.slice(0, 75), rows.slice(75)]) {
      const batch = staff.batch()
      for (const row of half) batch.insert(row)
      await batch.submit()
    }
    const read = await staff.query().where({ partitionKey: 'Sales' }).select('salary').toArray()
    const paid = read.filter((row) => row.has('salary'))
    expect(paid).toHaveLength(100)
    const batch = staff.batch()
    for (const row of paid) {
      row.set('salary', (row.get('salary')?.as('Int32') ?? 0) + 100)
      batch.merge(row)
    }
    await batch.submit()
    const raised = await staff.get(['Sales', 'empl1'])
    expect(raised.get('salary')?.as('Int32')).toBe(1101)
    expect(raised.get('note')?.as('String')).toBe('n1')
    expect((await staff.get(['Sales', 'dept0'])).has('salary')).toBe(false)
  })

  it('R-55: returns the results in the order of the changes', async () => {
    const { table, ann, ben } = await withSmiths()
    const fay = customer('Smith', 'Fay')
    ann.age = 2
    const results = await table.batch().insert(fay).delete(ben).merge(ann).submit()
    expect(results).toEqual([
      { etag: fay.etag, status: 204 },
      { etag: undefined, status: 204 },
      { etag: ann.etag, status: 204 },
    ])
    expect((await table.get(['Smith', 'Fay'])).etag).toBe(fay.etag)
    expect((await table.get(['Smith', 'Ann'])).etag).toBe(ann.etag)
  })

  it('R-53: changes nothing when one change fails, and no object either', async () => {
    const { table, ann, ben } = await withSmiths()
    const [annBefore, fay] = [ann.etag, customer('Smith', 'Fay')]
    ann.age = 2
    const batch = table.batch().insert(fay).merge(ann).replace(ben, { etag: 'W/"stale"' })
    await expect(batch.submit()).rejects.toThrow()
    expect(fay.etag).toBeUndefined()
    expect(ann.etag).toBe(annBefore)
    expect(await table.find(['Smith', 'Fay'])).toBeUndefined()
    expect((await table.get(['Smith', 'Ann'])).age).toBeUndefined()
    await table.merge(ann)
    expect((await table.get(['Smith', 'Ann'])).age).toBe(2)
  })

  it('counts the bytes of its request exactly', async () => {
    const { table, sent, ann, ben } = await withSmiths()
    const batch = table.batch()
    const empty = batch.bytes
    batch.insert(customer('Smith', 'Zoë', { customerEmailAddress: 'zoë@example.com' }))
    batch.merge(Object.assign(ann, { age: 2 })).delete(ben)
    const { bytes } = batch
    await batch.submit()
    expect(bytes).toBe(Buffer.byteLength(sent[0]?.body ?? ''))
    expect(empty).toBeLessThan(bytes)
  })

  it('counts the bytes of every kind of change, and of a read alone', async () => {
    const { table, sent, ann, ben, cat, dan, eve } = await withSmiths()
    Object.assign(dan, { points: 4n })
    const batch = table.batch().replace(ann).merge(ben, { etag: '*' }).delete(cat, { etag: '*' })
    batch.insertOrMerge(dan).insertOrReplace(eve)
    const retrieval = table.batch().retrieve(ann)
    const counted = [batch.bytes, retrieval.bytes]
    await batch.submit()
    await retrieval.submit()
    expect(sent.map(({ body }) => Buffer.byteLength(body ?? ''))).toEqual(counted)
  })

  it('rejects an invalid key and an entity that is too large when its bytes are counted', async () => {
    const { table, sent } = await withSmiths()
    const large = customer('Smith', 'Zoë', { customerEmailAddress: 'ö'.repeat(40_000) })
    const [tooLarge, invalidKey] = [table.batch(), table.batch()]
    tooLarge.insert(large)
    invalidKey.delete(['Smith', 'a/b'], { etag: '*' })
    const error = (code: string) => expect.objectContaining({ code })
    expect(() => tooLarge.bytes).toThrow(error('EntityTooLarge'))
    await expect(tooLarge.submit()).rejects.toEqual(error('EntityTooLarge'))
    expect(() => invalidKey.bytes).toThrow(error('InvalidEntityKey'))
    expect(sent).toEqual([])
  })

  it('R-56: names the change that failed', async () => {
    const { table, ann } = await withSmiths()
    const batch = table.batch().insert(customer('Smith', 'Fay')).insert(customer('Smith', 'Ben'))
    const error = await batch
      .merge(ann)
      .submit()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BatchError)
    expect(error).toMatchObject({
      code: 'EntityAlreadyExists',
      index: 1,
      change: { operation: 'insertEntity', key: { partitionKey: 'Smith', rowKey: 'Ben' } },
    })
  })

  it('fails on an outdated ETag of an entity that is merged without a change', async () => {
    const { table, ann, ben } = await withSmiths()
    const mine = await table.get(['Smith', 'Ann'])
    await table.replace(ann)
    ben.age = 5
    await expect(table.batch().merge(mine).merge(ben).submit()).rejects.toMatchObject({ index: 0 })
    await table.batch().merge(ann).merge(ben).submit()
    expect((await table.get(['Smith', 'Ben'])).age).toBe(5)
  })

  it.each([
    ['no change', (names: Customer[]) => names.slice(0, 0)],
    ['more than 100 changes', (names: Customer[]) => names],
    ['two partitions', (names: Customer[]) => [names[0] as Customer, customer('Jones', 'Ann')]],
    ['one entity twice', (names: Customer[]) => [names[0] as Customer, names[0] as Customer]],
  ])('R-53: sends nothing with %s', async (_what, some) => {
    const { table, sent } = await freshTable(Customer)
    const batch = table.batch()
    for (const each of some(Array.from({ length: 101 }, (_, at) => customer('Smith', `n${at}`)))) {
      batch.insert(each)
    }
    await expect(batch.submit()).rejects.toThrow(expect.objectContaining({ code: 'InvalidBatch' }))
    expect(sent).toEqual([])
  })

  it('sends an entity as it was when it was added', async () => {
    const { table } = await freshTable(Customer)
    const fay = customer('Smith', 'Fay', { age: 1 })
    const batch = table.batch().insert(fay)
    fay.age = 2
    await batch.submit()
    expect((await table.get(['Smith', 'Fay'])).age).toBe(1)
    await table.merge(fay)
    expect((await table.get(['Smith', 'Fay'])).age).toBe(2)
  })

  it('R-46: rejects a change without an ETag where it is added', async () => {
    const { table } = await freshTable(Customer)
    const batch = table.batch()
    expect(() => batch.merge(customer('a', 'b', { age: 1 }))).toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
    expect(() => batch.replace(customer('a', 'b'))).toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
    expect(() => batch.delete(['a', 'b'])).toThrow(expect.objectContaining({ code: 'MissingETag' }))
    expect(batch.size).toBe(0)
    expect(batch.delete(['a', 'b'], { etag: '*' }).size).toBe(1)
  })

  it('R-54: reads one entity, which is in the result, or none', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', '10%', { age: 39 }))
    sent.length = 0
    const [found] = await table.batch().retrieve(['Smith', '10%']).submit()
    expect(found?.entity).toBeInstanceOf(Customer)
    expect(found).toMatchObject({ etag: expect.stringMatching(/^W/), entity: { age: 39 } })
    const [missing] = await table.batch().retrieve(['Smith', 'Zoe']).submit()
    expect(missing).toEqual({ etag: undefined, status: 404 })
    expect(sent.map(({ path }) => path.endsWith('/$batch'))).toEqual([true, true])
  })

  it('R-54: reads only alone', async () => {
    const { table, sent } = await freshTable(Customer)
    const both = table.batch().insert(customer('Smith', 'Ann')).retrieve(['Smith', 'Jeff'])
    await expect(both.submit()).rejects.toThrow(expect.objectContaining({ code: 'InvalidBatch' }))
    const twice = table.batch().retrieve(['Smith', 'Ann']).retrieve(['Smith', 'Jeff'])
    await expect(twice.submit()).rejects.toThrow(expect.objectContaining({ code: 'InvalidBatch' }))
    expect(sent).toEqual([])
  })

  it('rejects unknown options', async () => {
    const { table, sent, ann } = await withSmiths()
    const misspelt = { eatg: '*' } as object
    expect(() => table.batch().merge(ann, misspelt)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => table.batch().replace(ann, misspelt)).toThrow(/replace of a batch has no option/)
    expect(() => table.batch().delete(ann, misspelt)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(table.batch().insert(ann).submit(misspelt)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(sent).toEqual([])
  })

  it('accepts entities without a declared class', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    const jeff = new DynamicEntity('Smith', 'Jeff', { age: 39 })
    await people.batch().insert(jeff).insert(new DynamicEntity('Smith', 'Ann')).submit()
    expect(jeff.etag).toBe((await people.get(['Smith', 'Jeff'])).etag)
  })
})
