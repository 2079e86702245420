import { describe, expect, it } from 'vitest'
import {
  readBoolean,
  readList,
  readNumber,
} from '../../../packages/local/src/service-properties/service-properties.ts'
import { readDocument } from '../../../packages/local/src/xml/xml.ts'

const element = (text: string) => readDocument(`<a>${text}</a>`)
const malformed = expect.objectContaining({ code: 'InvalidXmlDocument' })

describe('readBoolean', () => {
  it('R-83: accepts true and false in any case', async () => {
    const texts = ['true', 'False', ' TRUE ']
    const elements = await Promise.all(texts.map(element))
    expect(elements.map(readBoolean)).toEqual([true, false, true])
  })

  it.each(['', 'yes', '1', '<b/>'])('rejects %j', async (text) => {
    const found = await element(text)
    expect(() => readBoolean(found)).toThrow(malformed)
  })
})

describe('readNumber', () => {
  it('accepts whole numbers within the bounds', async () => {
    expect([
      readNumber(await element('1'), 1, 365),
      readNumber(await element(' 365 '), 1, 365),
    ]).toEqual([1, 365])
  })

  it.each(['', '0', '366', '1.5', '-1', '1e2', '99999999999'])('rejects %j', async (text) => {
    const found = await element(text)
    expect(() => readNumber(found, 1, 365)).toThrow(malformed)
  })
})

describe('readList', () => {
  it('splits at commas', async () => {
    expect(readList(await element('a, b ,c'))).toEqual(['a', 'b', 'c'])
    expect(readList(await element(' '))).toEqual([])
  })

  it('requires the element', () => {
    expect(() => readList(undefined)).toThrow(malformed)
  })
})
