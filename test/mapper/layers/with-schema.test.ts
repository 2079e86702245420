import {
  Entity,
  ETag,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  SchemaError,
  StoreAs,
} from '@rowkey/mapper'
import { DecodeError, DynamicEntity } from '@rowkey/odata'
import { insertEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshTable } from '../fresh-account.ts'
import { objectsOf } from '../object-codec.ts'
import { at, freshOrders } from '../orders-with-defaults.ts'
import { readPart } from '../read-part.ts'

const schema = z.object({
  name: z.string().trim().min(1),
  age: z.int32().min(0).optional(),
  points: z.bigint().default(0n),
})

@Entity({ name: 'people', schema })
class Person {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @StoreAs('n') name!: string
  age?: number
  points!: bigint
  @Property('Double') rating = 1
  @ETag() etag?: string
}

@Entity({ name: 'people', schema: z.object({ list: z.array(z.string()) }) })
class Listed {
  @PartitionKey() team!: string
  @RowKey() id!: string
  list: string[] = []
}

const person = (members: Partial<Person>) =>
  Object.assign(new Person(), { team: 'a', id: '1', name: 'Jeff' }, members)

describe('a class with a schema', () => {
  it('stores the properties of the schema with their types', () => {
    const columns = modelOf(Person).columns.map(({ property, name, type }) => [
      property,
      name,
      type,
    ])
    expect(columns).toContainEqual(['name', 'n', 'String'])
    expect(columns).toContainEqual(['age', 'age', 'Int32'])
    expect(columns).toContainEqual(['points', 'points', 'Int64'])
    expect(columns).toContainEqual(['rating', 'rating', 'Double'])
  })

  it('checks what it writes, and updates the object with the output of the schema', async () => {
    const { table, sent } = await freshTable(Person)
    const jeff = person({ name: ' Jeff ' })
    await table.insert(jeff)
    expect(jeff).toMatchObject({ name: 'Jeff', points: 0n })
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ n: 'Jeff', points: '0' })
    await expect(table.replace(Object.assign(jeff, { age: -1 }))).rejects.toThrow(SchemaError)
    await expect(table.merge(jeff)).rejects.toThrow(
      /^\["a","1"\] of Person cannot be written.* age: /,
    )
    expect(sent).toHaveLength(1)
  })

  it('is read as an instance, and checked', async () => {
    const { table } = await freshTable(Person)
    await table.insert(person({ age: 30 }))
    const jeff = await table.get(['a', '1'])
    expect(jeff).toBeInstanceOf(Person)
    expect(jeff).toMatchObject({ name: 'Jeff', age: 30, points: 0n, rating: 1 })
    const codec = objectsOf(modelOf(Person))
    const wrong = { PartitionKey: 'a', RowKey: '1', n: '', age: 30 }
    for (const call of [() => codec.read(wrong), () => readPart(codec, wrong)]) {
      expect(call).toThrow(DecodeError)
      expect(call).toThrow(
        expect.objectContaining({
          code: 'SchemaMismatch',
          details: { partitionKey: 'a', rowKey: '1' },
        }),
      )
      expect(call).toThrow(/^\["a","1"\] of Person cannot be read, .* name: /)
    }
    expect(readPart(codec, { PartitionKey: 'a', RowKey: '1', age: 30 })).toMatchObject({ age: 30 })
  })

  it('stores arrays and objects as JSON, without a decorator', async () => {
    const { table, account } = await freshTable(Listed)
    await table.insert(Object.assign(new Listed(), { team: 'a', id: '1', list: ['x'] }))
    expect((await account.table('people').get(['a', '1'])).get('list')?.value).toBe('["x"]')
    const read = await table.get(['a', '1'])
    read.list.push('y')
    await table.merge(read)
    expect((await table.get(['a', '1'])).list).toEqual(['x', 'y'])
  })
})

