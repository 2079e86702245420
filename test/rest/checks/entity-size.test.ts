import { describe, expect, it } from 'vitest'
import { entitySize, propertySizes } from '../../../packages/rest/src/checks/entity-size.ts'

describe('propertySizes', () => {
  it.each([
    ['a String', { P: 'äbc' }, 4 + 2 * 3],
    ['an empty String', { P: '' }, 4],
    ['a Boolean', { P: true }, 1],
    ['an Int32', { P: -2_147_483_648 }, 4],
    ['a number beyond Int32', { P: 2_147_483_648 }, 8],
    ['a Double', { P: 1.5 }, 8],
    ['a whole Double', { P: 3, 'P@odata.type': 'Edm.Double' }, 8],
    ['NaN', { P: 'NaN', 'P@odata.type': 'Edm.Double' }, 8],
    ['an Int64', { P: '5', 'P@odata.type': 'Edm.Int64' }, 8],
    ['a DateTime', { P: '2014-08-22T00:50:30Z', 'P@odata.type': 'Edm.DateTime' }, 8],
    ['a Guid', { P: 'c9da6455-213d-42c9-9a79-3e9149a57833', 'P@odata.type': 'Edm.Guid' }, 16],
    ['a Binary of 3', { P: 'AAAA', 'P@odata.type': 'Edm.Binary' }, 4 + 3],
    ['a Binary of 2', { P: 'AAA=', 'P@odata.type': 'Edm.Binary' }, 4 + 2],
    ['a Binary of 1', { P: 'AA==', 'P@odata.type': 'Edm.Binary' }, 4 + 1],
    ['an empty Binary', { P: '', 'P@odata.type': 'Edm.Binary' }, 4],
  ])('R-08: counts %s', (_, raw, size) => {
    expect(propertySizes(raw)).toEqual([{ name: 'P', size }])
  })

  it('R-05, R-09: counts neither the key, nor the Timestamp, nor what is not stored', () => {
    const raw = {
      PartitionKey: 'a',
      RowKey: 'b',
      Timestamp: 'c',
      'odata.etag': 'd',
      Nothing: null,
      age: 5,
    }
    expect(propertySizes(raw)).toEqual([{ name: 'age', size: 4 }])
  })
})

describe('entitySize', () => {
  it('R-04: adds up by the formula of the service', () => {
    const properties = [
      { name: 'age', size: 4 },
      { name: 'note', size: 24 },
    ]
    expect(entitySize(0, [])).toBe(4)
    expect(entitySize(9, properties)).toBe(4 + 2 * 9 + (8 + 6 + 4) + (8 + 8 + 24))
  })
})
