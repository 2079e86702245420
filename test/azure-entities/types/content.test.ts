import Entity from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { roundTrip, serialized } from './stored-value.ts'

const { types } = Entity

describe('a JSON Schema', () => {
  const type = new (types.Schema({
    type: 'object',
    properties: { text: { type: 'string' }, number: { type: 'integer', default: 4 } },
    additionalProperties: false,
    required: ['text'],
  }))('p')

  it('R-125: adds defaults when a value is written', () => {
    const value = { text: 'a' }
    expect(roundTrip(type, value)).toEqual({ text: 'a', number: 4 })
    expect(value).toEqual({ text: 'a', number: 4 })
  })

  it.each([{ text: 5 }, {}, { text: 'a', number: 1.5 }, { text: 'a', other: 1 }])(
    'R-125: rejects %o',
    (value) => {
      expect(() => serialized(type, value)).toThrow(/schema validation failed/)
    },
  )

  it('is checked by configure', () => {
    expect(() => types.Schema({ type: 'nothing' })).toThrow(
      expect.objectContaining({ code: 'InvalidConfiguration' }),
    )
  })
})
