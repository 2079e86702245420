import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type JsonSource,
  readJsonSource,
} from '../../../packages/mapper/src/convert/json-source.ts'
import { jsonTrees, printTree } from './json-tree.ts'

describe('readJsonSource', () => {
  it('finds every value and every number where it stands', () => {
    const text = '{ "a\\"" : [1.0, "]2"], "b":null, "a\\"": -3e2 }'
    const { root, numbers } = readJsonSource(text)
    const textOf = ({ start, end }: JsonSource) => text.slice(start, end)
    expect(textOf(root)).toBe(text)
    const [list, last] = root.members?.get('a"') ?? []
    expect(list?.elements?.map(textOf)).toEqual(['1.0', '"]2"'])
    expect(last && textOf(last)).toBe('-3e2')
    expect(root.members?.get('b')?.map(textOf)).toEqual(['null'])
    expect(numbers.map(({ text, value }) => [text, value])).toEqual([
      ['1.0', 1],
      ['-3e2', -300],
    ])
  })

  it('finds parts that together are the text', () => {
    fc.assert(
      fc.property(jsonTrees, fc.constantFrom('', ' \n'), (tree, blank) => {
        const text = printTree(tree, blank)
        const { root } = readJsonSource(text)
        expect(printSource(text, root)).toBe(printTree(tree, ''))
      }),
    )
  })

  it('reads texts of any depth and length', () => {
    const text = `[${'['.repeat(50_000)}"${'\\n'.repeat(200_000)}"${']'.repeat(50_000)}]`
    expect(readJsonSource(text).root).toMatchObject({ start: 0, end: text.length })
  })
})

function printSource(text: string, { start, end, members, elements }: JsonSource): string {
  if (elements !== undefined)
    return `[${elements.map((part) => printSource(text, part)).join(',')}]`
  if (members === undefined) return text.slice(start, end)
  const printed = [...members].flatMap(([name, values]) =>
    values.map((value) => `${JSON.stringify(name)}:${printSource(text, value)}`),
  )
  return `{${printed.join(',')}}`
}
