import { VersionError } from '@rowkey/mapper'
import { RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('VersionError', () => {
  it('names the model, the row and its version', () => {
    const key = { partitionKey: 'c1', rowKey: '7' }
    const error = new VersionError({ className: 'Order', key, stored: 3, problem: 'is later.' })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'VersionError',
      code: 'UnreadableVersion',
      ...key,
      stored: 3,
    })
    expect(error.message).toBe('Order: the row ["c1","7"] is later.')
  })
})
