import { keyOfRaw, timestampOfEtag } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { unreadable } from '../../support/rejections.ts'

describe('keyOfRaw', () => {
  it('returns both halves of the key', () => {
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', x: 1 }
    expect(keyOfRaw(raw)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
  })

  it('R-36: returns an empty half for a half that the projection left out', () => {
    expect(keyOfRaw({ PartitionKey: null })).toEqual({ partitionKey: '', rowKey: '' })
  })

  it.each([5, true, {}, []])('does not read %j as a half', (half) => {
    const read = () => keyOfRaw({ PartitionKey: 'Smith', RowKey: half })
    expect(read).toThrow(unreadable)
    expect(read).toThrow(`The stored RowKey is a ${typeof half}; every key is a string.`)
    expect(read).toThrow(expect.objectContaining({ details: { property: 'RowKey' } }))
  })
})

describe('timestampOfEtag', () => {
  it.each([
    ['2017-11-10T02%3A46%3A55.7383596Z', '2017-11-10T02:46:55.7383596Z'],
    ['2017-11-10T02%3a46%3a55.7Z', '2017-11-10T02:46:55.7Z'],
    ['2017-11-10T02%3A46%3A55Z', '2017-11-10T02:46:55Z'],
  ])('R-12: reads the instant of %s', (within, text) => {
    expect(timestampOfEtag(`W/"datetime'${within}'"`)?.toJSON()).toBe(text)
  })

  it.each([
    '',
    '*',
    '"0x8D"',
    `W/"datetime'2017'"`,
    `W/"datetime'2017-13-10T02%3A46%3A55Z'"`,
    'W/""',
  ])('returns undefined for %j', (etag) => {
    expect(timestampOfEtag(etag)).toBeUndefined()
  })
})
