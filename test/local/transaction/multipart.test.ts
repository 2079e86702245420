import { describe, expect, it } from 'vitest'
import {
  boundaryOf,
  readHeaders,
  splitMessage,
  splitParts,
} from '../../../packages/local/src/transaction/read-batch.ts'

const invalid = expect.objectContaining({ status: 400, code: 'InvalidInput' })

describe('boundaryOf', () => {
  it.each([
    ['multipart/mixed; boundary=batch_1', 'batch_1'],
    ['Multipart/Mixed;charset=utf-8;BOUNDARY="a b;c"; x=y', 'a b;c'],
    ['multipart/mixed; boundary=a;b=c', 'a'],
    ['multipart/mixed', undefined],
    ['multipart/form-data; boundary=a', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary)
  })

  it('rejects a boundary that MIME does not allow, and whose search would not end', () => {
    const longest = 'b'.repeat(70)
    expect(boundaryOf(`multipart/mixed; boundary=${longest}`)).toBe(longest)
    expect(() => boundaryOf(`multipart/mixed; boundary=${longest}b`)).toThrow(invalid)
    expect(() => boundaryOf(`multipart/mixed; boundary="${longest}b"`)).toThrow(invalid)
  })
})

describe('splitParts', () => {
  it('returns the text between the delimiter lines', () => {
    const text = 'before\r\n--b\r\none\r\n--b\r\ntwo\r\nlines\r\n--b--\r\nafter'
    expect(splitParts(text, 'b')).toEqual(['one', 'two\r\nlines'])
  })

  it('accepts LF, blanks after a delimiter, and an end without a line end', () => {
    expect(splitParts('\n\n--b \none\n--b\t\ntwo\n--b--', 'b')).toEqual(['one', 'two'])
  })

  it('ignores a boundary that begins like another, or is inside a line', () => {
    const text = '--b\r\n--b1\r\nx --b\r\n--b-\r\n--b--\r\n'
    expect(splitParts(text, 'b')).toEqual(['--b1\r\nx --b\r\n--b-'])
  })

  it('returns empty parts, and no parts', () => {
    expect(splitParts('--b\r\n\r\n--b--', 'b')).toEqual([''])
    expect(splitParts('--b--', 'b')).toEqual([])
  })

  it.each(['', 'text', '--b', '--b\r\none', '--b\r\none\r\n--b'])('rejects %j', (text) => {
    expect(() => splitParts(text, 'b')).toThrow(invalid)
  })
})

describe('splitMessage', () => {
  it('splits at the first blank line after the head', () => {
    expect(splitMessage('\r\n\r\na: b\r\nc: d\r\n\r\nbody\r\n\r\nmore')).toEqual({
      head: 'a: b\r\nc: d\r',
      body: 'body\r\n\r\nmore',
    })
  })

  it('accepts a line of blanks as a blank line, before the head and after it', () => {
    expect(splitMessage(' \t\n\na: b\n \r\nbody')).toEqual({ head: 'a: b', body: 'body' })
  })

  it('is only a head without a blank line', () => {
    expect(splitMessage('a: b')).toEqual({ head: 'a: b', body: '' })
    expect(splitMessage('')).toEqual({ head: '', body: '' })
  })
})

describe('readHeaders', () => {
  it('reads names in any case, and values without blanks around them', () => {
    expect({ ...readHeaders('If-Match:  W/"a:b" \r\nX:\r') }).toEqual({
      'if-match': 'W/"a:b"',
      x: '',
    })
    expect(readHeaders('').constructor).toBeUndefined()
  })

  it('joins two headers of one name to a list, and keeps the first of two types', () => {
    const text = 'If-Match: "a"\r\ncontent-type: x\r\nif-match: *\r\nContent-Type: y'
    expect({ ...readHeaders(text) }).toEqual({ 'if-match': '"a", *', 'content-type': 'x' })
  })

  it.each(['nothing', ': value', 'a: b\n'])('rejects the line %j', (line) => {
    expect(() => readHeaders(line)).toThrow(invalid)
  })
})
