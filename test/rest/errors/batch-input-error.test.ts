import { InputError } from '@rowkey/odata'
import { BatchInputError, entityGroupTransaction } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso } from '../people.ts'

describe('BatchInputError', () => {
  it('is an InputError, and names no change when it is the whole batch', () => {
    const input = { table: 'people', changes: [] }
    const encode = () => entityGroupTransaction.toRequest(input, contoso)
    expect(encode).toThrow(BatchInputError)
    expect(encode).toThrow(InputError)
    expect(encode).toThrow(
      expect.objectContaining({ name: 'BatchInputError', code: 'InvalidBatch', index: undefined }),
    )
  })
})
