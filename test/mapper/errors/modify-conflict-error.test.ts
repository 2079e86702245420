import { ModifyConflictError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

describe('ModifyConflictError', () => {
  it('names the entity, the number of attempts and the last rejection', () => {
    const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
    const error = new ModifyConflictError({ message: 'x', key, attempts: 3, cause: 'y' })
    expect(error).toMatchObject({
      name: 'ModifyConflictError',
      code: 'ModifyConflict',
      mayHaveApplied: false,
      cause: 'y',
      attempts: 3,
      key,
    })
  })
})
