import { InputError } from '@rowkey/odata'
import { ConnectionStringError, parseConnectionString } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('ConnectionStringError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => parseConnectionString('AccountName=contoso')).toThrow(ConnectionStringError)
    expect(() => parseConnectionString('AccountName=contoso')).toThrow(InputError)
    expect(() => parseConnectionString('AccountName=contoso')).toThrow(
      expect.objectContaining({ name: 'ConnectionStringError', code: 'InvalidConnectionString' }),
    )
  })
})
