import { describe, expect, it } from 'vitest'
import { checkKeys } from '../../../packages/rest/src/entity/check-keys.ts'
import { jeff } from '../people.ts'

const { key } = jeff
const entity = { PartitionKey: 'Smith', RowKey: 'Jeff' }
const mayHaveApplied = false

describe('checkKeys', () => {
  it('takes the entity that was asked for, and any where none was', () => {
    expect(() => checkKeys('getEntity', entity, { key, mayHaveApplied })).not.toThrow()
    expect(() => checkKeys('queryEntities', entity, { mayHaveApplied })).not.toThrow()
  })

  it.each([
    [
      { ...entity, PartitionKey: 'zz' },
      'another entity: its PartitionKey is "zz" in place of "Smith"',
    ],
    [{ ...entity, RowKey: 'jeff' }, 'another entity: its RowKey is "jeff" in place of "Jeff"'],
    [{ status: 'ok' }, 'no entity: its PartitionKey is missing'],
    [{ 'odata.error': { code: 'ResourceNotFound' } }, 'no entity: its PartitionKey is missing'],
    [{ PartitionKey: 'Smith' }, 'no entity: its RowKey is missing'],
    [{ ...entity, RowKey: 7 }, 'no entity: its RowKey is of type number'],
    [{ ...entity, RowKey: null }, 'no entity: its RowKey is null'],
  ])('says what was found: %j', (raw, found) => {
    expect(() => checkKeys('getEntity', raw, { key, mayHaveApplied })).toThrow(
      expect.objectContaining({
        code: 'UnexpectedAnswer',
        mayHaveApplied: false,
        message: expect.stringContaining(found),
      }),
    )
  })

  it('needs no keys of a projection, but string ones where they came', () => {
    const expected = { select: ['age'], mayHaveApplied }
    expect(() => checkKeys('queryEntities', { age: 7 }, expected)).not.toThrow()
    expect(() => checkKeys('queryEntities', { RowKey: 7 }, expected)).toThrow('of type number')
    expect(() => checkKeys('queryEntities', {}, { select: [], mayHaveApplied })).toThrow('missing')
  })

  it('says of a write that it may have been applied', () => {
    expect(() => checkKeys('insertEntity', {}, { key, mayHaveApplied: true })).toThrow(
      expect.objectContaining({
        mayHaveApplied: true,
        message: expect.stringContaining('may have been applied'),
      }),
    )
  })

  it('shows no signature and no endless key', () => {
    const PartitionKey = `sig=${'A'.repeat(43)}%3D${' x'.repeat(9000)}`
    const check = () => checkKeys('getEntity', { ...entity, PartitionKey }, { key, mayHaveApplied })
    expect(check).toThrow(/"sig=<redacted> x/)
    expect(check).not.toThrow(/A{43}/)
    expect(check).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/.{500}/) }))
  })
})
