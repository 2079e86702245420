import { InputError } from '@rowkey/odata'
import { OptionValueError, undiciTransport } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('OptionValueError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => undiciTransport({ connections: -1 })).toThrow(OptionValueError)
    expect(() => undiciTransport({ connections: -1 })).toThrow(InputError)
    expect(() => undiciTransport({ connections: -1 })).toThrow(
      expect.objectContaining({ name: 'OptionValueError', code: 'InvalidOptionValue' }),
    )
  })
})
