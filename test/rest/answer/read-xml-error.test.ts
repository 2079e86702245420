import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readXmlError } from '../../../packages/rest/src/answer/read-xml-error.ts'

describe('readXmlError', () => {
  it.each([
    [
      '<m:error xmlns:m="x"><m:code>A</m:code><m:message xml:lang="en">b &lt;c&gt;</m:message></m:error>',
      'b <c>',
    ],
    ['<?xml version="1.0"?><Error><Code>A</Code><Message>b</Message></Error>', 'b'],
    ['<error><code>A</code><message>007</message></error>', '007'],
  ])('reads %s', (body, message) => {
    expect(readXmlError(body)).toEqual({ code: 'A', message })
  })

  it('does not read a document type, whose entities could grow without bound', () => {
    const body =
      '<!DOCTYPE e [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Error><Code>&b;</Code></Error>'
    expect(readXmlError(body)).toBeUndefined()
  })

  it('does not read what is too long for an error', () => {
    const body = `<Error><Code>A</Code><Message>${'x'.repeat(70_000)}</Message></Error>`
    expect(readXmlError(body)).toBeUndefined()
  })

  it('does not touch prototypes', () => {
    readXmlError('<Error><__proto__><polluted>1</polluted></__proto__><Code>A</Code></Error>')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('never throws, whatever the body', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'Error',
      'Code',
      '&#99999999;',
      '&lt;',
      ' ',
      '"',
      ']]>',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        expect(() => readXmlError(pieces.join(''))).not.toThrow()
      }),
    )
  })
})
