import { InputError } from '@rowkey/odata'
import { UnknownOptionError, undiciTransport } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('UnknownOptionError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => undiciTransport({ conections: 8 } as never)).toThrow(UnknownOptionError)
    expect(() => undiciTransport({ conections: 8 } as never)).toThrow(InputError)
    expect(() => undiciTransport({ conections: 8 } as never)).toThrow(
      expect.objectContaining({ name: 'UnknownOptionError', code: 'UnknownOption' }),
    )
  })
})
