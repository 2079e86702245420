import { describe, expect, it } from 'vitest'
import { membersOf, readDocument, textOf } from '../../../packages/local/src/xml/xml.ts'

const malformed = expect.objectContaining({ code: 'InvalidXmlDocument' })

describe('membersOf', () => {
  it('finds optional children by name, in any order', async () => {
    const { A, B, C } = membersOf(await readDocument('<r><B>2</B> <A>1</A></r>'), ['A', 'B', 'C'])
    expect([A?.text, B?.text, C]).toEqual(['1', '2', undefined])
  })

  it('finds none in an element that has only blanks', async () => {
    expect(membersOf(await readDocument('<r>\n </r>'), ['A'])).toEqual({})
  })

  it.each(['<r><A/><A/></r>', '<r><D/></r>', '<r><a/></r>', '<r>text</r>', '<r><toString/></r>'])(
    'rejects %s',
    async (document) => {
      const root = await readDocument(document)
      expect(() => membersOf(root, ['A'])).toThrow(malformed)
    },
  )
})

describe('textOf', () => {
  it('returns the text', async () => {
    expect(textOf(await readDocument('<r> x </r>'))).toBe(' x ')
    expect(textOf(await readDocument('<r/>'))).toBe('')
  })

  it('rejects an element with children, and a missing element', async () => {
    const root = await readDocument('<r><a/></r>')
    expect(() => textOf(root)).toThrow(malformed)
    expect(() => textOf(undefined)).toThrow(malformed)
  })
})