describe('what a schema makes of values', () => {
  it('is stored by a merge as it is by an insert', async () => {
    const { table, sent } = await freshTable(Person)
    const jeff = await table.insert(person({ name: 'Jeff' }))
    sent.length = 0
    await table.merge(Object.assign(jeff, { name: ' Jeff ' }))
    expect([jeff.name, sent.length]).toEqual(['Jeff', 0])
    await table.merge(Object.assign(jeff, { name: ' Ann ' }))
    expect([jeff.name, (await table.get(['a', '1'])).name]).toEqual(['Ann', 'Ann'])
  })

  it('is stored of a frozen object too, which stays as it is', async () => {
    const { table, account } = await freshTable(Person)
    const frozen = Object.freeze(person({ name: ' Jeff ' }))
    await table.insert(frozen)
    expect(frozen.name).toBe(' Jeff ')
    const stored = await account.table('people').get(['a', '1'])
    expect([stored.get('n')?.value, stored.get('points')?.value]).toEqual(['Jeff', 0n])
    await table.replace(frozen, { etag: '*' })
    expect((await table.get(['a', '1'])).name).toBe('Jeff')
  })
})

describe('a class whose schema makes another key of the values', () => {
  @Entity({ name: 'members', schema: z.object({ mail: z.string().toLowerCase(), n: z.int32() }) })
  class Member {
    @PartitionKey() mail!: string
    @RowKey() id = '1'
    n = 0
    @ETag() etag?: string
  }
  const member = (mail: string) => Object.assign(new Member(), { mail })

  it('is stored under that key, by every write of the whole', async () => {
    const { table } = await freshTable(Member)
    const given = [member('A'), member('B'), member('C')] as const
    await table.insert(given[0])
    await table.insertOrReplace(given[1])
    await table.insertOrMerge(given[2])
    expect(given.map(({ mail }) => mail)).toEqual(['a', 'b', 'c'])
    for (const { mail } of given) expect((await table.get([mail, '1'])).etag).toBeDefined()
  })

  it('is found by an object that shows the other key, such as a frozen one', async () => {
    const { table } = await freshTable(Member)
    const frozen = Object.freeze(member('A'))
    expect(await table.insertOrReplace(frozen)).toMatchObject({ mail: 'a' })
    expect(frozen.mail).toBe('A')
    await table.delete(frozen, { etag: '*' })
    expect(await table.exists(['a', '1'])).toBe(false)
  })

  it('is merged into the entity that it was read from, under its old key', async () => {
    const { table, service } = await freshTable(Member)
    const key = { partitionKey: 'A', rowKey: '1' }
    await perform(service, insertEntity, {
      table: 'members',
      key,
      body: '{"PartitionKey":"A","RowKey":"1","mail":"A","n":1}',
    })
    const read = await table.get(['A', '1'])
    read.n = 2
    await table.merge(read)
    expect(await table.get(['A', '1'])).toMatchObject({ mail: 'A', n: 2 })
    read.n = 3
    await table.replace(read)
    expect(await table.get(['A', '1'])).toMatchObject({ mail: 'A', n: 3 })
    expect(await table.find(['a', '1'])).toBeUndefined()
  })
})

describe('a replace of an entity that was read', () => {
  async function untrimmed(rest: Record<string, string> = {}) {
    const { table, account } = await freshTable(Person)
    const raw = account.table('people')
    await raw.insert(new DynamicEntity('a', '1', { n: ' Jeff ', ...rest }))
    const stored = async () => (await raw.get(['a', '1'])).get('n')?.value
    return { table, jeff: await table.get(['a', '1']), stored }
  }

  it('keeps values that the schema would change, while the caller does not change them', async () => {
    const { table, jeff, stored } = await untrimmed()
    jeff.age = 5
    await table.replace(jeff)
    expect([jeff.name, await stored()]).toEqual(['Jeff', ' Jeff '])
  })

  it("stores the schema's output for the values that the caller assigned", async () => {
    const { table, jeff, stored } = await untrimmed()
    jeff.name = ' Ann '
    await table.replace(jeff)
    expect([jeff.name, await stored()]).toEqual(['Ann', 'Ann'])
  })
})

