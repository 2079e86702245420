import { InputError } from '@rowkey/odata'
import { ServicePropertiesError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('ServicePropertiesError', () => {
  it('is an InputError with a name and a code of its own', () => {
    const error = new ServicePropertiesError({ message: 'no' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'ServicePropertiesError',
      code: 'InvalidServiceProperties',
      message: 'no',
    })
  })
})
