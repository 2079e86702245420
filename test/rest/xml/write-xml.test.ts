import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../packages/rest/src/xml/parse-xml.ts'
import { writeElement, writeText } from '../../../packages/rest/src/xml/write-xml.ts'

describe('writeElement', () => {
  it('closes an element at once that has nothing in it', () => {
    expect(writeElement('A', '')).toBe('<A/>')
    expect(writeElement('A', writeElement('B', ''))).toBe('<A><B/></A>')
  })
})

describe('writeText', () => {
  it.each(['', 'plain', ' blanks ', `<&>"'`, ']]>', '日本語 😀', '&amp;'])(
    'writes %j so that it is read back',
    (text) => {
      expect(parseXml(writeText('A', text))?.child('A')?.text).toBe(text)
    },
  )

  it('writes numbers and booleans', () => {
    expect(writeText('A', 5) + writeText('B', false)).toBe('<A>5</A><B>false</B>')
  })
})
