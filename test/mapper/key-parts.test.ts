import { Convert, type Converter, Entity, Int64, key, Property, StoreAs } from '@rowkey/mapper'
import { gt, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { freshTable } from './fresh-account.ts'

@Entity({ name: 'people', partitionKey: key`${'state'};${'city'}`, rowKey: key`p_${'badge:5'}` })
class Person {
  state!: string
  city = ''
  badge = 0
  @StoreAs('j') @Property('DateTime') joined?: Date
}

@Entity({ name: 'log', partitionKey: key`${'source:escaped'}`, rowKey: key`${'at:inverted'}` })
class LogEntry {
  @StoreAs('src') @Property() source = ''
  at!: Date
  @Property() text!: string
}

const person = (members: Partial<Person>) => Object.assign(new Person(), members)
const bodyOf = (request: { body?: unknown } | undefined) => JSON.parse(String(request?.body))

describe('a class whose keys are made of its properties', () => {
  it('R-174: stores state and city in one key, and reads both back', async () => {
    const { table, sent } = await freshTable(Person)
    const joined = new Date('2026-11-20T00:00:00Z')
    await table.insert(person({ state: 'WA', city: 'Seattle', badge: 7, joined }))
    expect(bodyOf(sent[0])).toMatchObject({ PartitionKey: 'WA;Seattle', RowKey: 'p_00007' })
    expect(Object.keys(bodyOf(sent[0]))).not.toContain('state')
    const read = await table.get({ state: 'WA', city: 'Seattle', badge: 7 })
    expect(read).toBeInstanceOf(Person)
    expect(read).toMatchObject({ state: 'WA', city: 'Seattle', badge: 7, joined })
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
  })

  it('R-100: is rejected when a part changed since it was read', async () => {
    const { table, sent } = await freshTable(Person)
    await table.insert(person({ state: 'WA', city: 'Seattle', badge: 7 }))
    const read = await table.get(['WA;Seattle', 'p_00007'])
    sent.length = 0
    for (const change of [{ state: 'OR' }, { city: 'Spokane' }, { badge: 8 }]) {
      const moved = Object.assign(await table.get(['WA;Seattle', 'p_00007']), change)
      await expect(table.merge(moved)).rejects.toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
      )
      await expect(table.replace(moved)).rejects.toThrow(/insert the entity under its new key/)
    }
    expect(read.city).toBe('Seattle')
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('R-36: reads the key parts of a row that did not select them', async () => {
    const { table } = await freshTable(Person)
    await table.insert(person({ state: 'WA', city: 'Seattle', badge: 7, joined: new Date(0) }))
    const [row] = await table
      .query()
      .where({ state: 'WA', city: 'Seattle' })
      .select('badge', 'joined')
      .toArray()
    expect(row).toMatchObject({ badge: 7, state: 'WA', joined: new Date(0) })
    if (row === undefined) throw new TypeError('no row')
    row.joined = new Date(1)
    await table.merge(row)
    expect((await table.get(['WA;Seattle', 'p_00007'])).joined).toEqual(new Date(1))
  })

  it('R-153: reads the newest rows of a log first', async () => {
    const { table } = await freshTable(LogEntry)
    for (const minute of [3, 1, 2]) {
      const at = new Date(Date.UTC(2026, 10, 20, 12, minute))
      await table.insert(Object.assign(new LogEntry(), { source: 'a/b', at, text: `${minute}` }))
    }
    const latest = await table.query().where({ source: 'a/b' }).take(2).toArray()
    expect(latest.map(({ text }) => text)).toEqual(['3', '2'])
    const since = new Date(Date.UTC(2026, 10, 20, 12, 2))
    const query = table.query().where((entry) => entry.source.eq('a/b').and(entry.at.ge(since)))
    expect(query.explain().plan).toBe('range')
    expect((await query.toArray()).map(({ text }) => text)).toEqual(['3', '2'])
  })

  it('stores a part twice on request', async () => {
    const { table, sent } = await freshTable(LogEntry)
    const entry = Object.assign(new LogEntry(), { source: 'a/b', at: new Date(0), text: 'x' })
    await table.insert(entry)
    expect(bodyOf(sent[0])).toMatchObject({ PartitionKey: 'a!2fb', src: 'a/b', text: 'x' })
    expect(await table.get({ source: 'a/b', at: new Date(0) })).toMatchObject({ source: 'a/b' })
  })

  it('finds a part by its own value where a converter stores another one beside the key', async () => {
    const reversed: Converter<string, string> = {
      type: 'String',
      comparable: true,
      toStored: (text) => [...text].reverse().join(''),
      fromStored: (text) => [...text].reverse().join(''),
    }
    @Entity({ name: 'codes', partitionKey: key`all`, rowKey: key`${'code'}_${'no:4'}` })
    class Code {
      @Convert(reversed) code = ''
      @Int64({ as: 'number' }) no = 0
    }
    const { table } = await freshTable(Code)
    for (const [code, no] of [['abc', 7] as const, ['abd', 8] as const])
      await table.insert(Object.assign(new Code(), { code, no }))
    const one = table.query().where({ code: 'abc', no: 7 })
    expect(one.explain().filter).toBe("PartitionKey eq 'all' and RowKey eq 'abc_0007'")
    expect(await one.count()).toBe(1)
    expect(
      await table
        .query()
        .where({ code: 'abd', no: gt(7) })
        .count(),
    ).toBe(1)
    // A range of converted text is one of the stored text.
    const some = table.query().where({ code: startsWith('bc') })
    expect(some.explain().filter).toBe("PartitionKey eq 'all' and code ge 'cb' and code lt 'cc'")
    expect(await some.count()).toBe(1)
  })

  it('keeps the parts that are also stored when a query does not select them', async () => {
    @Entity({ name: 'files', partitionKey: key`${'owner'}`, rowKey: key`${'path:hash'}_${'no:4'}` })
    class File {
      @Property('String') owner = ''
      @Property('String') path = ''
      @Property('Int32') no = 0
      @Property('String') title = 'untitled'
      @Property('Int32') size?: number
    }
    const { table, sent } = await freshTable(File)
    const file = { owner: 'ann', path: '/a', no: 7, title: 'A', size: 1 }
    await table.insert(Object.assign(new File(), file))
    const row = await table.query().where({ owner: 'ann' }).select('size').first()
    expect({ ...row }).toEqual({ ...file, title: undefined })
    row.size = 2
    sent.length = 0
    await table.merge(row)
    expect(sent.map(bodyOf)).toEqual([
      { PartitionKey: 'ann', RowKey: expect.stringMatching(/_0007$/), size: 2 },
    ])
    await table.delete(row)
    expect(await table.getMany([file])).toEqual([undefined])
  })
})
