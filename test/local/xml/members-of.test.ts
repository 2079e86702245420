import { describe, expect, it } from 'vitest'
import { membersOf, parseXml, textOf } from '../../../packages/local/src/xml/parse-xml.ts'

const malformed = expect.objectContaining({ code: 'InvalidXmlDocument' })

describe('membersOf', () => {
  it('finds optional children by name, in any order', () => {
    const { A, B, C } = membersOf(parseXml('<r><B>2</B> <A>1</A></r>'), ['A', 'B', 'C'])
    expect([A?.text, B?.text, C]).toEqual(['1', '2', undefined])
  })

  it.each(['<r><A/><A/></r>', '<r><D/></r>', '<r><a/></r>', '<r>text</r>', '<r><toString/></r>'])(
    'rejects %s',
    (document) => {
      expect(() => membersOf(parseXml(document), ['A'])).toThrow(malformed)
    },
  )
})

describe('textOf', () => {
  it('returns the text', () => {
    expect(textOf(parseXml('<r> x </r>'))).toBe(' x ')
    expect(textOf(parseXml('<r/>'))).toBe('')
  })

  it('rejects an element with children, and a missing element', () => {
    expect(() => textOf(parseXml('<r><a/></r>'))).toThrow(malformed)
    expect(() => textOf(undefined)).toThrow(malformed)
  })
})
