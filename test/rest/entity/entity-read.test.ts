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
    expect(() => toReadResult('findEntity', response)).toThrow(/^findEntity was answered/)
  })
})
