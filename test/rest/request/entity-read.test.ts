import { describe, expect, it } from 'vitest'
import { toReadRequest } from '../../../packages/rest/src/request/entity-read.ts'
import { contoso, jeff } from '../people.ts'

describe('toReadRequest', () => {
  it('reads everything when the projection is absent or empty', () => {
    expect(toReadRequest(jeff, contoso).query).toBe('')
    expect(toReadRequest({ ...jeff, select: [] }, contoso).query).toBe('')
  })
})
