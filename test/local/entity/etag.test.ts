import { DateTimeValue, printDateTime } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkETag, printETag } from '../../../packages/local/src/entity/stored-entity.ts'
import { storedRow } from '../../support/stored-row.ts'

const written = DateTimeValue.parse('2017-11-10T02:46:55.7383596Z')
const etag = 'W/"datetime\'2017-11-10T02%3A46%3A55.7383596Z\'"'
const row = storedRow({ partitionKey: 'p', rowKey: 'r' }, written, new Map())

describe('printETag', () => {
  it('R-12: is the Timestamp as a weak entity tag', () => {
    expect(printETag(printDateTime(written))).toBe(etag)
    expect(row.etag).toBe(etag)
  })
})

describe('checkETag', () => {
  it.each(['*', etag, 'W/"foreign"', 'W/""', 'w/"a"', 'W/"a\\"b"'])('accepts %s', (ifMatch) => {
    expect(() => checkETag(ifMatch)).not.toThrow()
  })

  it.each([
    '',
    'W/',
    'datetime',
    '"strong"',
    `"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`,
    '"a", "b"',
    '**',
    'W/"a',
  ])('rejects %j', (ifMatch) => {
    expect(() => checkETag(ifMatch)).toThrow(
      expect.objectContaining({
        code: 'InvalidInput',
        message: expect.stringContaining(`The etag value '${ifMatch}'`),
      }),
    )
  })
})
