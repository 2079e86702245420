import { UnknownTypeError } from '@rowkey/mapper'
import { RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('UnknownTypeError', () => {
  it('names the row and the types that are known', () => {
    const key = { partitionKey: 'c1', rowKey: '0009' }
    const error = new UnknownTypeError({ key, known: ['Customer (RowKey 0001_…)'] })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({ name: 'UnknownTypeError', code: 'UnknownType', ...key })
    expect(error.message).toContain('["c1","0009"]')
    expect(error.message).toContain('Customer (RowKey 0001_…)')
  })
})
