import { describe, expect, it } from 'vitest'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import { keepSnapshot, type Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import {
  checkCurrent,
  checkKnown,
  checkSameKey,
  missingEtag,
  partialEntity,
} from '../../../packages/mapper/src/writes/check-snapshot.ts'

const origin = { account: 'contoso', table: 'people' }
const known: Snapshot = {
  origin,
  row: Row.read({ PartitionKey: 'Smith', RowKey: 'Jeff' }),
  etag: 'W/"1"',
  partial: false,
}

describe('checkSameKey', () => {
  const check = (partitionKey: string, rowKey: string, snapshot: Snapshot | undefined = known) =>
    checkSameKey(snapshot, { partitionKey, rowKey }, 'merge')

  it('R-100: rejects an entity whose key changed since it was read', () => {
    expect(() => check('Smith', 'Jeff')).not.toThrow()
    expect(() => check('Smith', 'Ann')).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
    )
    expect(() => check('Jones', 'Jeff')).toThrow(
      /^merge .*\["Smith","Jeff"\].*\["Jones","Jeff"\].*insert the entity under its new key/,
    )
  })

  it('accepts an entity that was never read', () => {
    expect(() => checkSameKey(undefined, { partitionKey: 'a', rowKey: 'b' }, 'merge')).not.toThrow()
  })
})

describe('partialEntity', () => {
  it('says what would be lost, and names both fixes', () => {
    const error = partialEntity('replace')
    expect(error).toMatchObject({ name: 'InputError', code: 'ProjectedEntity' })
    expect(error.message).toMatch(/^replace .*not selected\. Use merge, .*reload the entity first/)
  })
})

describe('checkKnown', () => {
  it.each<[string, Snapshot | undefined, RegExp]>([
    ['the object was never read', undefined, /it was never read, or it is a copy/],
    ['its ETag is of another version', known, /the ETag of a version that it has not read/],
    [
      'it was merged past others',
      { ...known, etag: 'W/"2"', current: new Set() },
      /with etag '\*' or an upsert, into a version that it has not read/,
    ],
  ])('says that %s, and the ways out', (_, snapshot, reason) => {
    const check = () => checkKnown(snapshot, 'W/"2"')
    expect(check).toThrow(expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }))
    expect(check).toThrow(reason)
    expect(check).toThrow(/Use merge, or reload the entity first, or pass \{ etag: '\*' \}/)
  })
})

describe('checkCurrent', () => {
  const stale = { ...known, current: new Set(['age']) }
  const check = (name: string, etag = 'W/"1"') =>
    checkCurrent(stale, etag, { names: [name], table: 'people' })

  it('names the property and the table, and the fixes', () => {
    expect(() => check('points')).toThrow(
      expect.objectContaining({ code: 'StaleProperty', details: { property: 'points' } }),
    )
    expect(() => check('points')).toThrow(/^merge in table people: 'points' was changed/)
    expect(() => check('points')).toThrow(/Reload the entity.*pass \{ etag: '\*' \}/)
  })

  it('accepts what is known at the version, and any property at another one', () => {
    expect(() => check('age')).not.toThrow()
    expect(() => check('points', 'W/"2"')).not.toThrow()
  })
})

describe('missingEtag', () => {
  const messageOf = (entity: object | undefined) => {
    const error = missingEtag('merge in table people', entity, origin)
    expect(error).toMatchObject({ code: 'MissingETag' })
    expect(error.message).toMatch(/^merge in table people has no ETag/)
    expect(error.message).toMatch(/pass \{ etag: '\*' \} to write whatever is stored now\.$/)
    return error.message
  }

  /** An object that knows a row. */
  function read(snapshot: Snapshot): object {
    const entity = {}
    keepSnapshot(entity, snapshot)
    return entity
  }

  it('R-46: names both fixes for a key', () => {
    for (const target of [undefined, { partitionKey: 'a', rowKey: 'b' }]) {
      expect(messageOf(target)).toMatch(/Read the entity first and change that object.*, or/)
    }
  })

  it('R-46: says that a copy does not carry the ETag', () => {
    expect(messageOf({ age: 5 })).toMatch(
      /a copy, such as \{ \.\.\.entity \}, does not carry the ETag/,
    )
  })

  it('R-46: says that the ETag of another table does not count', () => {
    const elsewhere = { ...known, origin: { ...origin, table: 'archive' } }
    expect(messageOf(read(elsewhere))).toMatch(/another table, so its ETag does not count here/)
    const abroad = { ...known, origin: { ...origin, account: 'fabrikam' } }
    expect(messageOf(read(abroad))).toMatch(/another table/)
  })

  it('R-46: says to read an entity of this table again', () => {
    expect(messageOf(read({ ...known, etag: undefined }))).toMatch(/Read the entity first/)
  })
})
