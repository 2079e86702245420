import Entity from '@rowkey/azure-entities'
import { isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('EntityWriteCongestionError', () => {
  it('is an error of Rowkey that says what to do', () => {
    const error = new Entity.EntityWriteCongestionError({
      table: 'items',
      originalEntity: {},
      modifiedEntity: {},
      modifiedEntityAttempts: [{}],
      cause: undefined,
    })
    expect(isRowkeyError(error)).toBe(true)
    expect(error.message).toBe(
      'The row of table items changed during each of 2 attempts of modify. Modify it less often, or spread its values over several rows.',
    )
  })
})
