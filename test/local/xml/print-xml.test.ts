import { describe, expect, it } from 'vitest'
import { printDocument } from '../../../packages/local/src/xml/xml.ts'

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
