import { describe, expect, it } from 'vitest'
import { Row } from '../../../packages/mapper/src/member/row.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const KEY = '"PartitionKey":"a","RowKey":"b"'

describe('a row that was written', () => {
  const row = Row.written(key, `{${KEY},"x":3.0}`)

  it('has the text and the key that it was made of', () => {
    expect(row.text).toBe(`{${KEY},"x":3.0}`)
    expect(row.key).toBe(key)
  })

  it('is parsed once', () => {
    expect(row.raw).toEqual({
      PartitionKey: 'a',
      RowKey: 'b',
      'x@odata.type': 'Edm.Double',
      x: 3,
    })
    expect(row.raw).toBe(row.raw)
  })

  it('has stored names, without those of the key', () => {
    const typed = row.with(',"n@odata.type":"Edm.Int64","n":"5"')
    expect(typed.names).toEqual(new Set(['x', 'n']))
    expect(Row.written(key, `{${KEY}}`).names.size).toBe(0)
  })

  it('stays as it is when a row with further members is made of it', () => {
    expect(row.with(',"y":1').text).toBe(`{${KEY},"x":3.0,"y":1}`)
    expect(row.with('')).toBe(row)
    expect(row.text).toBe(`{${KEY},"x":3.0}`)
  })
})

describe('a row that was read', () => {
  const raw = { PartitionKey: 'a', RowKey: 'b', Timestamp: '2026-11-20T12:00:00Z', x: 1 }

  it('is the object of the response, and has its key', () => {
    expect(Row.read(raw).raw).toBe(raw)
    expect(Row.read(raw).key).toEqual(key)
  })

  it('has the text of its stored properties', () => {
    expect(Row.read(raw).text).toBe(`{${KEY},"x":1}`)
  })
})

describe('merge', () => {
  const raw = { PartitionKey: 'a', RowKey: 'b', 'n@odata.type': 'Edm.Int64', n: '5', x: 1 }
  const before = Row.read(raw)
  const merged = (members: string) => before.merge(Row.written(key, `{${KEY},${members}}`)).raw

  it('overwrites stored properties with merged ones', () => {
    expect(merged('"x":2,"y":3.0')).toEqual({
      ...raw,
      x: 2,
      'y@odata.type': 'Edm.Double',
      y: 3,
    })
  })

  it('keeps no annotation of the old type beside a value of another type', () => {
    expect(merged('"n":6')).toEqual({ PartitionKey: 'a', RowKey: 'b', n: 6, x: 1 })
    expect(merged('"n@odata.type":"Edm.Guid","n":"g"')).toMatchObject({
      'n@odata.type': 'Edm.Guid',
      n: 'g',
    })
  })

  it('leaves the row before as it is', () => {
    merged('"n":6')
    expect(before.raw).toBe(raw)
    expect(raw.n).toBe('5')
  })
})
