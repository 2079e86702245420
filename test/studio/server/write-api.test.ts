import { DynamicEntity, EntityProperty } from 'rowkey'
import { afterAll, describe, expect, it } from 'vitest'
import type { Assignment, ShownRow } from '../../../packages/studio/src/server/wire.ts'
import { everyType } from '../../cli/with-tables.ts'
import { writablePeople } from '../writable-people.ts'

const { studio, people, address, stored, shown } = await writablePeople()
afterAll(() => studio[Symbol.asyncDispose]())

describe('a table with indexes or sums', () => {
  it('has a warning that the studio does not update them, and other tables have none', async () => {
    const { account } = studio.tables
    await account.createTable('indexed')
    await account.table('indexed').insert(new DynamicEntity('~rk~', '~rk~cat~~'))
    const warning = await studio.get('/api/warning', { table: 'indexed' })
    expect(warning.warning).toMatch(
      /^indexed has indexes or sums .* only programs with its models update/,
    )
    expect(await studio.get('/api/warning', { table: 'people' })).toEqual({})
  })
})

describe('an edit', () => {
  it('changes what it names, and leaves every other property exactly as it was', async () => {
    const before = new DynamicEntity('Smith', 'edit', [
      ...everyType('Smith', 'edit').properties,
      ['nan', EntityProperty.double(Number.NaN)],
      ['zero', EntityProperty.double(-0)],
      ['ticks', EntityProperty.read('DateTime', '2026-01-02T03:04:05.1234567Z')],
      ['lines', EntityProperty.string('one\r\ntwo')],
    ])
    const { etag } = await shown('edit', before)
    const set = [{ name: 'small', type: 'Int64', text: '9007199254740993' }]
    const { status, json } = await studio.post('/api/edit', {
      ...address('edit'),
      etag,
      set,
      remove: [],
    })
    expect(status).toBe(200)
    expect(json.etag).not.toBe(etag)
    const after = await stored('edit')
    expect(after?.get('small')).toEqual(EntityProperty.int64(9007199254740993n))
    for (const [name, property] of before.properties) {
      if (name !== 'small') expect([name, after?.get(name)?.equals(property)]).toEqual([name, true])
    }
  })

  it('removes properties, and leaves every other property exactly as it was', async () => {
    const { etag } = await shown('remove')
    const edit = { ...address('remove'), etag, set: [], remove: ['flag', 'text'] }
    expect((await studio.post('/api/edit', edit)).status).toBe(200)
    const after = await stored('remove')
    const expected = new Map(everyType('Smith', 'remove').properties)
    for (const name of edit.remove) expected.delete(name)
    expect(after?.properties).toEqual(expected)
  })
})

describe('an insert', () => {
  it('stores every type exactly', async () => {
    const set: readonly Assignment[] = [
      { name: 'nan', type: 'Double', text: 'NaN' },
      { name: 'infinite', type: 'Double', text: '-Infinity' },
      { name: 'zero', type: 'Double', text: '-0.0' },
      { name: 'ticks', type: 'DateTime', text: '2026-01-02T03:04:05.1234567Z' },
      { name: 'bytes', type: 'Binary', text: 'AP8=' },
      { name: 'empty', type: 'String', text: '' },
    ]
    const { status, json } = await studio.post('/api/insert', { ...address('new'), set })
    expect(status).toBe(200)
    expect(json.values).toEqual(set.map(({ name, type, text }) => [name, { type, text }]))
    expect(Object.is((await stored('new'))?.get('zero')?.value, -0)).toBe(true)
  })

  it('of a key that exists shows what is stored', async () => {
    await shown('exists')
    const set = [{ name: 'text', type: 'String', text: 'mine' }]
    const { status, json } = await studio.post('/api/insert', { ...address('exists'), set })
    expect([status, json.error.code]).toEqual([412, 'EntityAlreadyExists'])
    expect(json.stored).toMatchObject({ partition: 'Smith', row: 'exists' })
  })

  it('of an invalid key is rejected', async () => {
    const { status, json } = await studio.post('/api/insert', { ...address('a/b'), set: [] })
    expect([status, json.error.code]).toEqual([400, 'InvalidEntityKey'])
  })
})

