import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../packages/rest/src/xml/parse-xml.ts'

describe('parseXml', () => {
  it('reads elements, with and without a byte order mark', () => {
    const text = '<?xml version="1.0" encoding="utf-8"?><A><B>1</B><B>2</B><C /></A>'
    for (const document of [text, `\ufeff${text}`]) {
      const root = parseXml(document)
      expect(root?.childrenNamed('B').map((child) => child.text)).toEqual(['1', '2'])
      expect(root?.child('C')?.text).toBe('')
    }
  })

  it('resolves the five entities and keeps blanks', () => {
    expect(parseXml('<A> &lt;&gt;&amp;&quot;&apos; </A>')?.text).toBe(` <>&"' `)
  })

  it('resolves a character by its number, once', () => {
    expect(parseXml('<A>a&#x41;&#66;</A>')?.text).toBe('aAB')
    expect(parseXml('<A>&amp;#x41;&amp;lt;</A>')?.text).toBe('&#x41;&lt;')
  })

  it('ignores prefixes in look-ups, attributes and comments', () => {
    const text = '<m:error xmlns:m="urn:m"><!-- x --><m:code lang="en">C</m:code></m:error>'
    expect(parseXml(text)?.child('code')?.text).toBe('C')
  })

  it.each([
    ['', 'nothing'],
    ['text', 'no markup'],
    ['<A><B>', 'cut off'],
    ['<A></B>', 'ends that do not fit'],
    ['<A></A><B></B>', 'two roots'],
    ['<A/><B/>', 'two empty roots'],
    ['<A/>text', 'text after the root'],
    ['<A b="<"></A>', 'a < in an attribute'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><A>&x;</A>', 'a document type'],
    ['<A><__proto__>x</__proto__></A>', 'a dangerous name'],
    ['<A>&nbsp;</A>', 'an entity that XML does not define'],
    ['<A>&#0;</A>', 'a character that XML does not allow'],
    ['<A>&amp</A>', 'a reference without an end'],
    ['<A>\u0001</A>', 'a control character'],
    ['<A><![CDATA[x]]></A>', 'CDATA'],
    ['<A><?x?></A>', 'a processing instruction'],
    ['<A>text<B /></A>', 'text beside elements'],
    [`<A>${'x'.repeat(65_536)}</A>`, 'too much'],
  ])('rejects %j: %s', (text) => {
    expect(parseXml(text)).toBeUndefined()
  })
})
