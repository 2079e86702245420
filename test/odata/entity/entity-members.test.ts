import {
  checkPropertyText,
  DynamicEntity,
  EntityKeyError,
  EntityProperty,
  PropertyNameError,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { membersOf, writeEntityJson } from '../../../packages/odata/src/entity/entity-members.ts'

const entity = () => new DynamicEntity('a', 'b', { x: 1, big: 5n })

describe('membersOf', () => {
  it('holds the JSON of each property under its name', () => {
    expect([...membersOf(entity().properties)]).toEqual([
      ['x', '"x":1'],
      ['big', '"big@odata.type":"Edm.Int64","big":"5"'],
    ])
  })
})

describe('writeEntityJson', () => {
  it('R-07: writes the key into every body', () => {
    expect(writeEntityJson(entity(), new Map(), checkPropertyText)).toBe(
      '{"PartitionKey":"a","RowKey":"b"}',
    )
  })

  it('rejects a key that no request can carry', () => {
    const wrong = entity()
    wrong.rowKey = '\ud800'
    expect(() => writeEntityJson(wrong, new Map(), checkPropertyText)).toThrow(EntityKeyError)
  })

  it('rejects a name that was not assigned by set', () => {
    const wrong = entity()
    wrong.properties.set('RowKey', EntityProperty.string('c'))
    const members = membersOf(wrong.properties)
    expect(() => writeEntityJson(wrong, members, checkPropertyText)).toThrow(PropertyNameError)
  })

  it('writes names of many tables', () => {
    for (let at = 0; at < 2_100; at++) {
      const { properties } = new DynamicEntity('a', 'b', { [`r${at}`]: at })
      expect([...membersOf(properties).values()]).toEqual([`"r${at}":${at}`])
    }
  })
})
