import { describe, expect, it } from 'vitest'
import { overlay } from '../../../packages/mapper/src/codec/overlay.ts'

const before = { PartitionKey: 'a', 'n@odata.type': 'Edm.Int64', n: '5', x: 1 }

describe('overlay', () => {
  it('puts a whole body in the place of what was there', () => {
    const body = '{"PartitionKey":"a","x":2}'
    expect(overlay(before, { body, whole: true })).toBe(body)
    expect(overlay(undefined, { body, whole: false })).toBe(body)
  })

  it('puts a merged body over what was there', () => {
    expect(overlay(before, { body: '{"x":2,"y":3.0}', whole: false })).toEqual({
      ...before,
      x: 2,
      'y@odata.type': 'Edm.Double',
      y: 3,
    })
  })

  it('keeps no old annotation beside a value of another type', () => {
    expect(overlay(before, { body: '{"n":6}', whole: false })).toEqual({
      PartitionKey: 'a',
      n: 6,
      x: 1,
    })
    const body = '{"n@odata.type":"Edm.Guid","n":"g"}'
    expect(overlay(before, { body, whole: false })).toMatchObject({ 'n@odata.type': 'Edm.Guid' })
  })

  it('leaves what was there as it is', () => {
    overlay(before, { body: '{"n":6}', whole: false })
    expect(before['n@odata.type']).toBe('Edm.Int64')
  })
})
