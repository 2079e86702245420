import { describe, expect, it } from 'vitest'
import { printContentType } from '../../../packages/local/src/response/service-response.ts'

describe('printContentType', () => {
  it('contains the metadata level as the service writes it', () => {
    expect(printContentType('nometadata')).toBe(
      'application/json;odata=nometadata;streaming=true;charset=utf-8',
    )
  })
})
