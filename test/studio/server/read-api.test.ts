import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyType } from '../../cli/with-tables.ts'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
  const people = studio.tables.account.table('people')
  await people.create()
  const rows = Array.from(
    { length: 25 },
    (_, n) => new DynamicEntity('Smith', String(n).padStart(2, '0'), { age: n, city: 'Bonn' }),
  )
  await people.bulk().insert(rows)
  await people.insert(everyType('types', 'all'))
  await people.insert(new DynamicEntity('Jones', '~rk~ix~people~mail', {}))
  await people.insert(new DynamicEntity('long', 'text', { text: 'ab😀'.repeat(2_000) }))
})
afterAll(() => studio[Symbol.asyncDispose]())

const rows = (values: Readonly<Record<string, string>>) =>
  studio.get('/api/rows', { table: 'people', size: '10', ...values })

const keys = ({ rows: found }: { rows: { partition: string; row: string }[] }) =>
  found.map(({ partition, row }) => `${partition} ${row}`)

describe('rows', () => {
  it('come by pages, whose tokens continue in another studio, too', async () => {
    const filter = "PartitionKey eq 'Smith'"
    const first = await rows({ filter })
    expect(keys(first)).toHaveLength(10)
    const second = await rows({ filter, token: first.next })
    expect(keys(second)[0]).toBe('Smith 10')
    const third = await rows({ filter, token: second.next })
    expect([keys(third).length, third.next]).toEqual([5, undefined])
  })

  it('of indexes, sums and messages are shown on request', async () => {
    const filter = "PartitionKey eq 'Jones'"
    expect(keys(await rows({ filter }))).toEqual([])
    expect(keys(await rows({ filter, kept: '1' }))).toEqual(['Jones ~rk~ix~people~mail'])
  })

  it('have only the chosen columns, and their keys', async () => {
    const { rows: found } = await rows({ filter: "PartitionKey eq 'Smith'", columns: 'city' })
    expect(found[0]).toMatchObject({
      partition: 'Smith',
      row: '00',
      values: [['city', { type: 'String', text: 'Bonn' }]],
    })
  })

  it('of a table without a filter are one page, and need no permission', async () => {
    expect(keys(await rows({ size: '3' }))).toEqual(['Smith 00', 'Smith 01', 'Smith 02'])
  })

  it('of a scan need a permission', async () => {
    const filter = 'age gt 20'
    expect((await rows({ filter })).error.code).toBe('TableScan')
    expect(keys(await rows({ filter, scan: '1' }))).toHaveLength(4)
  })

  it.each([
    [{ filter: 'age gt' }, 'InvalidFilter'],
    [{ size: '0' }, 'InvalidArgument'],
    [{ size: '1001' }, 'InvalidArgument'],
    [{ size: 'x' }, 'InvalidArgument'],
    [{ table: 'missing' }, 'TableNotFound'],
    [{ table: 'a/b' }, 'InvalidTableName'],
    [{ token: 'garbage' }, 'InvalidContinuationToken'],
  ])('of %j fail with %s', async (values, code) => {
    const { error } = await rows(values as Record<string, string>)
    expect([error.code, error.message.length > 20]).toEqual([code, true])
  })
})

describe('a plan', () => {
  it.each([
    ['', 'tableScan', false],
    ["PartitionKey eq 'Smith' and RowKey eq '00'", 'point', false],
    ["PartitionKey eq 'Smith' and RowKey ge '1'", 'range', false],
    ["PartitionKey eq 'Smith' and age gt 3", 'partitionScan', false],
    ["PartitionKey gt 'Smith'", 'tableRange', true],
    ['age gt 3', 'tableScan', true],
  ])('of "%s" is %s', async (filter, plan, isScan) => {
    const found = await studio.get('/api/plan', { table: 'people', filter })
    expect(found).toMatchObject({ plan, isScan })
    expect(JSON.stringify(found)).not.toMatch(/--scan|allowTableScan/)
  })

  it('of an invalid filter has the place of the mistake', async () => {
    const { error } = await studio.get('/api/plan', { table: 'people', filter: 'age gt ' })
    expect(error).toMatchObject({ code: 'InvalidFilter', position: 7 })
  })
})

describe('one row', () => {
  it('that is missing fails, as does a value', async () => {
    const key = { table: 'people', partition: 'Smith', row: 'missing' }
    expect((await studio.get('/api/row', key)).error.code).toBe('ResourceNotFound')
    const value = { ...key, row: '00', name: 'gone' }
    expect((await studio.get('/api/value', value)).error.message).toContain('gone')
    expect((await studio.get('/api/row', { table: 'people' })).error.message).toContain(
      "'partition'",
    )
  })
})

describe('a file', () => {
  const file = async (values: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({
      table: 'people',
      size: '10',
      requests: '1',
      filter: "PartitionKey eq 'Smith'",
      ...values,
    })
    return studio.send(`/api/export?${query}`, { headers: { cookie: studio.cookie } })
  }

  it('has the rows of the view, as the command prints them', async () => {
    const { headers, text } = await file({ format: 'csv', columns: 'age' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="people.csv"')
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'PartitionKey,RowKey,Timestamp,age:Int32',
      expect.stringMatching(/^Smith,00,.*Z,0$/),
    ])
    expect(text.split('\r\n')).toHaveLength(12)
  })

  it('has no more rows than the view has read', async () => {
    const wide = { filter: 'age gt 20', scan: '1', format: 'ndjson' }
    expect((await file({ ...wide, requests: '3' })).text.split('\n')).toHaveLength(5)
    const { next } = await rows({ filter: "PartitionKey eq 'Smith'" })
    const { headers, text } = await file({ format: 'ndjson', size: '20', token: next })
    expect(headers['content-type']).toBe('application/x-ndjson')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ RowKey: '10', age: 10 })
  })

  it('of another format is rejected', async () => {
    expect((await file({ format: 'xml' })).text).toContain('ndjson or csv')
  })
})
