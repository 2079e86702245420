import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { memberOf, ownMapping } from '../../../packages/mapper/src/self-mapping/own-mapping.ts'

const row = (properties: Record<string, string | number>) => new DynamicEntity('p', 'r', properties)

describe('what a class stores of an entity that was just read', () => {
  it('lists what it would add or change, and what it does not store', () => {
    const mapping = ownMapping(
      () => row({ same: 1, other: 2, added: 'x' }),
      row({ same: 1, other: 3, foreign: 'f' }),
    )
    expect(mapping).toEqual({
      isKnown: true,
      foreign: new Set(['foreign']),
      defaults: new Map([
        ['other', ',"other":2'],
        ['added', ',"added":"x"'],
      ]),
    })
  })

  it('is unknown when the class cannot store it', () => {
    const fail = () => {
      throw new TypeError('no')
    }
    expect(ownMapping(fail, row({ a: 1 }))).toEqual({
      isKnown: false,
      foreign: new Set(['a']),
      defaults: new Map(),
    })
  })
})

describe('memberOf', () => {
  it('writes the type beside a value that does not show it', () => {
    const member = memberOf('n', EntityProperty.of(5n, 'Int64', 'n'))
    expect(member).toBe(',"n@odata.type":"Edm.Int64","n":"5"')
  })
})
