import * as odata from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  odataDecodeError,
  odataErrorCodes,
  odataInputError,
} from '../../../packages/odata/src/errors/codes.ts'

describe('odataErrorCodes', () => {
  it.each(Object.entries(odataErrorCodes))('names an exported class for %s', (_, entry) => {
    expect(odata).toHaveProperty(entry.class)
  })

  it.each(Object.entries(odataErrorCodes))('states in sentences when %s occurs', (_, entry) => {
    expect(entry.when).toMatch(/^[A-Z`].*\.$/)
    expect(entry.fix).toMatch(/^[A-Z].*\.$/)
  })
})

describe('odataInputError', () => {
  it('makes an InputError of the code', () => {
    const details = { property: 'age', type: 'Int32' }
    expect(odataInputError('InvalidPropertyValue', 'm', details)).toMatchObject({
      name: 'InputError',
      code: 'InvalidPropertyValue',
      message: 'm',
      details,
    })
  })
})

describe('odataDecodeError', () => {
  it('makes a DecodeError of the code, with a cause when there is one', () => {
    const cause = new SyntaxError('below')
    const error = odataDecodeError('InvalidEntityJson', 'm', { property: 'p' }, cause)
    expect(error).toMatchObject({
      name: 'DecodeError',
      code: 'InvalidEntityJson',
      mayHaveApplied: false,
      details: { property: 'p' },
      cause,
    })
    expect(Object.hasOwn(odataDecodeError('InvalidEntityJson', 'm'), 'cause')).toBe(false)
  })
})
