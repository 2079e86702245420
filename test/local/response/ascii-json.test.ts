import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  escapeJson,
  printJsonString,
} from '../../../packages/local/src/response/service-response.ts'
import { anyText } from '../../support/any-text.ts'

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
