import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { writtenResponse } from '../../../packages/local/src/transaction/apply-change-set.ts'
import { storedRow } from '../../support/stored-row.ts'

describe('writtenResponse', () => {
  it('R-47: contains the new ETag, or none after a delete', () => {
    const row = storedRow({ partitionKey: '', rowKey: '' }, new DateTimeValue(0), new Map())
    expect(writtenResponse(row).headers).toEqual({ etag: row.etag })
    expect(writtenResponse(undefined).headers).toEqual({})
  })
})