describe('a check over several properties', () => {
  const range = z
    .object({ low: z.int32(), high: z.int32(), note: z.string().optional() })
    .refine(({ low, high }) => low < high, 'low must be below high')

  @Entity({ name: 'ranges', schema: range })
  class Range {
    @PartitionKey() team = 'a'
    @RowKey() id = '1'
    low!: number
    high!: number
    note?: string
  }
  const rangeOf = (low: number, high: number) => Object.assign(new Range(), { low, high })

  it('rejects a merge and a modify after which the entity could not be read', async () => {
    const { table } = await freshTable(Range)
    await table.insert(rangeOf(1, 2))
    const read = await table.get(['a', '1'])
    read.low = 5
    const problem = expect.objectContaining({
      code: 'SchemaMismatch',
      message: expect.stringContaining('low must be below high'),
    })
    await expect(table.merge(read)).rejects.toThrow(problem)
    expect(() => table.batch().merge(read)).toThrow(problem)
    const raise = table.modify(['a', '1'], (stored) => {
      stored.low = 5
    })
    await expect(raise).rejects.toThrow(problem)
    read.high = 6
    await table.merge(read)
    expect(await table.get(['a', '1'])).toMatchObject({ low: 5, high: 6 })
  })

  it('leaves alone what the object does not know', async () => {
    const { table } = await freshTable(Range)
    await table.insert(rangeOf(1, 9))
    const [part] = await table.query().where({ team: 'a' }).select('low').toArray()
    await table.merge(Object.assign(part as Range, { low: 8 }))
    const unread: object = { team: 'a', id: '1', low: 7 }
    for (const low of [7, 6]) {
      await table.merge(Object.assign(new Range(), unread, { low }), { etag: '*' })
    }
    const known = Object.assign(new Range(), unread)
    await table.merge(known, { etag: '*' })
    known.low = 5
    await table.merge(known, { etag: '*' })
    expect(await table.get(['a', '1'])).toMatchObject({ low: 5, high: 9 })
  })

  it('reads leniently what was stored before, and merges it', async () => {
    @Entity({ name: 'ranges', schema: range, read: 'lenient' })
    class LenientRange extends Range {}
    const { table, account } = await freshTable(LenientRange)
    await account.table('ranges').insert(new DynamicEntity('a', '1', { low: 3, high: 2 }))
    const read = await table.get(['a', '1'])
    read.note = 'old'
    await table.merge(read)
    expect((await table.get(['a', '1'])).note).toBe('old')
  })
})

describe('a class with a schema', () => {
  @Entity({
    name: 'people',
    schema: z.object({
      nick: z.string().nullable(),
      state: z.string().default('new'),
      tags: z.array(z.string()).default([]),
      level: z.preprocess((level) => level ?? 5, z.number()),
    }),
  })
  class Person {
    @PartitionKey() team = 'a'
    @RowKey() id = '1'
    nick: string | null = null
    state!: string
    tags!: string[]
    level!: number
    @Property('Double') rating?: number
  }

  it('R-69: reads what it has written: null, defaults, arrays', async () => {
    const { table } = await freshTable(Person)
    const person = Object.assign(new Person(), { tags: ['x'], rating: 2 })
    await table.insert(person)
    const shown = { nick: null, state: 'new', tags: ['x'], level: 5, rating: 2 }
    expect(person).toMatchObject(shown)
    const read = await table.get(['a', '1'])
    expect(read).toBeInstanceOf(Person)
    expect(read).toMatchObject(shown)
  })

  it('shows defaults where nothing is stored', async () => {
    const { table, account } = await freshTable(Person)
    await account.table('people').insert({ partitionKey: 'a', rowKey: '1' })
    expect(await table.get(['a', '1'])).toMatchObject({
      nick: null,
      state: 'new',
      tags: [],
      level: 5,
    })
  })
})

describe('a write that fails', () => {
  it('R-69: leaves the object of the caller as it is', async () => {
    const { orders } = await freshOrders()
    await orders.insert(at)
    const given = { ...at, cfg: { level: '5' } }
    const before = structuredClone(given)
    await expect(orders.insert(given as never)).rejects.toThrow()
    expect(given).toEqual(before)
    expect(() => orders.batch().insert(given as never)).not.toThrow()
    expect(given).toEqual(before)
    await orders.insertOrReplace(given as never)
    expect(given).toMatchObject({ state: 'open', cfg: { level: 5, retries: 3 } })
  })

  it('leaves a change alone that the caller makes while it is sent', async () => {
    const { orders } = await freshOrders()
    const given: { p: string; r: string; state?: 'sent'; note?: string } = { ...at }
    const written = orders.insert(given)
    given.state = 'sent'
    await written
    expect(given.state).toBe('sent')
  })
})
