import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  escapeJson,
  printContentType,
  printJsonString,
  xmlResponse,
} from '../../../packages/local/src/response/service-response.ts'
import { anyText } from '../../support/any-text.ts'

describe('printContentType', () => {
  it('contains the metadata level as the service writes it', () => {
    expect(printContentType('nometadata')).toBe(
      'application/json;odata=nometadata;streaming=true;charset=utf-8',
    )
  })
})

describe('printJsonString', () => {
  it('escapes characters beyond ASCII, unit by unit', () => {
    expect(printJsonString('Ünï 😀 "q"')).toBe('"\\u00dcn\\u00ef \\ud83d\\ude00 \\"q\\""')
  })

  it('prints ASCII that parses to the same text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const json = printJsonString(text)
        expect(json).toMatch(/^[ -\x7f]*$/)
        expect(JSON.parse(json)).toBe(text)
      }),
    )
  })

  it('leaves ASCII as it is', () => {
    expect(escapeJson('{"a":1}')).toBe('{"a":1}')
  })
})

describe('xmlResponse', () => {
  it('is a document of XML', () => {
    expect(xmlResponse('<a />')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: '<a />',
    })
  })
})
