import { KeyTemplateError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('KeyTemplateError', () => {
  it('is an InputError that programs can tell', () => {
    const error = new KeyTemplateError({ message: 'No.' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'KeyTemplateError',
      code: 'InvalidKeyTemplate',
      message: 'No.',
    })
  })
})
