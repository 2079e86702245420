import { InputError } from '@rowkey/odata'
import { checkTableName, TableNameError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('TableNameError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => checkTableName('a')).toThrow(TableNameError)
    expect(() => checkTableName('a')).toThrow(InputError)
    expect(() => checkTableName('a')).toThrow(
      expect.objectContaining({ name: 'TableNameError', code: 'InvalidTableName' }),
    )
  })
})
