import { expect, it } from 'vitest'
import { textTable } from '../../../packages/cli/src/output/text-table.ts'

it('aligns cells under their headings', () => {
  expect(
    textTable(
      ['a', 'long'],
      [
        ['1', '2'],
        ['333', ''],
      ],
    ),
  ).toBe('a    long\n---  ----\n1    2\n333\n')
})

it('cuts long cells, and prints control characters as escapes', () => {
  const [, , line] = textTable(['a'], [[`\u001b[31m${'x'.repeat(100)}`]]).split('\n')
  expect(line).toMatch(/^\\u001b\[31mx+…$/)
  expect(line).toHaveLength(40)
  expect(textTable(['a'], [['\u009b31m\u007f']])).toContain('\\u009b31m\\u007f')
})

it('prints control characters of headings as escapes', () => {
  expect(textTable(['a\nb\u001b'], [['1']])).toBe('a\\nb\\u001b\n----------\n1\n')
})
