import { describe, expect, it } from 'vitest'
import { xmlAnswer } from '../../../packages/local/src/answer/xml-answer.ts'

describe('xmlAnswer', () => {
  it('is a document with a byte order mark', () => {
    expect(xmlAnswer('<a />')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: '\ufeff<?xml version="1.0" encoding="utf-8"?><a />',
    })
  })
})
