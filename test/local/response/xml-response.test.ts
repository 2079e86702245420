import { describe, expect, it } from 'vitest'
import { xmlResponse } from '../../../packages/local/src/response/service-response.ts'

describe('xmlResponse', () => {
  it('is a document of XML', () => {
    expect(xmlResponse('<a />')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: '<a />',
    })
  })
})
