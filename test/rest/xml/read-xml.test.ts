import { describe, expect, it } from 'vitest'
import { XmlElement } from '../../../packages/rest/src/xml/parse-xml.ts'
import { readXml, readXmlResponse } from '../../../packages/rest/src/xml/read-xml.ts'

describe('readXmlResponse', () => {
  it('returns the root with the right name', async () => {
    const root = await readXmlResponse('getTableAcl', '<SignedIdentifiers />', 'SignedIdentifiers')
    expect(root.text).toBe('')
  })

  it.each(['', '{}', '<html><body>Sign in</body></html>', '<SignedIdentifiers>'])(
    'rejects %j and names the operation',
    async (body) => {
      await expect(readXmlResponse('getTableAcl', body, 'SignedIdentifiers')).rejects.toThrow(
        expect.objectContaining({
          code: 'UnexpectedResponse',
          mayHaveApplied: false,
          message: expect.stringContaining('getTableAcl'),
        }),
      )
    },
  )
})

describe('readXml', () => {
  it('returns the root', async () => {
    expect(await readXml('<A><m:B>b</m:B></A>')).toEqual(
      new XmlElement('A', [new XmlElement('m:B', [], 'b')], ''),
    )
    expect(await readXml('<A>')).toBeUndefined()
  })
})

describe('XmlElement', () => {
  const inner = new XmlElement('Inner', [], 'c')
  const many = [new XmlElement('Many', [], 'b'), new XmlElement('m:Many', [inner], '')]
  const element = new XmlElement('A', [new XmlElement('One', [], ' a '), ...many], '')

  it('finds the first element with a name', () => {
    expect(element.child('One')?.text).toBe(' a ')
    expect(element.child('Many')).toBe(many[0])
  })

  it('finds all elements with a name in order, with and without a prefix', () => {
    expect(element.childrenNamed('Many')).toEqual(many)
    expect(element.childrenNamed('Many')[1]?.child('Inner')?.text).toBe('c')
  })

  it.each(['None', 'toString', '__proto__', 'any'])('finds no element %s', (name) => {
    expect(element.child(name)).toBeUndefined()
    expect(element.childrenNamed(name)).toEqual([])
  })
})
