import { JsonValueError } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('JsonValueError', () => {
  it('says where in the value it is', () => {
    const error = new JsonValueError({ message: 'No.', path: 'lines.0' })
    expect(error).toMatchObject({
      name: 'JsonValueError',
      code: 'InvalidJsonValue',
      path: 'lines.0',
    })
    expect(new JsonValueError({ message: 'No.' }).path).toBe('')
    expect(isRowkeyError(error)).toBe(true)
  })
})
