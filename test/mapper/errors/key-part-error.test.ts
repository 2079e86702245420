import { KeyPartError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('KeyPartError', () => {
  it('is an InputError that programs can tell', () => {
    const error = new KeyPartError({ className: 'Order', property: 'no', problem: 'No.' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'KeyPartError',
      code: 'InvalidKeyPart',
      message: 'Order.no: No.',
    })
  })
})
