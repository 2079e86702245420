import { describe, expect, it } from 'vitest'
import { toReadRequest, toReadResult } from '../../../packages/rest/src/entity/entity-read.ts'
import { contoso, etag, jeff } from '../people.ts'

describe('toReadRequest', () => {
  it('reads everything when the projection is absent or empty', () => {
    expect(toReadRequest(jeff, contoso).query).toBe('')
    expect(toReadRequest({ ...jeff, select: [] }, contoso).query).toBe('')
  })
})

describe('toReadResult', () => {
  it('names the operation whose answer cannot be read', () => {
    const response = { status: 200, headers: { etag }, body: 'x' }
    expect(() => toReadResult('findEntity', response, jeff)).toThrow(/^findEntity was answered/)
  })

  it('takes a projection without keys, but not with those of another entity', () => {
    const read = { ...jeff, select: ['age'] }
    const answer = (body: string) => ({ status: 200, headers: { etag }, body })
    expect(toReadResult('getEntity', answer('{"age":7}'), read).raw).toEqual({ age: 7 })
    const other = answer('{"PartitionKey":"Smith","RowKey":"Ann","age":7}')
    expect(() => toReadResult('getEntity', other, read)).toThrow('RowKey is "Ann"')
  })
})
