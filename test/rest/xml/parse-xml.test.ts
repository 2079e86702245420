import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../packages/rest/src/xml/parse-xml.ts'

describe('parseXml', () => {
  it('reads elements, with and without a byte order mark', () => {
    const text = '<?xml version="1.0" encoding="utf-8"?><A><B>1</B><B>2</B><C /></A>'
    for (const document of [text, `\ufeff${text}`]) {
      const root = parseXml(document)?.child('A')
      expect(root?.children('B').map((child) => child.text)).toEqual(['1', '2'])
      expect(root?.child('C')?.text).toBe('')
    }
  })

  it('resolves the five entities and keeps blanks', () => {
    expect(parseXml('<A> &lt;&gt;&amp;&quot;&apos; </A>')?.child('A')?.text).toBe(` <>&"' `)
  })

  it('resolves a character by its number, once', () => {
    expect(parseXml('<A>a&#x41;&#66;</A>')?.child('A')?.text).toBe('aAB')
    expect(parseXml('<A>&amp;#x41;&amp;lt;</A>')?.child('A')?.text).toBe('&#x41;&lt;')
  })

  it('forgets prefixes and attributes', () => {
    const text = '<m:error xmlns:m="urn:m"><m:code lang="en">C</m:code></m:error>'
    expect(parseXml(text)?.child('error')?.child('code')?.text).toBe('C')
  })

  it.each([
    ['', 'nothing'],
    ['text', 'no markup'],
    ['<A><B>', 'cut off'],
    ['<A></B>', 'ends that do not fit'],
    ['<A></A><B></B>', 'two roots'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><A>&x;</A>', 'a document type'],
    ['<A><__proto__>x</__proto__></A>', 'a dangerous name'],
    [`<A>${'x'.repeat(65_536)}</A>`, 'too much'],
  ])('takes no %j: %s', (text) => {
    expect(parseXml(text)).toBeUndefined()
  })
})
