import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader } from '../../../packages/rest/src/transaction/line-reader.ts'

function linesOf(text: string): string[] {
  const reader = new LineReader(text)
  const lines: string[] = []
  for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line)
  return lines
}

describe('LineReader', () => {
  it('takes CRLF and LF for line ends, and the last line without one', () => {
    expect(linesOf('a\r\n\r\nb\n\nc')).toEqual(['a', '', 'b', '', 'c'])
  })

  it('reads back whatever lines were joined', () => {
    const line = fc.string().map((text) => text.replace(/[\r\n]/g, ''))
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        expect(linesOf(lines.map((text) => text + end).join(''))).toEqual(lines)
      }),
    )
  })

  it('passes over to a line that starts so, and to no place inside a line', () => {
    const reader = new LineReader('x --a\n--a 1\r\n--b\n--a 2')
    expect(reader.skipTo('--a')).toBe(6)
    expect(reader.next()).toBe('--a 1')
    expect(reader.skipTo('--a')).toBe(17)
    expect(reader.next()).toBe('--a 2')
    expect(reader.skipTo('--a')).toBeUndefined()
  })

  it('stays where it is when it stands on such a line', () => {
    const reader = new LineReader('--a\n--a')
    expect(reader.skipTo('--a')).toBe(0)
    reader.next()
    expect(reader.skipTo('--a')).toBe(4)
    expect(reader.position).toBe(4)
  })
})
