import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { matchETag } from '../../../packages/local/src/entity/stored-entity.ts'
import { storedRow } from '../../support/stored-row.ts'

const key = { partitionKey: 'p', rowKey: 'r' }
const row = storedRow(key, DateTimeValue.parse('2017-11-10T02:46:55.7383596Z'), new Map())

describe('matchETag', () => {
  it('R-46: accepts the same version, and * for any', () => {
    expect(() => matchETag(row, row.etag)).not.toThrow()
    expect(() => matchETag(row, '*')).not.toThrow()
  })

  it('R-46: rejects another version, and a missing row', () => {
    expect(() => matchETag(row, 'W/"other"')).toThrow(
      expect.objectContaining({ status: 412, code: 'UpdateConditionNotSatisfied' }),
    )
    expect(() => matchETag(undefined, '*')).toThrow(
      expect.objectContaining({ status: 404, code: 'ResourceNotFound' }),
    )
  })
})
