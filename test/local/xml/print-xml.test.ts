import { describe, expect, it } from 'vitest'
import { printDocument, printElement, printText } from '../../../packages/local/src/xml/xml.ts'

describe('printXml', () => {
  it('begins a document with a byte order mark and a declaration', () => {
    expect(printDocument('<a />')).toBe('\ufeff<?xml version="1.0" encoding="utf-8"?><a />')
  })

  it('writes an empty element in the short form', () => {
    expect([printElement('a', ''), printElement('a', '<b />'), printText('a', '')]).toEqual([
      '<a />',
      '<a><b /></a>',
      '<a />',
    ])
  })

  it('escapes text', () => {
    expect(printText('a', '<b> & c')).toBe('<a>&lt;b&gt; &amp; c</a>')
    expect(printText('a', 7) + printText('b', false)).toBe('<a>7</a><b>false</b>')
  })
})
