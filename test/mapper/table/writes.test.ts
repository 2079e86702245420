import { Ignore, PartitionKey, Property, RowKey, type Table } from '@rowkey/mapper'
import { DateTimeValue, DynamicEntity, EntityProperty } from '@rowkey/odata'
import { gt, type Projection } from '@rowkey/query'
import {
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  TableNotFoundError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { invalidKey } from '../../support/rejections.ts'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable, losingAccount } from '../fresh-account.ts'

async function withJeff() {
  const fresh = await freshTable(Customer)
  const jeff = customer('Smith', 'Jeff', {
    customerEmailAddress: 'jeff@contoso.com',
    age: 39,
    rating: 3,
    points: 5n,
    since: DateTimeValue.parse('2017-11-10T02:46:55.7383596Z'),
  })
  await fresh.table.insert(jeff)
  fresh.sent.length = 0
  return { ...fresh, jeff }
}

describe('the writes of a table', () => {
  it('R-47: puts the new ETag and Timestamp on the object that was written', async () => {
    const { table } = await freshTable(Customer)
    const jeff = customer('Smith', 'Jeff')
    expect(await table.insert(jeff)).toBe(jeff)
    const inserted = jeff.etag
    expect(inserted).toMatch(/^W\//)
    expect(jeff.modified).toBeInstanceOf(Date)
    jeff.age = 40
    expect(await table.merge(jeff)).toBe(jeff)
    expect(jeff.etag).not.toBe(inserted)
    const merged = jeff.etag
    await table.replace(jeff)
    expect(jeff.etag).not.toBe(merged)
    expect((await table.get(['Smith', 'Jeff'])).etag).toBe(jeff.etag)
  })

  it('R-48: returns the stored entity with an echo', async () => {
    const { table, sent } = await freshTable(Customer)
    const jeff = customer('Smith', 'Jeff', { age: 39 })
    const stored = await table.insert(jeff, { echo: true })
    expect(sent[0]?.headers.prefer).toBe('return-content')
    expect(stored).not.toBe(jeff)
    expect(stored).toBeInstanceOf(Customer)
    expect(stored).toMatchObject({ lastName: 'Smith', firstName: 'Jeff', age: 39, etag: jeff.etag })
    stored.age = 40
    await table.merge(stored)
    expect(await table.insert(customer('Smith', 'Ben'), { echo: false })).toMatchObject({
      firstName: 'Ben',
    })
    expect(sent.at(-1)?.headers.prefer).toBe('return-no-content')
  })

  it('R-135: creates an entity, and overwrites one on request', async () => {
    const { table } = await withJeff()
    const other = () => customer('Smith', 'Jeff', { age: 1 })
    await expect(table.insert(other())).rejects.toThrow(EntityAlreadyExistsError)
    await table.insertOrReplace(other())
    const { etag, modified, ...stored } = await table.get(['Smith', 'Jeff'])
    expect(stored).toEqual({ ...other() })
  })

  it('inserts an entity once', async () => {
    const { table } = await withJeff()
    await expect(table.insert(customer('Smith', 'Jeff'))).rejects.toThrow(EntityAlreadyExistsError)
  })

  it('R-07: sends no write of an entity that lacks a key', async () => {
    const { table, sent } = await freshTable(Customer)
    const keyless = () => customer('Smith', undefined as unknown as string)
    for (const method of ['insert', 'replace', 'merge', 'insertOrMerge', 'delete'] as const) {
      await expect(table[method](keyless())).rejects.toThrow(invalidKey)
    }
    expect(sent).toEqual([])
  })

  it('gets an entity by its key in either form', async () => {
    const { table } = await withJeff()
    const jeff = await table.get(['Smith', 'Jeff'])
    expect(jeff).toBeInstanceOf(Customer)
    expect(jeff.greet()).toBe('Hello Jeff')
    expect(await table.get({ partitionKey: 'Smith', rowKey: 'Jeff' })).toEqual(jeff)
    expect(jeff.since?.toJSON()).toBe('2017-11-10T02:46:55.7383596Z')
  })

  it('R-138: get throws for a missing entity, and find returns undefined', async () => {
    const { table, account } = await withJeff()
    await expect(table.get(['Smith', 'Ann'])).rejects.toThrow(EntityNotFoundError)
    expect(await table.find(['Smith', 'Ann'])).toBeUndefined()
    expect((await table.find(['Smith', 'Jeff']))?.points).toBe(5n)
    await expect(account.table('nowhere').find(['a', 'b'])).rejects.toThrow(TableNotFoundError)
  })

  it('R-45: merges changed properties and keeps the rest', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.get(['Smith', 'Jeff'])
    jeff.points = 6n
    await table.merge(jeff)
    expect(sent.at(-1)?.body).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","points@odata.type":"Edm.Int64","points":"6"}',
    )
    const after = await table.get(['Smith', 'Jeff'])
    expect(after).toMatchObject({ points: 6n, age: 39, customerEmailAddress: 'jeff@contoso.com' })
  })

  it('sends nothing when nothing changed', async () => {
    const { table, sent } = await withJeff()
    const jeff = await table.get(['Smith', 'Jeff'])
    sent.length = 0
    expect(await table.merge(jeff)).toBe(jeff)
    expect(sent).toEqual([])
  })

  it('R-45: replaces the whole entity', async () => {
    const { table } = await withJeff()
    await table.replace(customer('Smith', 'Jeff', { age: 40 }), { etag: '*' })
    const after = await table.get(['Smith', 'Jeff'])
    expect(after.age).toBe(40)
    expect(after.points).toBeUndefined()
  })

  it('R-45: merges and replaces only existing entities', async () => {
    const { table } = await freshTable(Customer)
    const ann = () => customer('Smith', 'Ann', { age: 5 })
    await expect(table.merge(ann(), { etag: '*' })).rejects.toThrow(EntityNotFoundError)
    await expect(table.replace(ann(), { etag: '*' })).rejects.toThrow(EntityNotFoundError)
  })

  it('R-46: never overwrites the change of another client, unless the caller asks for it', async () => {
    const { table } = await withJeff()
    const [mine, theirs] = [await table.get(['Smith', 'Jeff']), await table.get(['Smith', 'Jeff'])]
    theirs.age = 40
    await table.merge(theirs)
    mine.age = 41
    await expect(table.merge(mine)).rejects.toThrow(ETagMismatchError)
    await expect(table.replace(mine)).rejects.toThrow(ETagMismatchError)
    await expect(table.delete(mine)).rejects.toThrow(ETagMismatchError)
    await table.merge(mine, { etag: '*' })
    expect((await table.get(['Smith', 'Jeff'])).age).toBe(41)
  })

  it('R-46: sends nothing without an ETag', async () => {
    const { table, sent } = await freshTable(Customer)
    for (const call of [
      () => table.merge(customer('a', 'b', { age: 5 })),
      () => table.replace(customer('a', 'b')),
      () => table.delete(['a', 'b']),
    ]) {
      await expect(call()).rejects.toThrow(expect.objectContaining({ code: 'MissingETag' }))
    }
    expect(sent).toEqual([])
  })

  describe.each([
    ['insertOrMerge', (table: Table<Customer>, jeff: Customer) => table.insertOrMerge(jeff)],
    ['merge', (table: Table<Customer>, jeff: Customer) => table.merge(jeff, { etag: '*' })],
    [
      'a batch',
      (table: Table<Customer>, jeff: Customer) => table.batch().insertOrMerge(jeff).submit(),
    ],
  ])('after %s past what others stored', (_, write) => {
    async function withShoe() {
      const fresh = await withJeff()
      const raw = fresh.account.table('customers')
      const wear = (shoe: number) =>
        raw.merge(new DynamicEntity('Smith', 'Jeff', { shoe }), { etag: '*' })
      await wear(43)
      const jeff = await fresh.table.get(['Smith', 'Jeff'])
      await wear(44)
      jeff.age = 40
      await write(fresh.table, jeff)
      const shoe = async () => (await raw.get(['Smith', 'Jeff'])).get('shoe')?.value
      return { ...fresh, jeff, shoe }
    }

    it('a replace does not bring back what the class does not declare', async () => {
      const { table, jeff, sent, shoe } = await withShoe()
      sent.length = 0
      await expect(table.replace(jeff)).rejects.toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
      )
      expect(() => table.batch().replace(jeff)).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
      )
      expect(sent).toEqual([])
      await table.reload(jeff)
      await table.replace(jeff)
      expect(await shoe()).toBe(44)
    })

    it('a merge is sent, and an overwrite is unconditional', async () => {
      const { table, jeff, shoe } = await withShoe()
      jeff.age = 41
      await table.merge(jeff)
      expect(await shoe()).toBe(44)
      await table.replace(jeff, { etag: '*' })
      expect(await shoe()).toBe(43)
      await table.replace(jeff)
    })
  })

  it('replaces an entity that was never read only by an ETag of the caller', async () => {
    const { table, sent } = await withJeff()
    const jeff = customer('Smith', 'Jeff', { age: 40 })
    await table.insertOrMerge(jeff)
    await table.insertOrMerge(jeff)
    sent.length = 0
    await expect(table.replace(jeff)).rejects.toMatchObject({ code: 'ProjectedEntity' })
    const copy = customer('Smith', 'Jeff', { age: 40, etag: jeff.etag as string })
    await expect(table.replace(copy)).rejects.toMatchObject({ code: 'ProjectedEntity' })
    expect(sent).toEqual([])
    expect((await table.get(['Smith', 'Jeff'])).points).toBe(5n)
    await table.replace(copy, { etag: jeff.etag })
    expect((await table.get(['Smith', 'Jeff'])).points).toBeUndefined()
    await table.replace(jeff, { etag: '*' })
    await table.replace(jeff)
  })

  it('R-44: inserts or merges, and inserts or replaces, in one request', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insertOrMerge(customer('Smith', 'Jeff', { age: 39, points: 5n }))
    await table.insertOrMerge(customer('Smith', 'Jeff', { age: 40 }))
    expect(sent).toHaveLength(2)
    expect(await table.get(['Smith', 'Jeff'])).toMatchObject({ age: 40, points: 5n })
    await table.insertOrReplace(customer('Smith', 'Jeff', { age: 41 }))
    expect((await table.get(['Smith', 'Jeff'])).points).toBeUndefined()
  })

  it('R-51: deletes by key alone', async () => {
    const { table } = await withJeff()
    await table.delete(['Smith', 'Jeff'], { etag: '*' })
    expect(await table.find(['Smith', 'Jeff'])).toBeUndefined()
    await expect(table.delete(['Smith', 'Jeff'], { etag: '*' })).rejects.toThrow(
      EntityNotFoundError,
    )
  })

  it('deletes an entity that was read, by its ETag', async () => {
    const { table, jeff, sent } = await withJeff()
    await table.delete(jeff)
    expect(sent.at(-1)?.headers['if-match']).toBe(jeff.etag)
    expect(await table.find(['Smith', 'Jeff'])).toBeUndefined()
  })

  it('R-52: writes the same object again and again', async () => {
    const { table } = await withJeff()
    const heartbeat = await table.get(['Smith', 'Jeff'])
    for (const points of [6n, 7n, 8n]) {
      heartbeat.points = points
      await table.merge(heartbeat)
    }
    expect((await table.get(['Smith', 'Jeff'])).points).toBe(8n)
  })

  it('rejects a value of the wrong type before anything is sent', async () => {
    const { table, sent } = await freshTable(Customer)
    const wrong = customer('Smith', 'Jeff', { points: 'five' as unknown as bigint })
    await expect(table.insert(wrong)).rejects.toMatchObject({
      name: 'InputError',
      code: 'InvalidPropertyValue',
    })
    await expect(table.insert(wrong)).rejects.toThrow(
      /Customer\.points.* is not a valid Int64\. Use /,
    )
    expect(sent).toEqual([])
  })

  it('rejects options that a call does not have', async () => {
    const { table, sent } = await freshTable(Customer)
    const misspelt = { timeuot: 5 } as object
    const etag = { etag: '*' } as object
    await expect(table.merge(customer('a', 'b'), misspelt)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(table.insert(customer('a', 'b'), etag)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(table.get(['a', 'b'], etag)).rejects.toThrow(/get of table customers .*'etag'/)
    expect(sent).toEqual([])
  })

  it('gives up when its signal aborts', async () => {
    const { table } = await withJeff()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(table.get(['Smith', 'Jeff'], { signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('what a class does not declare', () => {
  class Part {
    @PartitionKey() lastName = ''
    @RowKey() firstName = ''
    @Property() age?: number
  }

  it('survives merge and replace with its exact type', async () => {
    const { account, jeff } = await withJeff()
    const parts = account.table(Part, 'customers')
    const part = await parts.get(['Smith', 'Jeff'])
    part.age = 40
    await parts.replace(part)
    part.age = 41
    await parts.merge(part)
    const after = await account.table(Customer).get(['Smith', 'Jeff'])
    expect({ ...after, etag: '', modified: 0 }).toEqual({ ...jeff, age: 41, etag: '', modified: 0 })
    const raw = await account.table('customers').get(['Smith', 'Jeff'])
    expect(raw.get('rating')?.type).toBe('Double')
    expect(raw.get('since')?.as('DateTime').toJSON()).toBe('2017-11-10T02:46:55.7383596Z')
  })
})

describe('queries of a table', () => {
  it('use the names and types of the class', async () => {
    const { table, sent } = await withJeff()
    await table.insert(customer('Smith', 'Ann', { points: 1n }))
    const found = await table
      .query()
      .where({ lastName: 'Smith', points: gt(2n) })
      .toArray()
    expect(found.map(({ firstName }) => firstName)).toEqual(['Jeff'])
    expect(found[0]).toBeInstanceOf(Customer)
    expect(decodeURIComponent(sent.at(-1)?.query ?? '')).toContain(
      "PartitionKey eq 'Smith' and points gt 2L",
    )
  })

  it('R-36, R-165: read a projection whose rows can still be merged and deleted', async () => {
    const { table, sent } = await withJeff()
    const smiths = table.query().where({ lastName: 'Smith' })
    const [row] = await smiths.select('customerEmailAddress').toArray()
    const part = row as Projection<Customer, 'customerEmailAddress'>
    expect(part.customerEmailAddress).toBe('jeff@contoso.com')
    Object.assign(part, { customerEmailAddress: 'jeff@fabrikam.com' })
    await table.merge(part)
    expect(sent.at(-1)?.body).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","cea":"jeff@fabrikam.com"}',
    )
    expect((await table.get(['Smith', 'Jeff'])).points).toBe(5n)
    await table.delete(part)
    expect(await table.find(['Smith', 'Jeff'])).toBeUndefined()
  })

  it('R-37: merge a part of an entity without its initial values and computed members', async () => {
    class Employee {
      @PartitionKey() department = ''
      @RowKey() id = ''
      salary = 1000
      grade = 'new'
      @Property() get title(): string {
        return `${this.grade} ${this.department}`
      }
    }
    const { table, sent } = await freshTable(Employee, 'employees')
    await table.insert(
      Object.assign(new Employee(), { department: 'Sales', id: '1', salary: 5000, grade: 'old' }),
    )
    const [part] = await table.query().where({ department: 'Sales' }).select('salary').toArray()
    Object.assign(part as object, { salary: 5250 })
    await table.merge(part as Employee)
    expect(sent.at(-1)?.body).toBe('{"PartitionKey":"Sales","RowKey":"1","salary":5250}')
    expect(await table.get(['Sales', '1'])).toMatchObject({ grade: 'old', title: 'old Sales' })
    const titled = await table.query().where({ department: 'Sales' }).select('title').first()
    expect(titled.title).toBe('old Sales')
    await table.reload(Object.assign(titled, { grade: 'lost' }) as Employee)
    Object.assign(titled, { grade: 'new' })
    expect(titled.title).toBe('new Sales')
  })

  it('merge, reload and delete a projection whose key is computed from properties that it lacks', async () => {
    class Badge {
      @Property() shop = ''
      @Property() no = 0
      @Property() name = ''
      @PartitionKey() get place(): string {
        return `shop-${this.shop}`
      }
      @RowKey() get id(): string {
        return `no-${this.no}`
      }
    }
    const { table } = await freshTable(Badge, 'badges')
    const key = ['shop-a', 'no-1'] as const
    await table.insert(Object.assign(new Badge(), { shop: 'a', no: 1, name: 'Ann' }))
    const read = table
      .query()
      .where((badge) => badge.place.eq('shop-a'))
      .select('name')
    const part = (await read.first()) as Badge
    expect([part.place, part.id]).toEqual(key)
    part.name = 'Anna'
    await table.merge(part)
    expect(await table.get(key)).toMatchObject({ shop: 'a', no: 1, name: 'Anna' })
    await table.reload(part)
    expect(part).toEqual(await table.get(key))
    part.shop = 'b'
    await expect(table.merge(part)).rejects.toMatchObject({ code: 'ChangedKey' })
    await table.delete((await read.first()) as Badge)
    expect(await table.find(key)).toBeUndefined()
  })

  it('R-37: reject an attempt to replace an entity by a part of it', async () => {
    const { table, sent } = await withJeff()
    const [part] = await table.query().where({ lastName: 'Smith' }).select('age').toArray()
    sent.length = 0
    const whole = part as unknown as Customer
    await expect(table.replace(whole)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    await expect(table.insertOrReplace(whole)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(sent).toEqual([])
  })

  it('R-40: reject a scan of the table without an opt-in', async () => {
    const { table } = await withJeff()
    await expect(table.query().toArray()).rejects.toMatchObject({ code: 'TableScan' })
    expect(await table.query().allowTableScan().toArray()).toHaveLength(1)
  })

  it('R-35: continue from a token in another process', async () => {
    const { table, account } = await withJeff()
    await table.insert(customer('Smith', 'Ken'))
    const smiths = table.query().where({ lastName: 'Smith' }).pageSize(1)
    const pages = smiths.byPage()
    const first = await pages.next()
    const continuationToken = first.value?.continuationToken
    const again = account.table(Customer).query().where({ lastName: 'Smith' }).pageSize(1)
    const rest: string[] = []
    for await (const { items } of again.byPage({ continuationToken })) {
      rest.push(...items.map(({ firstName }) => firstName))
    }
    expect(rest).toEqual(['Ken'])
  })
})

describe('keys', () => {
  class Place {
    state = 'WA'
    city = 'Seattle'
    @Ignore() note = ''
    @RowKey() name = ''
    @PartitionKey() get key(): string {
      return `${this.state};${this.city}`
    }
  }

  it('R-100: may be computed, and are guarded against change', async () => {
    const { table } = await freshTable(Place, 'places')
    await table.insert(Object.assign(new Place(), { name: 'Space Needle' }))
    const place = await table.get(['WA;Seattle', 'Space Needle'])
    expect(place.key).toBe('WA;Seattle')
    place.city = 'Tacoma'
    await expect(table.merge(place)).rejects.toThrow(/was read as \["WA;Seattle",/)
    expect(await table.find(['WA;Seattle', 'Space Needle'])).toBeDefined()
  })
})

describe('a table of entities without a declared class', () => {
  it('R-95: keeps every type, and merges what changed', async () => {
    const { account, sent } = freshAccount()
    const people = account.table('people')
    await people.create()
    const jeff = new DynamicEntity('Smith', 'Jeff', { points: 5n, note: 'x' })
    jeff.set('rating', EntityProperty.double(3))
    await people.insert(jeff)
    const read = await people.get(['Smith', 'Jeff'])
    read.set('note', 'y')
    await people.merge(read)
    expect(sent.at(-1)?.body).toBe('{"PartitionKey":"Smith","RowKey":"Jeff","note":"y"}')
    expect((await people.get(['Smith', 'Jeff'])).get('rating')).toEqual(EntityProperty.double(3))
    await people.delete(read)
    expect(await people.find(['Smith', 'Jeff'])).toBeUndefined()
  })

  it('is queried by any property', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 39 }))
    await people.insert(new DynamicEntity('Smith', 'Ann', { age: 20 }))
    const found = await people
      .query()
      .where({ partitionKey: 'Smith', age: gt(30) })
      .toArray()
    expect(found.map(({ rowKey }) => rowKey)).toEqual(['Jeff'])
  })

  it('R-37: rejects an attempt to replace an entity by a part of it', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 39, points: 5n }))
    const [part] = await people.query().where({ partitionKey: 'Smith' }).select('age').toArray()
    await expect(people.replace(part as DynamicEntity)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
  })
})

describe('after a write that is in doubt', () => {
  const writes = ['merge', 'replace', 'insertOrMerge', 'insertOrReplace'] as const

  it.each([...writes, 'batch'] as const)(
    'of %s, a merge sends what was there before',
    async (how) => {
      const { account, lose } = losingAccount()
      const table = account.table(Customer)
      await table.create()
      const jeff = await table.insert(customer('Smith', 'Jeff', { age: 1 }))
      const { etag } = jeff
      jeff.age = 2
      lose(true)
      const sent = how === 'batch' ? table.batch().merge(jeff).submit() : table[how](jeff)
      await expect(sent).rejects.toMatchObject({ mayHaveApplied: true })
      lose(false)
      expect(jeff.etag).toBe(etag)
      jeff.age = 1
      await table.merge(jeff, { etag: '*' })
      expect((await table.get(['Smith', 'Jeff'])).age).toBe(1)
    },
  )

  it('a dynamic entity is merged whole, and a part of one stays a part', async () => {
    const { account, lose } = losingAccount()
    const people = account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 1, note: 'x' }))
    const part = await people.get(['Smith', 'Jeff'], { select: ['age'] })
    lose(true)
    await expect(people.merge(part.set('age', 2))).rejects.toMatchObject({ mayHaveApplied: true })
    lose(false)
    await people.merge(part.set('age', 1), { etag: '*' })
    expect((await people.get(['Smith', 'Jeff'])).get('age')?.value).toBe(1)
    await expect(people.replace(part)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
  })
})
