import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isExactNumber,
  type JsonSource,
  readJsonSource,
} from '../../../packages/mapper/src/convert/update-json.ts'
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

/** The integer that a JavaScript number is written as. */
const writtenAs = (value: number) => BigInt(value.toLocaleString('en', { useGrouping: false }))

describe('isExactNumber', () => {
  it('needs little time for a number of a million digits', () => {
    expect(isExactNumber(`1${'0'.repeat(1_000_000)}1`)).toBe(false)
  })

  it.each(['0', '-0', '0.0', '0e999', '1.50e2', '100', '1e21', '1E+2', '0.1', '5e-324', '1e308'])(
    'accepts %s',
    (text) => {
      expect(isExactNumber(text)).toBe(true)
    },
  )

  it.each([
    '9007199254740993',
    '12345678901234567890',
    '72057594037927952',
    '1e999',
    '-2E+400',
    '0.1e-400',
    '0.10000000000000000000001',
    '0.3333333333333333333333333333',
  ])('rejects %s', (text) => {
    expect(isExactNumber(text)).toBe(false)
  })

  it('accepts every Double as programs write it, also with 17 digits', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(isExactNumber(String(value))).toBe(true)
        expect(isExactNumber(value.toExponential())).toBe(true)
        if (!Number.isInteger(value)) expect(isExactNumber(value.toPrecision(17))).toBe(true)
      }),
    )
  })

  it('accepts an integer if JavaScript writes the same integer', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
        fc.nat(3),
        (digits, zeros) => {
          const value = digits * 10n ** BigInt(zeros)
          const isSame = writtenAs(Number(value)) === value
          expect(isExactNumber(String(value))).toBe(isSame)
          expect(isExactNumber(`${digits}e${zeros}`)).toBe(isSame)
        },
      ),
    )
  })
})
