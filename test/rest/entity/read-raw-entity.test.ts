import { describe, expect, it } from 'vitest'
import {
  readRawEntities,
  readRawEntity,
} from '../../../packages/rest/src/entity/read-raw-entity.ts'

describe('readRawEntity', () => {
  it('keeps a whole Double a Double', () => {
    expect(readRawEntity('getEntity', '{"rate":1E3}', false)).toEqual({
      'rate@odata.type': 'Edm.Double',
      rate: 1000,
    })
  })

  it.each([true, false])('says whether a write was done: %s', (mayHaveApplied) => {
    expect(() => readRawEntity('insertEntity', '<html>', mayHaveApplied)).toThrow(
      expect.objectContaining({
        code: 'UnexpectedAnswer',
        mayHaveApplied,
        message: expect.stringContaining('insertEntity was answered with 6 characters'),
      }),
    )
  })
})

describe('readRawEntities', () => {
  it('reads the value, wherever it stands', () => {
    expect(readRawEntities('queryEntities', '{"value":[{"a":1}],"odata.metadata":"x"}')).toEqual([
      { a: 1 },
    ])
  })

  it('takes an entity for no page, even with a property called value', () => {
    expect(() => readRawEntities('queryEntities', '{"value":"x"}')).toThrow(/queryEntities/)
  })
})
