import { MigrationError } from '@rowkey/mapper'
import { RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('MigrationError', () => {
  it('names the model and the row, and keeps what migrate threw', () => {
    const [key, cause] = [{ partitionKey: 'c1', rowKey: '7' }, new TypeError('no')]
    const error = new MigrationError({
      className: 'Order',
      key,
      problem: 'migrate threw: no',
      cause,
    })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({ name: 'MigrationError', code: 'MigrationFailed', ...key, cause })
    expect(error.message).toBe('Order: migrating the row ["c1","7"] failed: migrate threw: no')
  })
})
