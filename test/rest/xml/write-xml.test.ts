import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../packages/rest/src/xml/parse-xml.ts'
import { writeElement, writeText } from '../../../packages/rest/src/xml/write-xml.ts'

describe('writeElement', () => {
  it('writes an empty element in its short form', () => {
    expect(writeElement('A', '')).toBe('<A/>')
    expect(writeElement('A', writeElement('B', ''))).toBe('<A><B/></A>')
  })
})

describe('writeText', () => {
  it.each(['', 'plain', ' blanks ', `<&>"'`, ']]>', '日本語 😀', '&amp;'])(
    'writes %j so that it reads back',
    (text) => {
      expect(parseXml(writeText('A', text))?.text).toBe(text)
    },
  )

  it('writes numbers and booleans', () => {
    expect(writeText('A', 5) + writeText('B', false)).toBe('<A>5</A><B>false</B>')
  })
})
