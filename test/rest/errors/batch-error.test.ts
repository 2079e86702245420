import { BatchError, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

const options = {
  message: 'Change 1 failed.',
  status: 409,
  code: 'EntityAlreadyExists',
  requestId: undefined,
  operation: 'entityGroupTransaction',
  mayHaveApplied: false,
}

describe('BatchError', () => {
  it('is a ServiceError that says which change failed', () => {
    const change = { operation: 'insertEntity', key: { partitionKey: 'a', rowKey: 'b' } }
    const error = new BatchError({ ...options, index: 1, change })
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ name: 'BatchError', code: options.code, index: 1, change })
  })

  it('has no change when the service did not name it', () => {
    const error = new BatchError({ ...options, index: undefined, change: undefined })
    expect(error).toMatchObject({ index: undefined, change: undefined })
  })
})
