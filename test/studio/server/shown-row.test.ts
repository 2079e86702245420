import { DynamicEntity, EntityProperty } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyType } from '../../cli/with-tables.ts'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
  const people = studio.tables.account.table('people')
  await people.create()
  await people.insert(new DynamicEntity('Smith', '00', { age: 0, city: 'Bonn' }))
  await people.insert(everyType('types', 'all'))
  await people.insert(new DynamicEntity('long', 'text', { text: 'ab😀'.repeat(2_000) }))
})
afterAll(() => studio[Symbol.asyncDispose]())

describe('rows', () => {
  it('have a type for each value', async () => {
    const filter = "PartitionKey eq 'types'"
    const { rows: found } = await studio.get('/api/rows', { table: 'people', size: '10', filter })
    expect(Object.fromEntries(found[0].values)).toEqual({
      text: { type: 'String', text: 'a "quoted", text' },
      flag: { type: 'Boolean', text: 'true' },
      small: { type: 'Int32', text: '-5' },
      big: { type: 'Int64', text: '9007199254740993' },
      whole: { type: 'Double', text: '3.0' },
      since: { type: 'DateTime', text: '2026-01-02T03:04:05.678Z' },
      guid: { type: 'Guid', text: '00000000-0000-0000-0000-0000000000ff' },
      bytes: { type: 'Binary', text: 'AP8=' },
    })
    expect(found[0]).toMatchObject({ partition: 'types', row: 'all' })
    expect(found[0].timestamp).toMatch(/Z$/)
  })
})

describe('one row', () => {
  it('has its ETag, its size and every type', async () => {
    const row = await studio.get('/api/row', { table: 'people', partition: 'Smith', row: '00' })
    expect(row).toMatchObject({ partition: 'Smith', row: '00', size: 4 + 14 + 18 + 28 })
    expect(row.etag).toMatch(/^W\//)
  })

  it('has long values cut, and the whole value on demand', async () => {
    const key = { table: 'people', partition: 'long', row: 'text' }
    const cut = Object.fromEntries((await studio.get('/api/row', key)).values).text
    expect([cut.length, cut.text.length]).toEqual([8_000, 2_000])
    const whole = await studio.get('/api/value', { ...key, name: 'text' })
    expect(whole).toEqual({ type: 'String', text: 'ab😀'.repeat(2_000) })
    const row = await studio.get('/api/row', { ...key, whole: '1' })
    expect(Object.fromEntries(row.values).text).toEqual(whole)
  })
})

it('keeps every value that a browser would lose', async () => {
  const table = studio.tables.account.table('people')
  await table.insert(
    new DynamicEntity('exact', 'all', {
      nan: EntityProperty.double(Number.NaN),
      infinite: EntityProperty.double(Number.NEGATIVE_INFINITY),
      zero: EntityProperty.double(-0),
      most: EntityProperty.int64(2n ** 63n - 1n),
      ticks: EntityProperty.read('DateTime', '2026-01-02T03:04:05.1234567Z'),
    }),
  )
  const { values } = await studio.get('/api/row', {
    table: 'people',
    partition: 'exact',
    row: 'all',
  })
  const texts = values.map(([name, { text }]: [string, { text: string }]) => [name, text])
  expect(Object.fromEntries(texts)).toEqual({
    nan: 'NaN',
    infinite: '-Infinity',
    zero: '-0.0',
    most: '9223372036854775807',
    ticks: '2026-01-02T03:04:05.1234567Z',
  })
})
