import { timestampOfEtag } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('timestampOfEtag', () => {
  it.each([
    ['2017-11-10T02%3A46%3A55.7383596Z', '2017-11-10T02:46:55.7383596Z'],
    ['2017-11-10T02%3a46%3a55.7Z', '2017-11-10T02:46:55.7Z'],
    ['2017-11-10T02%3A46%3A55Z', '2017-11-10T02:46:55Z'],
  ])('R-12: finds the instant in %s', (within, text) => {
    expect(timestampOfEtag(`W/"datetime'${within}'"`)?.toJSON()).toBe(text)
  })

  it.each([
    '',
    '*',
    '"0x8D"',
    `W/"datetime'2017'"`,
    `W/"datetime'2017-13-10T02%3A46%3A55Z'"`,
    'W/""',
  ])('finds none in %j', (etag) => {
    expect(timestampOfEtag(etag)).toBeUndefined()
  })
})
