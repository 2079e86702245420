import { InputError } from '@rowkey/odata'
import { EndpointError, endpointOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('EndpointError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => endpointOf('contoso')).toThrow(EndpointError)
    expect(() => endpointOf('contoso')).toThrow(InputError)
    expect(() => endpointOf('contoso')).toThrow(
      expect.objectContaining({ name: 'EndpointError', code: 'InvalidEndpoint' }),
    )
  })
})
