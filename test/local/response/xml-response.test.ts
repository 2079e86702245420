import { describe, expect, it } from 'vitest'
import { xmlResponse } from '../../../packages/local/src/response/service-response.ts'

describe('xmlResponse', () => {
  it('is a document with a byte order mark', () => {
    expect(xmlResponse('<a />')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: '\ufeff<?xml version="1.0" encoding="utf-8"?><a />',
    })
  })
})
