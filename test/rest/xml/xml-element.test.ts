import { describe, expect, it } from 'vitest'
import { XmlElement } from '../../../packages/rest/src/xml/xml-element.ts'

describe('XmlElement', () => {
  const element = new XmlElement({ '#text': '\n', One: ' a ', Many: ['b', { Inner: 'c' }] })

  it('gives text as it is, and none where there are elements', () => {
    expect(element.child('One')?.text).toBe(' a ')
    expect(element.text).toBe('')
  })

  it('gives all elements of a name in order', () => {
    expect(element.children('Many')).toHaveLength(2)
    expect(element.child('Many')?.text).toBe('b')
    expect(element.children('Many')[1]?.child('Inner')?.text).toBe('c')
  })

  it.each(['None', 'toString', '__proto__'])('has no element %s that was not sent', (name) => {
    expect(element.child(name)).toBeUndefined()
    expect(new XmlElement('').children(name)).toEqual([])
  })
})
