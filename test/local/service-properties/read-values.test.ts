import { describe, expect, it } from 'vitest'
import {
  readBoolean,
  readList,
  readNumber,
} from '../../../packages/local/src/service-properties/read-service-properties.ts'
import { parseXml } from '../../../packages/local/src/xml/parse-xml.ts'

const element = (text: string) => parseXml(`<a>${text}</a>`)
const malformed = expect.objectContaining({ code: 'InvalidXmlDocument' })

describe('readBoolean', () => {
  it('R-83: accepts true and false in any case', () => {
    const texts = ['true', 'False', ' TRUE ']
    expect(texts.map((text) => readBoolean(element(text)))).toEqual([true, false, true])
  })

  it.each(['', 'yes', '1', '<b/>'])('rejects %j', (text) => {
    expect(() => readBoolean(element(text))).toThrow(malformed)
  })
})

describe('readNumber', () => {
  it('accepts whole numbers within the bounds', () => {
    expect([readNumber(element('1'), 1, 365), readNumber(element(' 365 '), 1, 365)]).toEqual([
      1, 365,
    ])
  })

  it.each(['', '0', '366', '1.5', '-1', '1e2', '99999999999'])('rejects %j', (text) => {
    expect(() => readNumber(element(text), 1, 365)).toThrow(malformed)
  })
})

describe('readList', () => {
  it('splits at commas', () => {
    expect(readList(element('a, b ,c'))).toEqual(['a', 'b', 'c'])
    expect(readList(element(' '))).toEqual([])
  })

  it('requires the element', () => {
    expect(() => readList(undefined)).toThrow(malformed)
  })
})
