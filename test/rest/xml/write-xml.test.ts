import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../packages/rest/src/xml/parse-xml.ts'
import { writeXml } from '../../../packages/rest/src/xml/write-xml.ts'

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

describe('writeXml', () => {
  it('writes an empty element in its short form', () => {
    expect(writeXml('A', {})).toBe(`${DECLARATION}<A/>`)
    expect(writeXml('A', { B: '', C: {}, D: { E: [] } })).toBe(`${DECLARATION}<A><B/><C/><D/></A>`)
  })

  it.each(['', 'plain', ' blanks ', `<&>"'`, ']]>', '日本語 😀', '&amp;'])(
    'writes %j so that it reads back',
    (text) => {
      expect(parseXml(writeXml('A', { B: text }))?.child('B')?.text).toBe(text)
    },
  )

  it('writes numbers and booleans, repeats elements, and leaves absent ones out', () => {
    expect(writeXml('A', { B: 5, C: [false, { D: 'x' }], E: undefined })).toBe(
      `${DECLARATION}<A><B>5</B><C>false</C><C><D>x</D></C></A>`,
    )
  })
})
