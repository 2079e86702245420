import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Rejection } from '../../../packages/local/src/rejection/rejection.ts'
import {
  membersOf,
  printDocument,
  readDocument,
  textOf,
} from '../../../packages/local/src/xml/xml.ts'

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

const START = '\ufeff<?xml version="1.0" encoding="utf-8"?>'

describe('printDocument', () => {
  it('begins with a byte order mark and a declaration', () => {
    expect(printDocument('a', { b: 7 })).toBe(`${START}<a><b>7</b></a>`)
  })

  it('writes an empty element in the short form, with a blank', () => {
    expect(printDocument('a', {})).toBe(`${START}<a />`)
    expect(printDocument('a', { b: '', c: {} })).toBe(`${START}<a><b /><c /></a>`)
  })

  it('escapes text', () => {
    expect(printDocument('a', { b: '<b/> & c' })).toBe(`${START}<a><b>&lt;b/&gt; &amp; c</b></a>`)
  })
})

describe('readDocument', () => {
  it('reads elements and their text', async () => {
    expect(await readDocument('<a><b>one</b><c/><b> two </b></a>')).toEqual({
      name: 'a',
      text: '',
      children: [
        { name: 'b', text: 'one', children: [] },
        { name: 'c', text: '', children: [] },
        { name: 'b', text: ' two ', children: [] },
      ],
    })
  })

  it.each([
    '\ufeff<?xml version="1.0" encoding="utf-8"?><a>x</a>',
    `<?xml version='1.0' encoding='utf-8'?>\n<a>x</a>\n`,
    '<a xmlns="urn:x" b:c = \'d>e\' >x</a >',
    '<!-- one --><a>x<!-- - two --></a><!---->',
    '<a>&#120;</a>',
    '<a>&#x78;</a>',
  ])('reads the same from %s', async (document) => {
    expect(await readDocument(document)).toEqual({ name: 'a', text: 'x', children: [] })
  })

  it('resolves the references of XML once', async () => {
    expect((await readDocument('<a>&lt;b&gt; &amp;amp; &quot;&apos;&#x1F600;</a>')).text).toBe(
      `<b> &amp; "'\u{1f600}`,
    )
  })

  it('reads back every written text', async () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .filter((one) => !/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(one))
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const document = await readDocument(printDocument('a', { b: one }))
        expect(document.child('b')?.text).toBe(one)
      }),
    )
  })

  it.each([
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    '<?xml version="1.0"?><!DOCTYPE a><a/>',
    '<a><![CDATA[x]]></a>',
    '<a><?php x ?></a>',
  ])('rejects markup that could expand: %s', async (document) => {
    await expect(readDocument(document)).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlDocument' }),
    )
  })

  it.each([
    '',
    ' ',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a><b></a></b>',
    '<a/><a/>',
    '<a/>text',
    'text<a/>',
    '<a>text<b/></a>',
    '<a b></a>',
    '<a b=c></a>',
    '<a b="<"></a>',
    '<1/>',
    '< a/>',
    '<a>&</a>',
    '<a>&amp</a>',
    '<a>&other;</a>',
    '<a>&constructor;</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<a>\u0000</a>',
    '<a>\ud800</a>',
    '<!-- <a/>',
    '<Sign',
  ])('rejects %j', async (document) => {
    await expect(readDocument(document)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidXmlDocument' }),
    )
  })

  it('rejects elements that are nested too deeply', async () => {
    const depth = 9000
    const document = '<a>'.repeat(depth) + '</a>'.repeat(depth)
    await expect(readDocument(document)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidXmlDocument' }),
    )
  })

  it('rejects a document that is too long', async () => {
    const document = (length: number) => `<a>${'x'.repeat(length - 7)}</a>`
    expect((await readDocument(document(65_536))).text).toHaveLength(65_529)
    await expect(readDocument(document(65_537))).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidXmlDocument' }),
    )
  })

  it('rejects garbage and does nothing else', async () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<a/>',
      '&amp;',
      '&',
      '<',
      '>',
      '<!--',
      '-->',
      ' b="c"',
      'x',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        try {
          await readDocument(pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(Rejection)
        }
      }),
    )
  })
})
