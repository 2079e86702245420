import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isExactNumber,
  printJson,
  updateJson,
} from '../../../packages/mapper/src/convert/update-json.ts'
import { isSameJson } from '../../../packages/mapper/src/place/same-value.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { type JsonTree, jsonTrees, parseTree, printTree } from './json-tree.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test changes parsed JSON as a caller would
type Parsed = any

/** The text after a change that a caller makes to the parsed value. */
function changed(text: string, change: (value: Parsed) => unknown): string {
  const value = JSON.parse(text)
  return updateJson(text, { base: JSON.parse(text), value: change(value) ?? value })
}

describe('updateJson', () => {
  it.each([
    ['{"id":12345678901234567890,"b":1}', '{"id":12345678901234567890,"b":2}'],
    ['{"id":1e999,"b":1}', '{"id":1e999,"b":2}'],
    ['{"id":-1e999,"b":1}', '{"id":-1e999,"b":2}'],
    ['{"id":0.1e-400,"b":1}', '{"id":0.1e-400,"b":2}'],
    ['{"id":0.12345678901234567890,"b":1}', '{"id":0.12345678901234567890,"b":2}'],
    ['{"id":-0,"b":1}', '{"id":-0,"b":2}'],
    ['{"id":1.00,"b":1}', '{"id":1,"b":2}'],
    ['{"id":"\\ud800","b":1}', '{"id":"\\ud800","b":2}'],
    ['{"id":{"x" : [ 1e999 ]},"b":1}', '{"id":{"x":[1e999]},"b":2}'],
    ['{"id":1e999,"id":2,"b":1}', '{"id":2,"b":2}'],
    ['{"1":"d2","t":"t","b":1}', '{"1":"d2","t":"t","b":2}'],
    [
      '{"a:b":"\\"12345678901234567890\\":1","b":1}',
      '{"a:b":"\\"12345678901234567890\\":1","b":2}',
    ],
  ])('keeps the value of every unchanged part of %s', (text, expected) => {
    expect(
      changed(text, (value) => {
        value.b = 2
      }),
    ).toBe(expected)
  })

  it.each([
    '{ "a" : 1e999, "a" : 12345678901234567890 }',
    '[ "\\ud800", -0 ]',
    '"x"',
    '1e999',
    `${'['.repeat(100_000)}1e999${']'.repeat(100_000)}`,
  ])('returns an unchanged text as it is', (text) => {
    expect(changed(text, () => undefined)).toBe(text)
  })

  it('sets, adds and removes members beside numbers that JavaScript cannot hold', () => {
    const text = '{"n":12345678901234567890,"o":{"m":1e999,"p":5},"q":[1]}'
    const edit = (change: (value: Parsed) => unknown) => changed(text, change)
    expect(edit((value) => ({ ...value, r: [1] }))).toBe(`${text.slice(0, -1)},"r":[1]}`)
    expect(edit(({ q, ...value }) => value)).toBe(
      '{"n":12345678901234567890,"o":{"m":1e999,"p":5}}',
    )
    expect(edit(({ n, ...value }) => value)).toBe('{"o":{"m":1e999,"p":5},"q":[1]}')
    expect(edit((value) => ({ ...value, n: 5 }))).toBe('{"n":5,"o":{"m":1e999,"p":5},"q":[1]}')
    expect(edit((value) => ({ ...value, o: { ...value.o, p: 6 } }))).toBe(
      '{"n":12345678901234567890,"o":{"m":1e999,"p":6},"q":[1]}',
    )
    expect(edit(() => 'other')).toBe('"other"')
  })

  it('keeps elements before and after the ones that were added, removed or set', () => {
    const text = '[12345678901234567890, {"id":1e999}, 3]'
    const edit = (change: (value: Parsed[]) => unknown) =>
      changed(text, (value) => {
        change(value)
      })
    expect(edit((value) => value.push(4))).toBe('[12345678901234567890,{"id":1e999},3,4]')
    expect(edit((value) => value.unshift(4))).toBe('[4,12345678901234567890,{"id":1e999},3]')
    expect(edit((value) => value.shift())).toBe('[{"id":1e999},3]')
    expect(edit((value) => value.splice(1, 1))).toBe('[12345678901234567890,3]')
    expect(edit((value) => value.splice(1, 0, 5, 6))).toBe(
      '[12345678901234567890,5,6,{"id":1e999},3]',
    )
    expect(
      edit((value) => {
        value[1].name = 'x'
      }),
    ).toBe('[12345678901234567890,{"id":1e999,"name":"x"},3]')
  })

  it.each<[text: string, change: (value: Parsed) => unknown, path: string]>([
    ['{"a":[12345678901234567890,5]}', ({ a }) => ({ a: a.toReversed() }), 'a.1'],
    ['{"a":12345678901234567890}', ({ a }) => ({ a, b: a }), 'b'],
    ['{"a":1e999}', ({ a }) => ({ b: [a] }), 'b.0'],
    ['[9007199254740993,9007199254740992]', ([, last]) => [last], '0'],
    ['[9007199254740992,9007199254740993]', ([, last]) => [last], '0'],
    [
      '[{"id":9007199254740992,"n":1},{"id":9007199254740993,"n":2}]',
      ([one, two]) => [two, one],
      '0.id',
    ],
  ])('rejects a number of %s that may have been moved', (text, change, path) => {
    const attempt = () => changed(text, change)
    expect(attempt).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
    expect(attempt).toThrow(expect.objectContaining({ details: { path } }))
    expect(attempt).toThrow(
      `${path} of the value has a number that is stored with more digits than JavaScript holds, and it may have been moved here: storing it would round it.`,
    )
  })

  it('rejects values that JSON cannot hold, by their place', () => {
    const attempt = () => changed('{"a":[1]}', ({ a }) => ({ a: [...a, 5n] }))
    expect(attempt).toThrow('a.1 of the value is a value of type bigint')
    expect(() => changed('{"a":1}', () => ({ a: new Date(0) }))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
    const ring: Record<string, unknown> = { a: 1 }
    ring.b = ring
    expect(() => changed('{"a":1}', () => ring)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('keeps members that a schema hid from the caller, except where elements may have moved', () => {
    const text = '{"a":{"x":1,"hidden":1e999},"b":[{"y":1,"hidden":1e999},{"y":2,"hidden":2}]}'
    const base = { a: { x: 1 }, b: [{ y: 1 }, { y: 2 }] }
    const to = (value: unknown) => updateJson(text, { base, value })
    expect(to({ ...base, a: { x: 2 } })).toBe(text.replace('"x":1', '"x":2'))
    expect(to({ ...base, b: [{ y: 3 }, { y: 2 }] })).toBe(text.replace('"y":1', '"y":3'))
    expect(to({ ...base, b: [{ y: 2 }, { y: 1 }] })).toBe(
      '{"a":{"x":1,"hidden":1e999},"b":[{"y":2},{"y":1}]}',
    )
    expect(to({ b: [] })).toBe('{"b":[]}')
  })

  it('returns a text with the new value, and never with another number than an exact reader expects', () => {
    let kept = 0
    let rejected = 0
    const blanks = fc.constantFrom('', ' ', '\n\t')
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(jsonTrees, blanks, steps, (tree, blank, choices) => {
        const text = printTree(tree, blank)
        const base = parseTree(tree)
        const after = structuredClone(tree)
        for (const choice of choices) edit(after, choice)
        const expected = printTree(withoutHiddenMoves(after, tree), '')
        const value = parseTree(after)
        let result: string
        try {
          result = updateJson(text, { base, value })
        } catch (error) {
          expect(error).toMatchObject({ name: 'InputError', code: 'InvalidJsonValue' })
          expect(readExactly(text)).not.toEqual(base)
          rejected++
          return
        }
        kept++
        expect(isSameJson(JSON.parse(result), value)).toBe(true)
        expect(readExactly(result)).toEqual(readExactly(expected))
        if (isSameJson(value, base)) expect(result).toBe(text)
      }),
      { numRuns: randomSteps(5_000) },
    )
    expect(kept).toBeGreaterThan(rejected)
    expect(rejected).toBeGreaterThan(0)
  })
})

/** Parses JSON as a reader with exact numbers does: those that JavaScript cannot hold stay texts. */
function readExactly(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      token.startsWith('"') || isExactNumber(token) ? token : `"exactly ${token}"`,
    ),
  )
}

/** A caller cannot see, and so has not made, moves after which JavaScript reads the same value. */
function withoutHiddenMoves(after: JsonTree, before: JsonTree): JsonTree {
  if (isSameJson(parseTree(after), parseTree(before))) return before
  if ('members' in after && 'members' in before) {
    const old = new Map(before.members)
    return {
      members: after.members.map(([name, value]) => {
        const previous = old.get(name)
        return [name, previous === undefined ? value : withoutHiddenMoves(value, previous)]
      }),
    }
  }
  if ('items' in after && 'items' in before && after.items.length === before.items.length) {
    return {
      items: after.items.map((item, at) => withoutHiddenMoves(item, before.items[at] as JsonTree)),
    }
  }
  return after
}

/** Changes a tree as a caller changes the parsed value: sets, adds, removes and moves parts. */
function edit(tree: JsonTree, [where, what, how]: readonly [number, number, number]): void {
  const containers = containersIn(tree)
  const container = containers[where % Math.max(1, containers.length)]
  if (container === undefined) return
  const next: JsonTree = { text: ['7', '"new"', '0.25'][what % 3] as string }
  if ('items' in container) {
    const { items } = container
    const at = what % (items.length + 1)
    if (how % 6 === 0) items.splice(at, 0, next)
    else if (how % 6 === 1) items.splice(at, 1)
    else if (how % 6 === 2) items.reverse()
    else if (how % 6 === 3) items.unshift(...items.splice(at, 1))
    else if (how % 6 === 4)
      items.push(...items.slice(at, at + 1).map((item) => structuredClone(item)))
    else if (at < items.length) items[at] = next
  } else if ('members' in container) {
    const { members } = container
    const at = what % (members.length + 1)
    const member = members[at]
    if (member === undefined || how % 3 === 0) {
      if (members.every(([name]) => name !== 'new')) members.push(['new', next])
    } else if (how % 3 === 1) members.splice(at, 1)
    else member[1] = next
  }
}

function containersIn(tree: JsonTree): JsonTree[] {
  if ('text' in tree) return []
  const parts = 'items' in tree ? tree.items : tree.members.map(([, value]) => value)
  return [tree, ...parts.flatMap(containersIn)]
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

describe('printJson', () => {
  it('writes every value that JSON can hold so that it reads back, -0 included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(printJson(value))).toEqual(value)
      }),
    )
    expect(printJson({ zero: -0, gone: undefined, none: null })).toBe('{"zero":-0,"none":null}')
    expect(printJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
    expect(printJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
  })

  it.each([
    [5n, ''],
    [Number.NaN, ''],
    [{ a: [1, Number.POSITIVE_INFINITY] }, 'a.1'],
    [{ a: new Date(0) }, 'a'],
    [new Map(), ''],
    [[undefined], '0'],
    [new Array(1), '0'],
    [{ a: () => 1 }, 'a'],
    [Symbol('x'), ''],
    [undefined, ''],
    [new (class Point {})(), ''],
  ])('rejects %o, which JSON would change silently', (value, path) => {
    try {
      printJson(value)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'InputError', code: 'InvalidJsonValue' })
      expect(error).toMatchObject({ code: 'InvalidJsonValue', details: { path } })
    }
  })

  it('rejects a ring', () => {
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    expect(() => printJson(ring)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('says how a bigint can be stored', () => {
    expect(() => printJson({ points: 5n })).toThrow(
      'points of the value is a value of type bigint, which JSON cannot hold. JSON has only numbers, which readers hold exactly up to 2^53. Store it as text.',
    )
  })
})