describe('a delete', () => {
  it('deletes the version that was shown, and no other', async () => {
    const { etag } = await shown('delete')
    await people.merge(new DynamicEntity('Smith', 'delete', { text: 'theirs' }), { etag: '*' })
    const conflict = await studio.post('/api/delete', { ...address('delete'), etag })
    expect(conflict.status).toBe(412)
    const done = await studio.post('/api/delete', {
      ...address('delete'),
      etag: conflict.json.stored.etag,
    })
    expect([done.status, await stored('delete')]).toEqual([204, undefined])
  })
})

describe('a change of a selection', () => {
  /** Stores rows of two partitions, and selects them as the page shows them. */
  const selection = async (count: number) => {
    const rows = Array.from(
      { length: count },
      (_, n) => new DynamicEntity(`p${n % 2}`, `selected-${n}`, { state: 'new', n }),
    )
    await people.bulk().insertOrReplace(rows)
    const query = {
      table: 'people',
      filter: "RowKey ge 'selected-' and RowKey lt 'selected.'",
      size: '1000',
      scan: '1',
    }
    const { rows: shown } = await studio.get('/api/rows', query)
    return shown.map(({ partition, row, etag }: ShownRow) => ({ partition, row, etag }))
  }
  const find = (row: { partition: string; row: string }) => people.find([row.partition, row.row])

  it('deletes the versions that were shown, and names the rows that have changed or are gone', async () => {
    const rows = await selection(250)
    const [changed, gone] = rows
    await people.merge(new DynamicEntity(changed.partition, changed.row, { n: -1 }), {
      etag: '*',
    })
    await people.delete([gone.partition, gone.row], { etag: '*' })
    const { status, json } = await studio.post('/api/delete-rows', { table: 'people', rows })
    expect([status, json.done, json.failed]).toEqual([200, 248, 2])
    const named = json.failures.map(({ row }: { row: string }) => row)
    expect(named.sort()).toEqual([changed.row, gone.row].sort())
    const messages = json.failures.map(({ message }: { message: string }) => message)
    expect(messages.sort()).toEqual([
      'The row does not exist.',
      'The row has changed since it was read, and stays as it is.',
    ])
    expect((await find(changed))?.get('n')?.value).toBe(-1)
    expect(await find(rows[2])).toBeUndefined()
  })

  it('sets properties, and leaves all others as they are', async () => {
    const rows = await selection(3)
    const [changed, ...others] = rows
    await people.merge(new DynamicEntity(changed.partition, changed.row, { n: -1 }), {
      etag: '*',
    })
    const set = [{ name: 'state', type: 'String', text: 'done' }]
    const { json } = await studio.post('/api/edit-rows', { table: 'people', rows, set })
    expect([json.done, json.failed, json.failures[0].row]).toEqual([2, 1, changed.row])
    expect((await find(changed))?.get('state')?.value).toBe('new')
    for (const row of others) {
      const stored = await find(row)
      expect([stored?.get('state')?.value, stored?.has('n')]).toEqual(['done', true])
    }
  })

  it.each([
    [undefined],
    ['all'],
    [[{ partition: 'p0', row: 'selected-0', etag: '*' }]],
    [[{ partition: 'p0', row: 'selected-0', etag: '' }]],
    [[{ partition: 'p0', row: 'selected-0' }]],
    [Array.from({ length: 1_001 }, () => ({ partition: 'a', row: 'b', etag: 'W/"1"' }))],
  ])('without the version of each row is rejected', async (rows) => {
    await selection(2)
    const { status, json } = await studio.post('/api/delete-rows', { table: 'people', rows })
    expect([status, json.error.code]).toEqual([400, 'InvalidArgument'])
    expect(await find({ partition: 'p0', row: 'selected-0' })).toBeDefined()
  })

  it('to values that do not fit their type changes nothing', async () => {
    const rows = await selection(2)
    const set = [{ name: 'n', type: 'Int32', text: '1.5' }]
    const { status, json } = await studio.post('/api/edit-rows', { table: 'people', rows, set })
    expect([status, json.error.property ?? json.error.message]).toEqual([
      400,
      expect.stringContaining('n'),
    ])
  })
})
