import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { textLines } from '../../../packages/cli/src/rows/text-lines.ts'
import { read, shown } from './read-text.ts'

describe('NDJSON', () => {
  it('splits lines only at line feeds, also when a character is cut', async () => {
    const row = new DynamicEntity('a', 'ü\u2028', { text: 'a\u2028b\u0085€' })
    const line = printRowLine(row)
    const bytes = Buffer.from(`\uFEFF${line}\r\n\n${line}\n`)
    const cut = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect((await read(cut, 'ndjson')).map(shown)).toEqual([shown(row), shown(row)])
  })
})

it('splits at a line feed that begins a chunk', async () => {
  const text = 'é\n\nb\nc\n'
  for (const given of [[...text], Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))]) {
    const input = (async function* () {
      yield* given
    })()
    const lines: string[] = []
    for await (const line of textLines(input, 'rows.ndjson')) lines.push(line)
    expect(lines).toEqual(['é', '', 'b', 'c'])
  }
})

it('rejects a line that is longer than any row before the line ends', async () => {
  let read = 0
  const input = (async function* () {
    for (const chunk = 'x'.repeat(1024 * 1024); ; read++) yield read === 0 ? `{}\n${chunk}` : chunk
  })()
  const lines = textLines(input, 'rows.ndjson')
  expect((await lines.next()).value).toBe('{}')
  await expect(lines.next()).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: expect.stringMatching(/^rows.ndjson, line 2: The line is longer than any row/),
  })
  expect(read).toBe(16)
})
