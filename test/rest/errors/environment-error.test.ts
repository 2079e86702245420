import { InputError } from '@rowkey/odata'
import { EnvironmentError, environmentAddress } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('EnvironmentError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => environmentAddress({})).toThrow(EnvironmentError)
    expect(() => environmentAddress({})).toThrow(InputError)
    expect(() => environmentAddress({})).toThrow(
      expect.objectContaining({ name: 'EnvironmentError', code: 'InvalidEnvironment' }),
    )
  })
})
