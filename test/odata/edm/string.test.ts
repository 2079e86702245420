import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const { String: codec } = edmCodecs

describe('String', () => {
  it('takes text of any length, which is the rule of a request, and the empty text', () => {
    expect(codec.accept('x'.repeat(32_769), 'p')).toHaveLength(32_769)
    expect(codec.accept('', 'p')).toBe('')
  })

  it('takes whole surrogate pairs', () => {
    expect(codec.accept('😀', 'p')).toBe('😀')
  })

  it('never shows the text in a message', () => {
    const secret = 'hunter2\ud800'
    expect(() => codec.accept(secret, 'p')).toThrow(/^((?!hunter2).)*$/)
  })

  it('sorts by UTF-16 units, so that U+1F600 stands before U+FF5E', () => {
    expect(codec.compare('😀', '～')).toBe(-1)
    expect(codec.compare('B', 'a')).toBe(-1)
    expect(codec.compare('b', 'a')).toBe(1)
    expect(codec.compare('a', 'a')).toBe(0)
  })

  it('reads what it would not send, rather than fail on it', () => {
    expect(codec.readJson('\ud800', 'p')).toBe('\ud800')
  })
})
